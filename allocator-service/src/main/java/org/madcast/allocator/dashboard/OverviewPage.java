package org.madcast.allocator.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.communicator.Communicator;
import org.madcast.allocator.communicator.CommunicatorService;
import org.madcast.allocator.fleet.PushesPage;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.LeaseQueries;
import org.madcast.allocator.lease.LeaseState;
import org.madcast.allocator.lease.LeasesPage;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.scope.Pools;
import org.madcast.allocator.statistics.CommunicatorPage;
import org.madcast.allocator.statistics.StatisticsService;
import org.madcast.allocator.store.ComputedOnce;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the first page shows. */
@Component
class OverviewPage {

    private static final int ROWS = 50;
    private static final int LEASE_ROWS = 10;
    private static final double LOSSY_PERCENT = 1;

    private final Pools pools;
    private final LeaseQueries leases;
    private final CommunicatorService communicators;
    private final StatisticsService statistics;
    private final PushesPage pushes;
    private final SqlTime time;
    private final JdbcClient jdbc;
    private final ComputedOnce<View> shared = new ComputedOnce<>(this::compute);

    OverviewPage(
            Pools pools,
            LeaseQueries leases,
            CommunicatorService communicators,
            StatisticsService statistics,
            PushesPage pushes,
            SqlTime time,
            JdbcClient jdbc) {
        this.pushes = pushes;
        this.statistics = statistics;
        this.jdbc = jdbc;
        this.pools = pools;
        this.leases = leases;
        this.communicators = communicators;
        this.time = time;
    }

    /** The whole page. */
    public record View(
            String leaseCount,
            String leasedGroups,
            String restingGroups,
            String livingCommunicators,
            List<Pools.Pool> pools,
            List<CommunicatorRow> communicators,
            List<LeaseRow> leases) {}

    /**
     * A line of the communicators' table.
     *
     * @param push the push whose job it is, null if it is none
     */
    public record CommunicatorRow(
            UUID id,
            String job,
            @Nullable UUID push,
            String name,
            int size,
            String state,
            String stateText,
            String group,
            Glance glance,
            String since) {}

    /** How a communicator fares; dashes before the first report. */
    public record Glance(String broadcasts, String loss, String worst, boolean lossy) {

        static final Glance NONE = new Glance("–", "–", "", false);
    }

    /** A line of the leases' table. */
    public record LeaseRow(
            String id,
            String job,
            String communicator,
            String user,
            String scope,
            String groups,
            String granted,
            String expires) {}

    /** What it shows to who opens it: all that happened before. Computed for all at a time. */
    View view() {
        return shared.fresh();
    }

    /** What it shows to who has it open: computed once for all who ask within this time. */
    View refreshed(Duration within) {
        return shared.within(within);
    }

    private View compute() {
        Instant now = time.now();
        Pools.All filled = pools.all();
        LeaseQueries.Found active =
                leases.list(new LeaseQueries.Filter(null, null, LeaseState.ACTIVE), 0, LEASE_ROWS);
        List<Communicator> recent = communicators.recent(ROWS);
        Map<UUID, String> groups = groups(recent);
        Map<UUID, StatisticsService.Glance> glances =
                statistics.glances(recent.stream().map(Communicator::id).toList());
        Map<String, UUID> ofJobs = pushes.ofJobs(recent.stream().map(Communicator::job).toList());
        List<CommunicatorRow> rows =
                recent.stream()
                        .map(it ->
                                row(
                                        it,
                                        ofJobs.get(it.job()),
                                        groups.get(it.id()),
                                        glances.get(it.id()),
                                        now))
                        .toList();
        return new View(
                Show.count(active.total()),
                Show.count(filled.leased()),
                Show.count(filled.resting()),
                Show.count(living()),
                filled.pools(),
                rows,
                active.items().stream().map(it -> row(it, now)).toList());
    }

    private long living() {
        return jdbc.sql("select count(*) from communicator where ended_at is null")
                .query(Long.class)
                .single();
    }

    private Map<UUID, String> groups(List<Communicator> recent) {
        Map<UUID, String> groups = new HashMap<>();
        jdbc.sql(
                        """
                        select c.id, %s as groups
                        from communicator c join lease_group g on g.lease_id = c.lease_id
                        where c.id = any(:ids) group by c.id
                        """
                                .formatted(LeasesPage.GROUPS))
                .param("ids", recent.stream().map(Communicator::id).toArray(UUID[]::new))
                .query(row -> {
                    groups.put(row.getObject("id", UUID.class), row.getString("groups"));
                });
        return groups;
    }

    private static CommunicatorRow row(
            Communicator communicator,
            @Nullable UUID push,
            @Nullable String groups,
            StatisticsService.@Nullable Glance glance,
            Instant now) {
        return new CommunicatorRow(
                communicator.id(),
                communicator.job(),
                push,
                communicator.name(),
                communicator.size(),
                CommunicatorPage.state(communicator),
                CommunicatorPage.stateText(communicator, now),
                groups == null ? "–" : groups,
                glance == null ? Glance.NONE : glance(glance),
                Show.ago(communicator.createdAt(), now));
    }

    static Glance glance(StatisticsService.Glance glance) {
        boolean lossy = glance.worstLossPercent() >= LOSSY_PERCENT;
        return new Glance(
                Show.count(glance.broadcasts()),
                Show.percent(glance.lossPercent()),
                lossy
                        ? "rank %d: %s"
                                .formatted(
                                        glance.worstRank(), Show.percent(glance.worstLossPercent()))
                        : "",
                lossy);
    }

    private static LeaseRow row(Lease lease, Instant now) {
        String user = lease.user();
        String communicator = lease.communicator();
        return new LeaseRow(
                lease.id().toString(),
                lease.job(),
                communicator == null ? "–" : communicator,
                user == null ? "–" : user,
                lease.scope(),
                groups(lease),
                Show.ago(lease.grantedAt(), now),
                Show.in(lease.expiresAt(), now));
    }

    private static String groups(Lease lease) {
        return lease.groups().stream().map(LeasedGroup::toString).collect(Collectors.joining(", "));
    }
}
