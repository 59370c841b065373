package org.madcast.allocator.statistics;

import java.util.Map;
import java.util.SortedMap;

/**
 * The log-linear buckets in which durations are counted, the same as the ranks': each power of two
 * of nanoseconds from 1 µs to 18 minutes is cut into 8. Bucket 0 holds what is shorter, the last
 * one what is longer. Histograms of the same buckets add up exactly.
 */
public final class Buckets {

    private static final int SUB_BITS = 3;
    private static final int MIN_POWER = 10;
    private static final int MAX_POWER = 40;

    /** How many there are. */
    public static final int COUNT = ((MAX_POWER - MIN_POWER) << SUB_BITS) + 2;

    private Buckets() {}

    /** The bucket of a duration. */
    public static int of(long durationNs) {
        if (durationNs < 1L << MIN_POWER) {
            return 0;
        }
        int power = 63 - Long.numberOfLeadingZeros(durationNs);
        if (power >= MAX_POWER) {
            return COUNT - 1;
        }
        int sub = (int) (durationNs >>> (power - SUB_BITS)) & ((1 << SUB_BITS) - 1);
        return 1 + ((power - MIN_POWER) << SUB_BITS) + sub;
    }

    /** The longest duration of a bucket; of the last one, its shortest. */
    public static long upperNs(int bucket) {
        if (bucket == 0) {
            return (1L << MIN_POWER) - 1;
        }
        if (bucket == COUNT - 1) {
            return 1L << MAX_POWER;
        }
        int power = MIN_POWER + ((bucket - 1) >> SUB_BITS);
        int sub = (bucket - 1) & ((1 << SUB_BITS) - 1);
        return (1L << power) + ((sub + 1L) << (power - SUB_BITS)) - 1;
    }

    /** The duration that a share of what was counted does not exceed; 0 of nothing. */
    public static long percentileNs(SortedMap<Integer, Long> counts, double share) {
        double total = 0;
        for (long count : counts.values()) {
            total += count;
        }
        double wanted = Math.max(1, Math.ceil(total * share));
        double seen = 0;
        for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
            seen += entry.getValue();
            if (seen >= wanted) {
                return upperNs(entry.getKey());
            }
        }
        return 0;
    }
}
