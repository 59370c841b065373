package org.madcast.allocator.statistics;

import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/**
 * Where the time of a site's broadcasts goes, and how early and late its receivers call: means and
 * percentiles of {@link Buckets}, so each is exact to an eighth.
 *
 * @param duration from a rank's call to its return
 * @param early receivers that called before the data came, by how long
 * @param late receivers that called after the data came, by how long
 * @param phases the parts of the mean duration
 */
public record SiteTimes(Spread duration, Spread early, Spread late, Phases phases) {

    /**
     * How times are spread, in nanoseconds.
     *
     * @param count how many there are
     * @param meanNs their mean
     * @param p50Ns half of them are no longer
     * @param p99Ns 99 % of them are no longer
     * @param maxNs none is longer
     */
    public record Spread(long count, long meanNs, long p50Ns, long p99Ns, long maxNs) {

        private static Spread of(SortedMap<Integer, Long> counts) {
            long count = counts.values().stream().reduce(0L, Sum::of);
            return new Spread(
                    count,
                    count == 0 ? 0 : (long) (sumNs(counts) / count),
                    Buckets.percentileNs(counts, 0.5),
                    Buckets.percentileNs(counts, 0.99),
                    counts.isEmpty() ? 0 : Buckets.upperNs(counts.lastKey()));
        }
    }

    /**
     * The parts of a rank's call, on average over all ranks, in nanoseconds.
     *
     * @param waitNs from the call until the data comes: the root calls later, or delays its sending
     * @param repairNs from a request for lost fragments to their repair
     * @param transferNs the rest: sending, receiving, forwarding
     * @param rootDelayNs the longest delay of a root, which is a part of its receivers' waiting
     */
    public record Phases(long waitNs, long repairNs, long transferNs, long rootDelayNs) {}

    /** The times of these sums. */
    public static SiteTimes of(SiteSums sums) {
        long count = sums.count();
        SortedMap<Integer, Long> buckets = sums.buckets();
        long meanNs = count == 0 ? 0 : sums.sumNs() / count;
        Spread duration =
                new Spread(
                        count,
                        meanNs,
                        Math.min(sums.maxNs(), Buckets.percentileNs(buckets, 0.5)),
                        Math.min(sums.maxNs(), Buckets.percentileNs(buckets, 0.99)),
                        sums.maxNs());
        return new SiteTimes(
                duration, Spread.of(sums.early()), Spread.of(sums.late()), phases(sums, meanNs));
    }

    private static Phases phases(SiteSums sums, long meanNs) {
        long count = Math.max(1, sums.count());
        long waitNs = Math.min(meanNs, (long) (sumNs(sums.early()) / count));
        long repairNs =
                Math.min(meanNs - waitNs, Sum.of(sums.lostEarlyNs(), sums.lostLateNs()) / count);
        return new Phases(
                waitNs,
                repairNs,
                meanNs - waitNs - repairNs,
                TimeUnit.MICROSECONDS.toNanos(sums.rootDelayMicros()));
    }

    private static double sumNs(Map<Integer, Long> counts) {
        return counts.entrySet().stream()
                .mapToDouble(it -> (double) Buckets.upperNs(it.getKey()) * it.getValue())
                .sum();
    }
}
