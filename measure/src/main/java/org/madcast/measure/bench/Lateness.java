package org.madcast.measure.bench;

import java.util.SplittableRandom;

/**
 * How much later than the root each rank calls.
 *
 * @param mostNs at most so much
 * @param seed the same one makes all ranks as late again
 */
record Lateness(long mostNs, long seed) {

    private static final long TRIAL_STEP = 1_000_003;
    private static final long RANK_STEP = 8191;

    /** The root is never late. */
    long ofNs(Trial trial, int rank) {
        if (mostNs == 0 || rank == trial.cell().root()) {
            return 0;
        }
        long own = seed + trial.number() * TRIAL_STEP + rank * RANK_STEP;
        return new SplittableRandom(own).nextLong(mostNs + 1);
    }
}
