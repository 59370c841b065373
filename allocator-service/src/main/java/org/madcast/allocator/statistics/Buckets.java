package org.madcast.allocator.statistics;

import java.util.Map;
import java.util.SortedMap;
import org.madcast.allocator.web.Fields;

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

    /** Refuses counts by buckets that there are not, or that no rank can reach. */
    static void check(String field, Map<Integer, Long> counts) {
        for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
            int bucket = entry.getKey();
            Long count = entry.getValue();
            if (bucket < 0
                    || bucket >= COUNT
                    || count == null
                    || count < 0
                    || count > Counters.MOST) {
                throw Fields.invalid(
                        field,
                        "must count, by bucket from 0 to " + (COUNT - 1) + ", 0 to 2^53 each");
            }
        }
    }

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
