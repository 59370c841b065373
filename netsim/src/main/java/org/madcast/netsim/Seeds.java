package org.madcast.netsim;

import java.util.function.LongConsumer;

/**
 * Runs a test under many seeds. A failure names the seed and how to run it alone.
 *
 * <p>{@code -Dmadcast.seed=12345} runs just that seed; {@code -Dmadcast.seeds=1000} runs the seeds
 * 1 to 1000 instead of as many as the test asks for.
 */
public final class Seeds {

    /** Names the only seed to run. */
    public static final String SEED_PROPERTY = "madcast.seed";

    /** Says how many seeds to run. */
    public static final String SEEDS_PROPERTY = "madcast.seeds";

    private Seeds() {}

    /**
     * Runs a test under the seeds 1 to {@code count}, or as the system properties say.
     *
     * @throws AssertionError for the first seed that fails, caused by the test's own failure
     */
    public static void forEach(int count, LongConsumer test) {
        Long only = Long.getLong(SEED_PROPERTY);
        if (only != null) {
            run(only, test);
            return;
        }
        long last = Long.getLong(SEEDS_PROPERTY, count);
        if (last < 1) {
            throw new IllegalArgumentException(last + " seeds: at least one is needed");
        }
        for (long seed = 1; seed <= last; seed++) {
            run(seed, test);
        }
    }

    private static void run(long seed, LongConsumer test) {
        try {
            test.accept(seed);
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError(
                    "Seed "
                            + seed
                            + " failed; replay it with -D"
                            + SEED_PROPERTY
                            + "="
                            + seed
                            + ": "
                            + failure,
                    failure);
        }
    }
}
