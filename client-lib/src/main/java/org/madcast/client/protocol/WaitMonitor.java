package org.madcast.client.protocol;

import org.madcast.client.wire.DatagramType;

/**
 * Watches over a receiver's call that does not come forward: the whole message, or its tail, may be
 * lost without a gap to show it. The rank that repairs come from and the root are asked in turns
 * what they have, the root first when nothing came yet, each time after twice the pause. The
 * questions carry what this rank called, so that a root that called something else notices; and a
 * root that leaves several of them unanswered for the death timeout is dead.
 */
final class WaitMonitor {

    private static final long TAIL_PAUSE_NS = 5_000_000;
    private static final long START_PAUSE_NS = 50_000_000;
    private static final int UNANSWERED = 3;

    /** From here on the pauses grow evenly, with every death timeout. Doubling alone would end. */
    private static final int DOUBLINGS = 30;

    private final ControlQueue control;
    private final long deathTimeoutNs;
    private final long longestPauseNs;
    private long lastNewsNs;
    private long smoothedGapNs = 100_000;
    private int attempts;
    private long rootHeardNs;
    private int unanswered;
    private boolean othersCame;

    WaitMonitor(EngineConfig config, ControlQueue control) {
        this.control = control;
        this.deathTimeoutNs = config.deathTimeoutNs();
        this.longestPauseNs = deathTimeoutNs / 40;
    }

    /**
     * A call begins.
     *
     * @param later whether fragments of later calls came already
     */
    void onCall(long nowNs, boolean later) {
        othersCame = later;
        lastNewsNs = nowNs;
        rootHeardNs = nowNs;
        attempts = 0;
        unanswered = 0;
    }

    void onFragment(long nowNs) {
        long gapNs = Math.min(nowNs - lastNewsNs, 10_000_000);
        smoothedGapNs += (gapNs - smoothedGapNs) / 8;
        lastNewsNs = nowNs;
        attempts = 0;
        othersCame = true;
        // Whichever rank forwarded it, the root had sent it.
        rootHeardNs = nowNs;
        unanswered = 0;
    }

    void onHeard(long nowNs, int sender, Call call) {
        if (sender == call.root) {
            rootHeardNs = nowNs;
            unanswered = 0;
        }
    }

    long nextDueNs(Call call) {
        boolean expected = othersCame || call.hasBegun();
        long pauseNs = expected ? Math.max(TAIL_PAUSE_NS, 8 * smoothedGapNs) : START_PAUSE_NS;
        return lastNewsNs
                + Math.min(
                        pauseNs << Math.min(attempts, DOUBLINGS), longestPauseNs * (attempts + 1L));
    }

    /** Asks when it is time to; true when the root must be given up. */
    boolean onTimeout(long nowNs, Call call, int repairSource, long contiguous) {
        if (nowNs < nextDueNs(call)) {
            return false;
        }
        int target = (attempts & 1) == (call.hasBegun() ? 1 : 0) ? call.root : repairSource;
        call.describe(control.add(DatagramType.PING, target, contiguous, 0));
        attempts++;
        unanswered += target == call.root ? 1 : 0;
        return unanswered > UNANSWERED && nowNs - rootHeardNs > deathTimeoutNs;
    }
}
