package org.madcast.allocator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.statistics.Buckets;

class RankHistogramsTest {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final RankHistograms histograms = new RankHistograms(registry);

    @Test
    void aTimeIsCountedBelowThePowerOfTwoThatFollows() {
        int bucket = Buckets.of(1_000_000);
        histograms.add(Metric.SKEW, "early", Map.of(bucket, 3L));
        HistogramDataPointSnapshot point = only();
        assertThat(point.getLabels().get("side")).isEqualTo("early");
        assertThat(point.getCount()).isEqualTo(3);
        assertThat(point.getSum()).isEqualTo(3 * Buckets.upperNs(bucket) / 1e9);
        point.getClassicBuckets().stream()
                .filter(it -> it.getCount() > 0)
                .forEach(it -> assertThat(it.getUpperBound()).isEqualTo((double) (1 << 20) / 1e9));
    }

    @Test
    void countsThatNoRankCanReachDoNotOverflow() {
        for (int i = 0; i < 3; i++) {
            histograms.add(
                    Metric.SKEW,
                    "late",
                    Map.of(0, Long.MAX_VALUE, 80, Long.MAX_VALUE, 200, Long.MAX_VALUE));
        }
        assertThat(only().getCount()).isPositive();
        assertThat(only().getSum()).isPositive();
    }

    private HistogramDataPointSnapshot only() {
        return ((HistogramSnapshot) registry.scrape().get(0)).getDataPoints().getFirst();
    }
}
