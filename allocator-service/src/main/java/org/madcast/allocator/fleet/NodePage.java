package org.madcast.allocator.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.statistics.RankCount;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the page of a node shows: its agent, its pushes and probes, and the ranks on it. */
@Component
class NodePage {

    private static final int MOST_ROWS = 50;
    private static final int SEARCHED = 500;

    private static final String RANKS =
            """
            select c.id, c.job, c.name, m.rank, m.joined_at, c.ended_at is null
                    and m.left_at is null as living,
                least(coalesce(r.totals[%d], 0), 9e18) as useful,
                least(coalesce(r.totals[%d], 0), 9e18) as lost
            from member m join communicator c on c.id = m.communicator_id
                left join report r on r.communicator_id = c.id and r.rank = m.rank
            where m.host = :name order by living desc, m.joined_at desc limit :limit
            """
                    .formatted(
                            RankCount.FRAGMENTS_USEFUL.column(), RankCount.FRAGMENTS_LOST.column());

    private final FleetService fleet;
    private final NodesPage nodes;
    private final ProbePage probes;
    private final JdbcClient jdbc;
    private final SqlTime time;

    NodePage(FleetService fleet, NodesPage nodes, ProbePage probes, JdbcClient jdbc, SqlTime time) {
        this.fleet = fleet;
        this.nodes = nodes;
        this.probes = probes;
        this.jdbc = jdbc;
        this.time = time;
    }

    /**
     * The whole page.
     *
     * @param heard when its agent sent its last heartbeat
     */
    public record View(
            NodesPage.Row row,
            String heard,
            List<Rank> ranks,
            List<Push> pushes,
            List<ProbePage.Row> probes) {}

    /** A rank on it. */
    public record Rank(
            UUID communicator,
            String job,
            String name,
            int rank,
            boolean living,
            String joined,
            String loss,
            boolean lossy) {}

    /** A push in which it takes part, or did. */
    public record Push(UUID id, String when, String what, String role, PushesPage.State state) {}

    /** The page; nothing when neither an agent nor a rank of this node is known. */
    Optional<View> view(String name) {
        Instant now = time.now();
        List<Rank> ranks = ranks(name, now);
        Optional<NodesPage.Row> row = nodes.row(name);
        if (row.isEmpty() && ranks.isEmpty()) {
            return Optional.empty();
        }
        NodesPage.Row known = row.orElseGet(() -> NodesPage.past(name));
        List<Push> taken =
                fleet.pushes(SEARCHED).stream()
                        .flatMap(it -> push(it, name, known.address(), now).stream())
                        .limit(MOST_ROWS)
                        .toList();
        return Optional.of(
                new View(
                        known,
                        nodes.heard(name).map(it -> Show.ago(it, now)).orElse("never"),
                        ranks,
                        taken,
                        probes.ofNode(name, SEARCHED).stream().limit(MOST_ROWS).toList()));
    }

    private List<Rank> ranks(String name, Instant now) {
        return jdbc.sql(RANKS)
                .param("name", name)
                .param("limit", MOST_ROWS)
                .query((row, _) -> {
                    double useful = row.getDouble("useful");
                    double percent = useful == 0 ? 0 : 100 * row.getDouble("lost") / useful;
                    return new Rank(
                            row.getObject("id", UUID.class),
                            row.getString("job"),
                            row.getString("name"),
                            row.getInt("rank"),
                            row.getBoolean("living"),
                            Show.ago(SqlTime.get(row, "joined_at"), now),
                            useful == 0 ? "–" : Show.percent(percent),
                            percent >= NodesPage.LOSSY_PERCENT);
                })
                .list();
    }

    private Optional<Push> push(
            FleetService.Push push, String name, @Nullable String address, Instant now) {
        PushUpdate update = push.update();
        PushesPage.Row row = PushesPage.row(push, now);
        if (update.sender().equals(name)) {
            return Optional.of(new Push(row.id(), row.when(), row.what(), "sends", row.state()));
        }
        return update.nodes().stream()
                .filter(it ->
                        it.node().equals(name)
                                || it.node().startsWith(name + ":")
                                || it.node().equals(address))
                .findFirst()
                .map(it ->
                        new Push(
                                row.id(),
                                row.when(),
                                row.what(),
                                "receives",
                                PushesPage.state(it)));
    }
}
