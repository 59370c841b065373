package org.madcast.allocator.metrics;

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
import org.madcast.allocator.statistics.ReportEvent;
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
                    RankTotals.counter(
                                    registry,
                                    Metric.REPORTS,
                                    Tags.of("repeated", String.valueOf(taken.repeated())))
                            .increment((double) taken.many());
            case ReportEvent.Refused refused -> count(Metric.REPORTS_REFUSED, Tags.empty());
            case ReportEvent.Rolled rolled ->
                    rolled.sums().forEach(it -> RankTotals.add(registry, histograms, it));
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

    private void count(Metric metric, Tags tags) {
        RankTotals.counter(registry, metric, tags).increment();
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
