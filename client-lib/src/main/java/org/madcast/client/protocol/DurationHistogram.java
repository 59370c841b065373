package org.madcast.client.protocol;

/**
 * Counts durations in buckets that grow with the value: 16 to each power of two, so a percentile is
 * at most 6.25 % too high. Fixed memory, no allocation. Not thread-safe.
 */
public final class DurationHistogram {

    private static final int SUB_BITS = 4;
    private static final int SUB = 1 << SUB_BITS;

    private final long[] counts = new long[(64 - SUB_BITS) * SUB];
    private long total;

    /** Counts one duration; negative ones count as 0. */
    public void record(long durationNs) {
        counts[bucket(Math.max(0, durationNs))]++;
        total++;
    }

    /** How many were recorded. */
    public long count() {
        return total;
    }

    /** The upper edge of the bucket that holds this percentile, 0 when nothing was recorded. */
    public long percentileNs(double percentile) {
        long wanted = (long) Math.ceil(total * percentile / 100);
        long seen = 0;
        for (int i = 0; i < counts.length && total > 0; i++) {
            seen += counts[i];
            if (seen >= wanted && counts[i] > 0) {
                return upperEdge(i);
            }
        }
        return 0;
    }

    /** How many buckets there are, those without durations included. */
    public int buckets() {
        return counts.length;
    }

    /** How many durations fell into a bucket. */
    public long count(int bucket) {
        return counts[bucket];
    }

    /** The longest duration of a bucket. */
    public long edgeNs(int bucket) {
        return upperEdge(bucket);
    }

    private static int bucket(long value) {
        if (value < SUB) {
            return (int) value;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(value);
        int sub = (int) (value >>> (exponent - SUB_BITS)) & (SUB - 1);
        return (exponent - SUB_BITS + 1) * SUB + sub;
    }

    private static long upperEdge(int bucket) {
        if (bucket < SUB) {
            return bucket;
        }
        int exponent = bucket / SUB + SUB_BITS - 1;
        long sub = bucket % SUB;
        return ((SUB + sub + 1) << (exponent - SUB_BITS)) - 1;
    }
}
