package org.madcast.client.protocol;

/**
 * How many lost fragments this rank asks for at once, and how long it waits for each before it asks
 * again. A rank that asks for more than its own link can take causes the loss that it reports: so
 * what may be on its way is a window that grows with every repair and is halved when a request was
 * in vain, as in TCP (RFC 5681), and the wait is the measured time from a request to its repair and
 * four times its variation, doubled while requests are in vain (RFC 6298). When few fragments are
 * missing it is only twice the variation: one repair too many costs less then than the wait.
 *
 * <p>Worked example: a switch port of a tenth of the root's rate passes 85 fragments in 100 ms and
 * drops the rest. Asked for at once, the 1,900 missing ones would be dropped as before; 32 at a
 * time they come at the port's rate.
 */
final class RepairPace {

    static final int FIRST_WINDOW = 64;
    static final int SMALLEST_WINDOW = 4;
    static final int LARGEST_WINDOW = 512;

    private static final long FIRST_ROUND_NS = 500_000;
    private static final long SHORTEST_WAIT_NS = 500_000;
    private static final long LONGEST_WAIT_NS = 250_000_000;

    /** Without anything known about the round, doubling ends here. */
    private static final long LONGEST_BLIND_WAIT_NS = 20_000_000;

    private static final int MOST_DOUBLINGS = 3;
    private static final int FEW = 8;

    private double window = FIRST_WINDOW;
    private double threshold = LARGEST_WINDOW;
    private long smoothedRoundNs = FIRST_ROUND_NS;
    private long roundVariationNs = FIRST_ROUND_NS / 4;
    private int doublings;
    private long cutNs = Long.MIN_VALUE / 2;

    /** How many fragments may be asked for and on their way. */
    int window() {
        return (int) window;
    }

    /**
     * How long to wait for a fragment.
     *
     * @param attempts how many times it was asked for before
     * @param missing how many fragments are missing in all
     */
    long patienceNs(int attempts, long missing) {
        int variations = missing <= FEW ? 2 : 4;
        long measuredNs =
                Math.max(SHORTEST_WAIT_NS, smoothedRoundNs + variations * roundVariationNs);
        long waitNs = measuredNs << Math.min(MOST_DOUBLINGS, Math.max(attempts, doublings));
        return Math.min(waitNs, Math.clamp(measuredNs, LONGEST_BLIND_WAIT_NS, LONGEST_WAIT_NS));
    }

    /**
     * A fragment came that had been asked for.
     *
     * @param roundNs since it was asked for the last time
     * @param attempts how often it was; of several, it is unknown which was answered (Karn)
     */
    void onRepair(long roundNs, int attempts) {
        window = Math.min(LARGEST_WINDOW, window + (window < threshold ? 1 : 1 / window));
        if (attempts == 1) {
            roundVariationNs += (Math.abs(roundNs - smoothedRoundNs) - roundVariationNs) / 4;
            smoothedRoundNs += (roundNs - smoothedRoundNs) / 8;
            doublings = 0;
        }
    }

    /** A fragment is asked for once more: the request or its answer was lost. */
    void onUnanswered(long nowNs) {
        if (nowNs - cutNs < smoothedRoundNs) {
            return; // The same loss, seen at several fragments.
        }
        cutNs = nowNs;
        threshold = Math.max(SMALLEST_WINDOW, window / 2);
        window = threshold;
        doublings = Math.min(MOST_DOUBLINGS, doublings + 1);
    }
}
