package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.madcast.allocator.lease.LeaseQueries.Filling;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.SqlTime;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tidies up behind leases. Nothing waits for it: groups become free by the time alone. Replicas
 * share the work, each passing over the rows that another has claimed.
 */
@Component
class LeaseSweeper {

    private static final int BATCH = 2000;

    private final JdbcClient jdbc;
    private final ScopeCatalog scopes;
    private final LeaseQueries queries;
    private final SqlTime time;
    private final ApplicationEventPublisher events;
    private final long retentionSeconds;

    LeaseSweeper(
            JdbcClient jdbc,
            ScopeCatalog scopes,
            LeaseQueries queries,
            SqlTime time,
            ApplicationEventPublisher events,
            @Value("${madcast.lease.retention:7d}") Duration retention) {
        this.jdbc = jdbc;
        this.scopes = scopes;
        this.queries = queries;
        this.time = time;
        this.events = events;
        this.retentionSeconds = retention.toSeconds();
    }

    /**
     * Takes groups whose quarantine is over out of the indexes, and old leases out of the table.
     */
    @Scheduled(fixedDelayString = "${madcast.lease.sweep-interval:5s}")
    void sweep() {
        int settled;
        do {
            settled = settle();
        } while (settled == BATCH);
        int forgotten;
        do {
            forgotten = forget();
        } while (forgotten == BATCH);
        do {
            forgotten = forgetReleased();
        } while (forgotten == BATCH);
    }

    private int settle() {
        return jdbc.sql(
                        """
                        update lease_group set settled = true
                        where (lease_id, ordinal) in (
                            select lease_id, ordinal from lease_group
                            where not settled and upper(blocked) < now() - interval '10 seconds'
                            limit :batch for update skip locked)
                        """)
                .param("batch", BATCH)
                .update();
    }

    private int forget() {
        return jdbc.sql(
                        """
                        delete from lease where id in (
                            select id from lease
                            where expires_at < now() - make_interval(secs => :seconds)
                            limit :batch for update skip locked)
                        """)
                .param("seconds", (double) retentionSeconds)
                .param("batch", BATCH)
                .update();
    }

    /**
     * Those that were released long before they would have expired. Such a one was granted even
     * earlier, which its number tells: no index has to know when leases were released, and to be
     * written at each release.
     */
    private int forgetReleased() {
        Instant old = time.now().minusSeconds(retentionSeconds);
        return jdbc.sql(
                        """
                        delete from lease where id in (
                            select id from lease
                            where id < :number and released_at < :old
                                and coalesce((select bool_and(g.settled) from lease_group g
                                    where g.lease_id = lease.id), true)
                            limit :batch for update skip locked)
                        """)
                .param("number", LeaseNumbers.before(old))
                .param("old", SqlTime.of(old))
                .param("batch", BATCH)
                .update();
    }

    /** Counts what the metrics show: reads every group in use, so not too often. */
    @Scheduled(fixedDelayString = "${madcast.lease.count-interval:15s}")
    void count() {
        Map<String, Filling> fillings =
                queries.filling().stream()
                        .collect(Collectors.toMap(Filling::scope, Function.identity()));
        for (Scope scope : scopes.all()) {
            Filling filling = fillings.getOrDefault(scope.name(), Filling.none(scope.name()));
            events.publishEvent(
                    new LeaseEvent.Counted(
                            scope.name(),
                            filling.leased(),
                            filling.quarantined(),
                            filling.reserved(),
                            scope.capacity()));
        }
    }
}
