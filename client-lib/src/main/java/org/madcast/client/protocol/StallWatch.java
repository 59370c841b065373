package org.madcast.client.protocol;

/**
 * Notices that the stream stands still although more of it was announced: what is missing was asked
 * for again and again, all ranks are alive, and none gives it. Either it was never sent, which only
 * a forged datagram can say, or the network drops every datagram that carries it.
 *
 * <p>The limit is a quarter longer than the death timeout, so that a dead rank is noticed as such
 * first. New fragments put the limit off, since a slow link may carry many others before the first
 * missing one; forged ones can do that too, so there is a second limit that only the first missing
 * fragment itself puts off. Time in which this rank did not run does not count, and a rank that was
 * cut off from a neighbour waits for a quarter of the death timeout, in which it may hear why.
 */
final class StallWatch {

    /** How many death timeouts the first missing fragment may take while others come. */
    private static final int LONGEST = 10;

    private final long quarterNs;
    private final long limitNs;
    private final long longestNs;
    private final long longestPauseNs;
    private long newNs;
    private long advancedNs;
    private long lastTickNs;
    private long contiguous;
    private long connectedNs;

    StallWatch(long deathTimeoutNs, long nowNs) {
        quarterNs = deathTimeoutNs / 4;
        limitNs = deathTimeoutNs + quarterNs;
        longestNs = LONGEST * deathTimeoutNs;
        longestPauseNs = deathTimeoutNs / 10;
        lastTickNs = nowNs;
        restart(nowNs);
    }

    /** A fragment came that this rank did not have. */
    void onFragment(long nowNs) {
        newNs = nowNs;
    }

    /**
     * True when nothing has come for too long. Call once for each timeout.
     *
     * @param firstMissing the first sequence that has not arrived
     * @param awaited whether it is known to have been sent, and a call waits
     * @param connected whether all neighbours have been heard lately
     */
    boolean isStalled(long nowNs, long firstMissing, boolean awaited, boolean connected) {
        long pausedNs = nowNs - lastTickNs;
        lastTickNs = nowNs;
        if (pausedNs > longestPauseNs) {
            newNs += pausedNs;
            advancedNs += pausedNs;
        }
        if (!awaited || firstMissing != contiguous) {
            contiguous = firstMissing;
            restart(nowNs);
        }
        connectedNs = connected ? connectedNs : nowNs;
        long dueNs = Math.min(newNs + limitNs, advancedNs + longestNs);
        return awaited && nowNs >= Math.max(dueNs, connectedNs + quarterNs);
    }

    private void restart(long nowNs) {
        newNs = nowNs;
        advancedNs = nowNs;
    }
}
