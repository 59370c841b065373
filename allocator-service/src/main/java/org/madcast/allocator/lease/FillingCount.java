package org.madcast.allocator.lease;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.madcast.allocator.scope.Filling;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Counts how full the scopes are, for the metrics and the alerts. That reads every group in use,
 * four tenths of a second for 100,000, which grants and releases then lack: so it rests a hundred
 * times as long as it took, if that is longer than its interval, but never longer than a minute.
 * {@link #of} from any thread.
 */
@Component
public class FillingCount {

    private static final int REST = 100;
    private static final long LONGEST_REST_NS = Duration.ofMinutes(1).toNanos();

    private final ScopeCatalog scopes;
    private final SharedCount shared;
    private final ApplicationEventPublisher events;
    private volatile Map<String, Filling> last = Map.of();

    /** The scheduler's. */
    private long dueNs = System.nanoTime();

    FillingCount(ScopeCatalog scopes, SharedCount shared, ApplicationEventPublisher events) {
        this.scopes = scopes;
        this.shared = shared;
        this.events = events;
    }

    /** What was counted last. */
    public Filling of(Scope scope) {
        return last.getOrDefault(scope.name(), Filling.none(scope.name()));
    }

    /** Counts, unless it has not rested yet. */
    @Scheduled(fixedDelayString = "${madcast.lease.count-interval:15s}")
    void count() {
        long startedNs = System.nanoTime();
        if (startedNs - dueNs < 0) {
            return;
        }
        last =
                shared.fresh().stream()
                        .collect(Collectors.toMap(Filling::scope, Function.identity()));
        long endedNs = System.nanoTime();
        dueNs = endedNs + restNs(endedNs - startedNs);
        for (Scope scope : scopes.all()) {
            Filling filling = of(scope);
            events.publishEvent(
                    new LeaseEvent.Counted(
                            scope.name(),
                            filling.leased(),
                            filling.quarantined(),
                            filling.reserved(),
                            scope.capacity()));
        }
    }

    /** How long to rest after a count, by how long it took. */
    static long restNs(long tookNs) {
        return Math.min(REST * tookNs, LONGEST_REST_NS);
    }
}
