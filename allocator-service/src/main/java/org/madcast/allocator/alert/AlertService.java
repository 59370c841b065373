package org.madcast.allocator.alert;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.madcast.allocator.alert.Alert.Kind;
import org.madcast.allocator.fleet.FleetService;
import org.madcast.allocator.lease.FillingCount;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.statistics.StatisticsService;
import org.madcast.allocator.store.SqlTime;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/** Looks for alerts every few seconds. {@link #current} from any thread. */
@Service
public class AlertService {

    private static final double FULL_PERCENT = 80;
    private static final Duration LATELY = Duration.ofMinutes(2);
    private static final int MOST_NODES = 5_000;
    private static final int PROBES = 5;

    private final ScopeCatalog scopes;
    private final FillingCount fillings;
    private final StatisticsService statistics;
    private final FleetService fleet;
    private final SqlTime time;
    private final JdbcClient jdbc;
    private final ApplicationEventPublisher events;
    private volatile List<Alert> current = List.of();

    AlertService(
            ScopeCatalog scopes,
            FillingCount fillings,
            StatisticsService statistics,
            FleetService fleet,
            SqlTime time,
            JdbcClient jdbc,
            ApplicationEventPublisher events) {
        this.scopes = scopes;
        this.fillings = fillings;
        this.statistics = statistics;
        this.fleet = fleet;
        this.time = time;
        this.jdbc = jdbc;
        this.events = events;
    }

    /** All that was found last, the worst first: may be many. */
    public List<Alert> current() {
        return current;
    }

    /** Those that this communicator shows. */
    public List<Alert> of(UUID communicator) {
        return current.stream().filter(it -> communicator.equals(it.communicator())).toList();
    }

    /** Those about this node. */
    public List<Alert> about(String node) {
        return current.stream().filter(it -> it.subject().equals(node)).toList();
    }

    /** Looks again. */
    @Scheduled(fixedDelayString = "${madcast.alert.interval:10s}")
    void look() {
        List<Alert> found = new ArrayList<>();
        addFullPools(found);
        addEndingLeases(found);
        addRanks(found);
        found.addAll(FleetAlerts.silent(fleet.nodes(MOST_NODES)));
        found.addAll(FleetAlerts.probed(fleet.probes(PROBES), time.now()));
        current =
                found.stream()
                        .sorted(Comparator.comparing(Alert::kind).thenComparing(Alert::subject))
                        .toList();
        events.publishEvent(new AlertEvent(current));
    }

    private void addFullPools(List<Alert> found) {
        scopes.all()
                .forEach(scope -> {
                    // a scope that was made smaller keeps its leases until they end
                    long taken = Math.min(scope.capacity(), fillings.of(scope).inUse());
                    double percent = 100.0 * taken / scope.capacity();
                    if (percent > FULL_PERCENT) {
                        found.add(
                                new Alert(
                                        Kind.POOL_FULL,
                                        scope.name(),
                                        String.format(
                                                Locale.ROOT,
                                                "%d of %d groups are in use, %.0f %%",
                                                taken,
                                                scope.capacity(),
                                                percent),
                                        "Give the scope another range, or shorter leases"
                                                + " and quarantine.",
                                        null));
                    }
                });
    }

    /** Leases that their ranks, though alive, did not renew in time. */
    private void addEndingLeases(List<Alert> found) {
        jdbc.sql(
                        """
                        select c.id, c.job, c.name,
                            extract(epoch from l.expires_at - now())::bigint as left_seconds
                        from communicator c join lease l on l.id = c.lease_id
                        where c.ended_at is null and c.completed_at is not null
                            and l.released_at is null
                            and l.expires_at < now() + make_interval(
                                secs => least(c.lease_seconds / 5.0, 600))
                        order by l.expires_at
                        """)
                .query((row, index) ->
                        new Alert(
                                Kind.LEASE_ENDING,
                                row.getString("job") + " / " + row.getString("name"),
                                "its lease ends in "
                                        + Math.max(0, row.getLong("left_seconds"))
                                        + " s and no rank renewed it",
                                "Its ranks cannot reach the service, or hang.",
                                row.getObject("id", UUID.class)))
                .list()
                .forEach(found::add);
    }

    private void addRanks(List<Alert> found) {
        statistics.eachLately(
                LATELY,
                (id, sums) -> {
                    List<Alert> maybe = RankAlerts.of(id, RankAlerts.Who.UNKNOWN, sums);
                    if (!maybe.isEmpty()) {
                        RankAlerts.Who who =
                                new RankAlerts.Who(
                                        name(id), hosts(id), statistics.foreignSenders(id));
                        found.addAll(RankAlerts.of(id, who, sums));
                    }
                });
    }

    private String name(UUID communicator) {
        return jdbc.sql("select job || ' / ' || name from communicator where id = ?")
                .param(communicator)
                .query(String.class)
                .optional()
                .orElse("a forgotten communicator");
    }

    private Map<Integer, String> hosts(UUID communicator) {
        Map<Integer, String> hosts = new HashMap<>();
        jdbc.sql("select rank, host from member where communicator_id = ?")
                .param(communicator)
                .query(row -> {
                    hosts.put(row.getInt(1), row.getString(2));
                });
        return hosts;
    }
}
