package org.madcast.allocator.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import org.madcast.allocator.statistics.IntervalSums;
import org.madcast.allocator.statistics.RankCount;
import org.madcast.allocator.statistics.SiteSums;
import org.madcast.allocator.statistics.SiteTimes;

/** What all ranks did, as counters. Each report is in the counters of one replica: add them up. */
final class RankTotals {

    private static final Map<RankCount, Metric> COUNTED =
            Map.ofEntries(
                    Map.entry(RankCount.BROADCASTS, Metric.BROADCASTS),
                    Map.entry(RankCount.MESSAGE_BYTES, Metric.MESSAGE_BYTES),
                    Map.entry(RankCount.DATAGRAMS_SENT, Metric.DATAGRAMS_SENT),
                    Map.entry(RankCount.DATAGRAMS_RECEIVED, Metric.DATAGRAMS_RECEIVED),
                    Map.entry(RankCount.FRAGMENTS_USEFUL, Metric.FRAGMENTS_USEFUL),
                    Map.entry(RankCount.FRAGMENTS_LOST, Metric.FRAGMENTS_LOST),
                    Map.entry(RankCount.REPAIRS_SENT, Metric.REPAIRS_SENT),
                    Map.entry(RankCount.FOREIGN, Metric.FOREIGN),
                    Map.entry(RankCount.REJECTED, Metric.REJECTED),
                    Map.entry(RankCount.REPORTS_DROPPED, Metric.REPORTS_DROPPED));

    private RankTotals() {}

    static void add(MeterRegistry registry, RankHistograms histograms, IntervalSums sums) {
        COUNTED.forEach((count, metric) -> {
            counter(registry, metric, Tags.empty()).increment((double) sums.of(count));
        });
        sums.sites()
                .forEach((key, site) -> {
                    Tags algorithm = Tags.of("algorithm", known(key.algorithm()));
                    counter(registry, Metric.DURATION, algorithm).increment(site.sumNs() / 1e9);
                    counter(registry, Metric.TIMED, algorithm).increment((double) site.count());
                    histograms.add(
                            Metric.BROADCAST_TIME, known(key.algorithm()), site.buckets());
                    histograms.add(Metric.SKEW, "early", site.early());
                    histograms.add(Metric.SKEW, "late", site.late());
                    addPhases(registry, site);
                });
    }

    private static void addPhases(MeterRegistry registry, SiteSums site) {
        SiteTimes.Phases phases = SiteTimes.of(site).phases();
        double perNs = site.count() / 1e9;
        Map.of(
                        "wait", phases.waitNs(),
                        "repair", phases.repairNs(),
                        "transfer", phases.transferNs())
                .forEach((phase, ns) ->
                        counter(registry, Metric.PHASE, Tags.of("phase", phase))
                                .increment(ns * perNs));
    }

    /** A rank may report any name; a label has few values. */
    private static String known(String algorithm) {
        return switch (algorithm) {
            case "once",
                    "ipmc",
                    "chain",
                    "linear",
                    "binary",
                    "binomial",
                    "split_binary",
                    "scatter_allgather" ->
                    algorithm;
            default -> "other";
        };
    }

    static Counter counter(MeterRegistry registry, Metric metric, Tags tags) {
        return Counter.builder(metric.id())
                .description(metric.description())
                .tags(tags)
                .register(registry);
    }
}
