package org.madcast.allocator.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.madcast.allocator.lease.LeaseEvent;
import org.madcast.allocator.madcap.MadcapEvent;
import org.madcast.allocator.statistics.ReportEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Turns the features' events into metrics. From any thread. */
@Component
class EventMetrics {

    private final MeterRegistry registry;
    private final Map<Tags, AtomicLong> groups = new ConcurrentHashMap<>();

    EventMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @EventListener
    void on(LeaseEvent event) {
        Tags scope = Tags.of("scope", event.scope());
        switch (event) {
            case LeaseEvent.Granted granted -> count(Metric.GRANTS, scope);
            case LeaseEvent.Refused refused ->
                    count(Metric.REFUSALS, scope.and("reason", refused.reason()));
            case LeaseEvent.Renewed renewed -> count(Metric.RENEWALS, scope);
            case LeaseEvent.Released released -> count(Metric.RELEASES, scope);
            case LeaseEvent.Counted counted -> {
                long used = counted.leased() + counted.quarantined();
                groups(scope, "leased").set(counted.leased());
                groups(scope, "quarantined").set(counted.quarantined());
                groups(scope, "free").set(counted.capacity() - used);
            }
        }
    }

    @EventListener
    void on(ReportEvent event) {
        count(Metric.REPORTS, Tags.of("repeated", String.valueOf(event.repeated())));
    }

    @EventListener
    void on(MadcapEvent event) {
        count(Metric.MADCAP, Tags.of("fate", event.fate().tag()));
    }

    private void count(Metric metric, Tags tags) {
        Counter.builder(metric.id())
                .description(metric.description())
                .tags(tags)
                .register(registry)
                .increment();
    }

    private AtomicLong groups(Tags scope, String state) {
        return groups.computeIfAbsent(
                scope.and("state", state),
                tags -> {
                    AtomicLong value = new AtomicLong();
                    Gauge.builder(Metric.GROUPS.id(), value, AtomicLong::get)
                            .description(Metric.GROUPS.description())
                            .tags(tags)
                            .register(registry);
                    return value;
                });
    }
}
