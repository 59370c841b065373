package org.madcast.allocator.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.madcast.allocator.alert.Alert;
import org.madcast.allocator.alert.AlertEvent;
import org.madcast.allocator.lease.LeaseEvent;
import org.madcast.allocator.madcap.MadcapEvent;
import org.madcast.allocator.statistics.IntervalSums;
import org.madcast.allocator.statistics.RankCount;
import org.madcast.allocator.statistics.ReportEvent;
import org.madcast.allocator.statistics.SiteSums;
import org.madcast.allocator.statistics.SiteTimes;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/** Turns the features' events into metrics. From any thread. */
@Component
class EventMetrics {

    private final MeterRegistry registry;
    private final RankHistograms histograms;
    private final Map<Gauged, AtomicLong> gauges = new ConcurrentHashMap<>();

    private record Gauged(Metric metric, Tags tags) {}

    EventMetrics(MeterRegistry registry, RankHistograms histograms) {
        this.registry = registry;
        this.histograms = histograms;
    }

    /** Once committed: what a transaction did that is undone, or run again, did not happen. */
    @TransactionalEventListener(fallbackExecution = true)
    void on(LeaseEvent event) {
        Tags scope = Tags.of("scope", event.scope());
        switch (event) {
            case LeaseEvent.Granted granted -> count(Metric.GRANTS, scope);
            case LeaseEvent.Refused refused ->
                    count(Metric.REFUSALS, scope.and("reason", refused.reason()));
            case LeaseEvent.Renewed renewed -> count(Metric.RENEWALS, scope);
            case LeaseEvent.Released released -> count(Metric.RELEASES, scope);
            case LeaseEvent.Counted counted -> {
                long used = counted.leased() + counted.quarantined() + counted.reserved();
                groups(scope, "leased").set(counted.leased());
                groups(scope, "quarantined").set(counted.quarantined());
                groups(scope, "reserved").set(counted.reserved());
                groups(scope, "free").set(Math.max(0, counted.capacity() - used));
            }
        }
    }

    @EventListener
    void on(ReportEvent event) {
        switch (event) {
            case ReportEvent.Taken taken ->
                    counter(Metric.REPORTS, Tags.of("repeated", String.valueOf(taken.repeated())))
                            .increment((double) taken.many());
            case ReportEvent.Refused refused -> count(Metric.REPORTS_REFUSED, Tags.empty());
            case ReportEvent.Rolled rolled -> rolled.sums().forEach(this::add);
        }
    }

    @EventListener
    void on(AlertEvent event) {
        for (Alert.Kind kind : Alert.Kind.values()) {
            long many = event.alerts().stream().filter(it -> it.kind() == kind).count();
            gauge(Metric.ALERTS, Tags.of("kind", kind.label())).set(many);
        }
    }

    @EventListener
    void on(MadcapEvent event) {
        count(Metric.MADCAP, Tags.of("fate", event.fate().tag()));
    }

    /** What all ranks did. Each report is in the counters of one replica: add them up. */
    private void add(IntervalSums sums) {
        for (Metric metric : Metric.values()) {
            RankCount count = metric.rankCount();
            if (count != null) {
                counter(metric, Tags.empty()).increment((double) sums.of(count));
            }
        }
        sums.sites()
                .forEach((key, site) -> {
                    Tags algorithm = Tags.of("algorithm", known(key.algorithm()));
                    counter(Metric.DURATION, algorithm).increment(site.sumNs() / 1e9);
                    counter(Metric.TIMED, algorithm).increment((double) site.count());
                    histograms.add(Metric.BROADCAST_TIME, known(key.algorithm()), site.buckets());
                    histograms.add(Metric.SKEW, "early", site.early());
                    histograms.add(Metric.SKEW, "late", site.late());
                    addPhases(site);
                });
    }

    private void addPhases(SiteSums site) {
        SiteTimes.Phases phases = SiteTimes.of(site).phases();
        double perNs = site.count() / 1e9;
        Map.of(
                        "wait", phases.waitNs(),
                        "repair", phases.repairNs(),
                        "transfer", phases.transferNs())
                .forEach((phase, ns) ->
                        counter(Metric.PHASE, Tags.of("phase", phase)).increment(ns * perNs));
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

    private Counter counter(Metric metric, Tags tags) {
        return Counter.builder(metric.id())
                .description(metric.description())
                .tags(tags)
                .register(registry);
    }

    private void count(Metric metric, Tags tags) {
        counter(metric, tags).increment();
    }

    private AtomicLong groups(Tags scope, String state) {
        return gauge(Metric.GROUPS, scope.and("state", state));
    }

    private AtomicLong gauge(Metric metric, Tags tags) {
        return gauges.computeIfAbsent(
                new Gauged(metric, tags),
                it -> {
                    AtomicLong value = new AtomicLong();
                    Gauge.builder(metric.id(), value, AtomicLong::get)
                            .description(metric.description())
                            .tags(tags)
                            .register(registry);
                    return value;
                });
    }
}
