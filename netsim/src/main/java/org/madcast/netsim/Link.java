package org.madcast.netsim;

/**
 * One direction of a cable at work. The queue is not stored: since the rate is fixed, the time at
 * which the last accepted bit leaves says how much is waiting.
 */
final class Link {

    private static final long BITS_NS = 8L * 1_000_000_000L;

    private final LinkModel model;
    private final long limitNs;
    private final long burstNs;
    private long busyUntilNs;

    /** What the division by the rate left over, so that rounding never adds up. */
    private long carry;

    Link(LinkModel model) {
        this.model = model;
        boolean unlimited = model.bitsPerSecond() == 0 || model.queueLimitBytes() == 0;
        this.limitNs = unlimited ? Long.MAX_VALUE : lastsNs(model.queueLimitBytes());
        this.burstNs = model.bitsPerSecond() == 0 ? 0 : lastsNs(model.burstBytes());
        this.busyUntilNs = -burstNs;
    }

    private long lastsNs(long bytes) {
        return (long) ((double) bytes * BITS_NS / model.bitsPerSecond());
    }

    /** Whether more waits than the limit allows: the sender's back-pressure. */
    boolean isFull(long nowNs) {
        return busyUntilNs - nowNs > limitNs;
    }

    /** How much waits, the part that is on its way out included. */
    int queuedBytes(long nowNs) {
        double bytesPerNs = (double) model.bitsPerSecond() / BITS_NS;
        return (int) (Math.max(0, busyUntilNs - nowNs) * bytesPerNs);
    }

    /** When {@link #isFull} ends, if nothing more is sent. */
    long roomAtNs() {
        return busyUntilNs - limitNs;
    }

    /**
     * Whether these bytes fit behind what waits: the switch's tail drop. An idle link takes any.
     */
    boolean accepts(long nowNs, int wireBytes) {
        return busyUntilNs <= nowNs || busyUntilNs - nowNs + serialisationNs(wireBytes) <= limitNs;
    }

    /** Queues these bytes and returns when the last of them comes out at the other end. */
    long send(long nowNs, int wireBytes) {
        return send(nowNs, nowNs, wireBytes);
    }

    /**
     * The same of what a switch began to pass on before it had all of it.
     *
     * @param sinceNs when it could begin, unless others were before it
     */
    long send(long nowNs, long sinceNs, int wireBytes) {
        if (model.bitsPerSecond() == 0) {
            return nowNs + model.delayNs();
        }
        if (busyUntilNs <= sinceNs - burstNs) {
            busyUntilNs = sinceNs - burstNs;
            carry = 0;
        }
        long scaled = wireBytes * BITS_NS + carry;
        busyUntilNs += scaled / model.bitsPerSecond();
        carry = scaled % model.bitsPerSecond();
        return Math.max(nowNs, busyUntilNs) + model.delayNs();
    }

    /** How long these bytes take to come out one behind the other. */
    long serialisationNs(int wireBytes) {
        return model.bitsPerSecond() == 0 ? 0 : wireBytes * BITS_NS / model.bitsPerSecond();
    }
}
