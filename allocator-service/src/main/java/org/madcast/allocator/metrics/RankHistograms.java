package org.madcast.allocator.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.madcast.allocator.statistics.Buckets;
import org.springframework.stereotype.Component;

/**
 * Histograms of what ranks report as counts by {@link Buckets}. Micrometer's timers take one time
 * after the other, and ranks report many at once, so this adds them up itself: into buckets that
 * end at powers of two of nanoseconds, where those of the ranks end too. From any thread.
 */
@Component
final class RankHistograms implements MultiCollector {

    /** Ranks report any count; the sum of all buckets must not overflow. */
    private static final long MOST = 1L << 53;

    private static final int FIRST_POWER = 12;
    private static final int LAST_POWER = 36;
    private static final double[] UPPER_SECONDS = upperSeconds();

    private final Map<Metric, SortedMap<String, Histogram>> histograms =
            new EnumMap<>(Metric.class);

    RankHistograms(PrometheusRegistry registry) {
        registry.register(this);
    }

    private static final class Histogram {

        private final long[] counts = new long[UPPER_SECONDS.length];
        private double sumSeconds;
    }

    private static double[] upperSeconds() {
        double[] upper = new double[LAST_POWER - FIRST_POWER + 2];
        for (int i = 0; i < upper.length - 1; i++) {
            upper[i] = (double) (1L << (FIRST_POWER + i)) / TimeUnit.SECONDS.toNanos(1);
        }
        upper[upper.length - 1] = Double.POSITIVE_INFINITY;
        return upper;
    }

    /** Adds counts by bucket to the histogram of a metric with this value of its only label. */
    synchronized void add(Metric metric, String label, Map<Integer, Long> counts) {
        Histogram into =
                histograms
                        .computeIfAbsent(metric, it -> new TreeMap<>())
                        .computeIfAbsent(label, it -> new Histogram());
        counts.forEach((bucket, count) -> {
            long upperNs = Buckets.upperNs(bucket);
            int power = Long.SIZE - Long.numberOfLeadingZeros(upperNs);
            int index = Math.clamp(power - FIRST_POWER, 0, UPPER_SECONDS.length - 1);
            into.counts[index] = Math.min(MOST, into.counts[index] + Math.min(MOST, count));
            into.sumSeconds += (double) upperNs * count / TimeUnit.SECONDS.toNanos(1);
        });
    }

    @Override
    public synchronized MetricSnapshots collect() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        histograms.forEach((metric, byLabel) -> {
            HistogramSnapshot.Builder snapshot =
                    HistogramSnapshot.builder()
                            .name(metric.prometheusName())
                            .help(metric.description());
            byLabel.forEach((label, histogram) ->
                    snapshot.dataPoint(
                            HistogramDataPointSnapshot.builder()
                                    .labels(Labels.of(metric.labels().getFirst(), label))
                                    .classicHistogramBuckets(
                                            ClassicHistogramBuckets.of(
                                                    UPPER_SECONDS, histogram.counts.clone()))
                                    .sum(histogram.sumSeconds)
                                    .build()));
            all.metricSnapshot(snapshot.build());
        });
        return all.build();
    }
}
