package org.madcast.client;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How often durations of which length were measured, to about 6 %. Distributions of several ranks
 * can be added, and an earlier one of the same rank taken away, so that percentiles can be told of
 * a whole job and of a span of time. Immutable.
 */
public final class DurationDistribution {

    /** Nothing was measured. */
    public static final DurationDistribution EMPTY = new DurationDistribution(new TreeMap<>());

    private final NavigableMap<Long, Long> counts;

    private DurationDistribution(NavigableMap<Long, Long> counts) {
        this.counts = Collections.unmodifiableNavigableMap(counts);
    }

    /**
     * A distribution from its buckets.
     *
     * @param counts how many durations fell into each bucket, by the bucket's upper edge in
     *     nanoseconds; those with none are left out
     */
    public static DurationDistribution of(Map<Long, Long> counts) {
        NavigableMap<Long, Long> positive = new TreeMap<>(counts);
        positive.values().removeIf(count -> count <= 0);
        return new DurationDistribution(positive);
    }

    /** How many durations fell into each bucket, by its upper edge in nanoseconds, rising. */
    public NavigableMap<Long, Long> counts() {
        return counts;
    }

    /** How many were measured. */
    public long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * What this part of the durations does not exceed, in nanoseconds; 0 when nothing was measured.
     *
     * @param percentile above 0, at most 100
     */
    public long percentileNs(double percentile) {
        long wanted = (long) Math.ceil(count() * percentile / 100);
        long seen = 0;
        for (Map.Entry<Long, Long> bucket : counts.entrySet()) {
            seen += bucket.getValue();
            if (seen >= wanted) {
                return bucket.getKey();
            }
        }
        return 0;
    }

    /** Both together. */
    public DurationDistribution plus(DurationDistribution other) {
        return merged(other, 1);
    }

    /** What was measured since an earlier distribution of the same measure. */
    public DurationDistribution minus(DurationDistribution earlier) {
        return merged(earlier, -1);
    }

    private DurationDistribution merged(DurationDistribution other, int sign) {
        Map<Long, Long> sum = new TreeMap<>(counts);
        other.counts.forEach((edge, count) -> sum.merge(edge, sign * count, Long::sum));
        return of(sum);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DurationDistribution that && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
        return counts.hashCode();
    }

    /** For people: how many, and some percentiles. */
    @Override
    public String toString() {
        return "%d durations, p50 %.3f ms, p99 %.3f ms, longest %.3f ms"
                .formatted(
                        count(),
                        percentileNs(50) / 1e6,
                        percentileNs(99) / 1e6,
                        percentileNs(100) / 1e6);
    }
}
