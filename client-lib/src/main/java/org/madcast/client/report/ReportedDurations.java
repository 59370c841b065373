package org.madcast.client.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Durations of one kind of broadcast in log-linear buckets: each power of two of nanoseconds from 1
 * us to 18 minutes is cut into 8, so a percentile is at most an eighth too high. Recording changes
 * a few longs in place: no allocation and no lock. Any thread may record while one other drains; a
 * record that falls into a drain may be split over two reports, but is lost from neither.
 */
final class ReportedDurations {

    private static final int SUB_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    private static final int MIN_POWER = 10;
    private static final int MAX_POWER = 40;
    private static final int BUCKETS = (MAX_POWER - MIN_POWER) * SUB_BUCKETS + 2;

    private static final int BYTES = BUCKETS;
    private static final int SUM = BUCKETS + 1;
    private static final int MAX = BUCKETS + 2;

    private static final Drained NOTHING = new Drained(0, 0, 0, 0, 0, 0, Map.of());

    private final AtomicLongArray cells = new AtomicLongArray(BUCKETS + 3);

    /**
     * What was recorded since the last drain.
     *
     * @param count broadcasts
     * @param bytes their bytes
     * @param p50Ns the median of their durations, in nanoseconds
     * @param p99Ns the 99th percentile
     * @param maxNs the longest
     * @param sumNs all together
     * @param buckets how many fell into each bucket, by its number; empty ones are left out
     */
    record Drained(
            long count,
            long bytes,
            long p50Ns,
            long p99Ns,
            long maxNs,
            long sumNs,
            Map<String, Long> buckets) {}

    void record(long sizeBytes, long durationNs) {
        long nonNegativeNs = Math.max(0, durationNs);
        cells.getAndAdd(BYTES, sizeBytes);
        cells.getAndAdd(SUM, nonNegativeNs);
        long seen = cells.get(MAX);
        while (nonNegativeNs > seen && !cells.weakCompareAndSetVolatile(MAX, seen, nonNegativeNs)) {
            seen = cells.get(MAX);
        }
        cells.getAndIncrement(bucket(nonNegativeNs));
    }

    /**
     * Takes everything out. The counts come first, as recording adds to them last: what is counted
     * here has its bytes and sum in, and what is in but not counted yet is left when nothing is.
     */
    Drained drain() {
        long[] counts = new long[BUCKETS];
        long count = 0;
        int highest = 0;
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] = cells.getAndSet(i, 0);
            count += counts[i];
            highest = counts[i] > 0 ? i : highest;
        }
        if (count == 0) {
            return NOTHING;
        }
        long bytes = cells.getAndSet(BYTES, 0);
        long sumNs = cells.getAndSet(SUM, 0);
        long maxNs = plausibleMaxNs(cells.getAndSet(MAX, 0), highest);
        return new Drained(
                count,
                bytes,
                percentile(counts, count, maxNs, 50),
                percentile(counts, count, maxNs, 99),
                maxNs,
                sumNs,
                filled(counts));
    }

    private static Map<String, Long> filled(long[] counts) {
        Map<String, Long> filled = new LinkedHashMap<>();
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] > 0) {
                filled.put(String.valueOf(i), counts[i]);
            }
        }
        return filled;
    }

    /** An earlier drain may have taken the maximum of a record that was counted after it. */
    private static long plausibleMaxNs(long maxNs, int highestBucket) {
        return bucket(maxNs) >= highestBucket ? maxNs : upperNs(highestBucket);
    }

    private static long percentile(long[] counts, long total, long maxNs, int percent) {
        long wanted = (total * percent + 99) / 100;
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= wanted && seen > 0) {
                return Math.min(upperNs(i), maxNs);
            }
        }
        return 0;
    }

    static int bucket(long durationNs) {
        if (durationNs < 1L << MIN_POWER) {
            return 0;
        }
        int power = 63 - Long.numberOfLeadingZeros(durationNs);
        if (power >= MAX_POWER) {
            return BUCKETS - 1;
        }
        int sub = (int) (durationNs >>> (power - SUB_BITS)) & (SUB_BUCKETS - 1);
        return 1 + (power - MIN_POWER) * SUB_BUCKETS + sub;
    }

    /** The greatest duration that falls into this bucket. */
    static long upperNs(int bucket) {
        if (bucket == 0) {
            return (1L << MIN_POWER) - 1;
        }
        if (bucket == BUCKETS - 1) {
            return Long.MAX_VALUE;
        }
        int power = MIN_POWER + (bucket - 1) / SUB_BUCKETS;
        int sub = (bucket - 1) % SUB_BUCKETS;
        return (1L << power) + ((sub + 1L) << (power - SUB_BITS)) - 1;
    }
}
