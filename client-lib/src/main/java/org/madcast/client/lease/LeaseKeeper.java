package org.madcast.client.lease;

/**
 * Decides when a membership and its lease are renewed: a state machine without a clock of its own.
 * One thread at a time.
 *
 * <p>A lease of duration d is renewed at d/3 after it was granted or last renewed, a little earlier
 * on some ranks than on others, so that a thousand ranks don't ask in one instant. After a failure
 * it is tried again after 1 s, 2 s, 4 s and so on, at most d/3 apart. It is lost when d has passed
 * with no renewal, or as soon as the service says that there is no such lease; from then on the
 * group may belong to another, and this never changes back.
 *
 * <p>Times are those of {@link System#nanoTime()}: compared by difference, so they may wrap.
 */
final class LeaseKeeper {

    /** What the lease is like. */
    enum State {
        /** Granted, and the last renewal went well. */
        HELD,
        /** Granted, but the last renewal failed. */
        AT_RISK,
        /** Over: the group may belong to another. */
        LOST
    }

    private static final long FIRST_BACKOFF_NS = 1_000_000_000L;

    private final double spread;
    private State state = State.HELD;
    private long durationNs;
    private long expiryNs;
    private long attemptNs;
    private long backoffNs = FIRST_BACKOFF_NS;

    /**
     * Starts with a lease just granted.
     *
     * @param spread 0 to 1: how much earlier than d/3 to renew; 1 is a quarter of it
     */
    LeaseKeeper(long nowNs, long durationNs, double spread) {
        if (spread < 0 || spread > 1 || durationNs <= 0) {
            throw new IllegalArgumentException(
                    "spread " + spread + " outside 0 to 1 or duration " + durationNs + " ns");
        }
        this.spread = spread;
        onRenewed(nowNs, durationNs);
    }

    /** The lease was renewed for this long from now. */
    void onRenewed(long nowNs, long durationNs) {
        if (state == State.LOST) {
            return;
        }
        state = State.HELD;
        this.durationNs = durationNs;
        expiryNs = nowNs + durationNs;
        attemptNs = nowNs + (long) (durationNs / 3.0 * (1 - spread / 4));
        backoffNs = FIRST_BACKOFF_NS;
    }

    /** The service did not answer, or answered that it cannot now. */
    void onFailed(long nowNs) {
        if (state(nowNs) == State.LOST) {
            return;
        }
        state = State.AT_RISK;
        attemptNs = nowNs + Math.min(backoffNs, durationNs / 3);
        backoffNs = Math.min(backoffNs * 2, Math.max(durationNs / 3, FIRST_BACKOFF_NS));
    }

    /** The service knows no such lease. */
    void onRefused() {
        state = State.LOST;
    }

    /** What the lease is like now. */
    State state(long nowNs) {
        if (state != State.LOST && nowNs - expiryNs >= 0) {
            state = State.LOST;
        }
        return state;
    }

    /** True when a renewal is due. */
    boolean isDue(long nowNs) {
        return state(nowNs) != State.LOST && nowNs - attemptNs >= 0;
    }

    /** How long until something is to be done: a renewal, or noticing the end. */
    long waitNs(long nowNs) {
        if (state(nowNs) == State.LOST) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, Math.min(attemptNs - nowNs, expiryNs - nowNs));
    }
}
