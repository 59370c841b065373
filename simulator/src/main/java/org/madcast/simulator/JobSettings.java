package org.madcast.simulator;

/**
 * What is simulated. Immutable.
 *
 * @param network with one host for each rank, at most {@link #MOST_RANKS}
 * @param lossPercent what each host loses of what arrives, 0 to less than 100
 * @param skewNs each rank calls by up to so much later than the root
 * @param costs what calls and datagrams cost a host's processor
 * @param windowFragments the engines' window, a power of two from 2 to 2048; 0 for the largest that
 *     fits into the memory
 * @param seed decides losses and when ranks call
 */
public record JobSettings(
        JobNetwork network,
        double lossPercent,
        long skewNs,
        ProcessorCosts costs,
        int windowFragments,
        long seed) {

    /** Datagrams number ranks with 16 bits. */
    public static final int MOST_RANKS = 65_535;

    /** The largest UDP payload of a frame of Ethernet. */
    static final int DATAGRAM_BYTES = 1472;

    private static final int LARGEST_WINDOW = 2048;
    private static final int SMALLEST_WINDOW = 2;
    private static final int SMALLEST_CHOSEN = 32;

    /** For the rings of all ranks together. */
    private static final long RINGS_BYTES = 1L << 30;

    /** Checks the ranges. */
    public JobSettings {
        int ranks = network.places().size();
        require(ranks >= 1 && ranks <= MOST_RANKS, "1 to " + MOST_RANKS + " ranks", ranks);
        require(lossPercent >= 0 && lossPercent < 100, "a loss of 0 to 99 %", lossPercent);
        require(skewNs >= 0, "a skew of 0 or more", skewNs);
        boolean possible =
                Integer.bitCount(windowFragments) == 1
                        && windowFragments >= SMALLEST_WINDOW
                        && windowFragments <= LARGEST_WINDOW;
        require(
                windowFragments == 0 || possible,
                "a window of a power of two from 2 to 2048",
                windowFragments);
    }

    private static void require(boolean holds, String needed, Object value) {
        if (!holds) {
            throw new IllegalArgumentException("a simulation needs " + needed + ", not " + value);
        }
    }

    /** With another seed, so with other losses and times of calls; number 0 has this one's. */
    public JobSettings again(int number) {
        return new JobSettings(network, lossPercent, skewNs, costs, windowFragments, seed + number);
    }

    /** How many ranks there are. */
    public int ranks() {
        return network.places().size();
    }

    /**
     * The window that the engines get: what was asked for, else that of a usual receive buffer, or
     * less when the rings of all ranks would not fit into a gibibyte.
     */
    public int window() {
        if (windowFragments > 0) {
            return windowFragments;
        }
        long fits = RINGS_BYTES / DATAGRAM_BYTES / ranks();
        return (int) Long.highestOneBit(Math.clamp(fits, SMALLEST_CHOSEN, LARGEST_WINDOW));
    }
}
