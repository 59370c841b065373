package org.madcast.allocator.fleet;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.statistics.RankCount;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What the page of the nodes shows: their agents, and how the ranks on them fare. */
@Component
class NodesPage {

    private static final int MOST_NODES = 5_000;
    private static final int MOST_ROWS = 200;
    private static final int LONGEST_WORDS = 200;
    static final double LOSSY_PERCENT = 1;

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private static final String HOSTS =
            """
            select m.host, count(*) as ranks,
                least(coalesce(sum(r.totals[%d]), 0), 9e18) as useful,
                least(coalesce(sum(r.totals[%d]), 0), 9e18) as lost
            from communicator c join member m on m.communicator_id = c.id and m.left_at is null
                left join report r on r.communicator_id = c.id and r.rank = m.rank
            where c.ended_at is null group by m.host limit %d
            """
                    .formatted(
                            RankCount.FRAGMENTS_USEFUL.column(),
                            RankCount.FRAGMENTS_LOST.column(),
                            MOST_NODES);

    private final FleetService fleet;
    private final JdbcClient jdbc;
    private final SqlTime time;

    NodesPage(FleetService fleet, JdbcClient jdbc, SqlTime time) {
        this.fleet = fleet;
        this.jdbc = jdbc;
        this.time = time;
    }

    /** The whole page. */
    public record View(String words, Tiles tiles, List<Row> rows, int more) {}

    /** At a glance. */
    public record Tiles(int agents, int silent, int pushing, int hosts) {}

    /** A line of the table. */
    public record Row(
            String name,
            String state,
            String stateText,
            String address,
            String version,
            Pushes pushes,
            String ranks,
            String loss,
            boolean lossy) {}

    /** What an agent counted; dashes without one. */
    public record Pushes(String active, String complete, String trouble, String written) {}

    /** The ranks of a host that are alive. */
    private record Host(long ranks, long useful, long lost) {

        double lossPercent() {
            return useful == 0 ? 0 : 100.0 * lost / useful;
        }
    }

    View view(@Nullable String q) {
        String words = q == null ? "" : q.strip();
        String sought = words.substring(0, Math.min(LONGEST_WORDS, words.length()));
        Instant now = time.now();
        List<FleetService.Node> agents = fleet.nodes(MOST_NODES);
        Map<String, Host> hosts = hosts();
        Map<String, Row> rows = new TreeMap<>(Comparator.comparing(NodesPage::byNumber));
        hosts.forEach((name, host) -> rows.put(name, withoutAgent(name, host)));
        agents.forEach(it ->
                rows.put(it.heartbeat().name(), row(it, hosts.get(it.heartbeat().name()), now)));
        List<Row> found =
                rows.values().stream()
                        .filter(it -> matches(it, sought))
                        .sorted(Comparator.comparingInt(NodesPage::calm))
                        .toList();
        int silent = (int) agents.stream().filter(FleetService.Node::silent).count();
        int pushing = (int) agents.stream().filter(it -> it.heartbeat().active() > 0).count();
        return new View(
                sought,
                new Tiles(agents.size() - silent, silent, pushing, hosts.size()),
                found.stream().limit(MOST_ROWS).toList(),
                Math.max(0, found.size() - MOST_ROWS));
    }

    /** A node by its name; nothing when it has neither an agent nor ranks. */
    Optional<Row> row(String name) {
        Host host = hosts().get(name);
        return agent(name)
                .map(it -> row(it, host, time.now()))
                .or(() -> Optional.ofNullable(host).map(it -> withoutAgent(name, it)));
    }

    /** A node that had ranks once. */
    static Row past(String name) {
        return withoutAgent(name, new Host(0, 0, 0));
    }

    /** When the agent of a node sent its last heartbeat. */
    Optional<Instant> heard(String name) {
        return agent(name).map(FleetService.Node::seenAt);
    }

    private Optional<FleetService.Node> agent(String name) {
        return fleet.nodes(MOST_NODES).stream()
                .filter(it -> it.heartbeat().name().equals(name))
                .findFirst();
    }

    /** So that h2 is before h10. */
    private static String byNumber(String name) {
        return DIGITS.matcher(name)
                        .replaceAll(it ->
                                "0".repeat(Math.max(0, 12 - it.group().length())) + it.group())
                + ' '
                + name;
    }

    /** What needs attention comes first. */
    private static int calm(Row row) {
        return row.state().equals("overdue") ? 0 : row.lossy() ? 1 : 2;
    }

    private static boolean matches(Row row, String sought) {
        String text = (row.name() + " " + row.address()).toLowerCase(Locale.ROOT);
        return text.contains(sought.toLowerCase(Locale.ROOT));
    }

    private Map<String, Host> hosts() {
        Map<String, Host> hosts = new HashMap<>();
        jdbc.sql(HOSTS)
                .query(row -> {
                    hosts.put(
                            row.getString("host"),
                            new Host(
                                    row.getLong("ranks"),
                                    row.getLong("useful"),
                                    row.getLong("lost")));
                });
        return hosts;
    }

    private static Row withoutAgent(String name, Host host) {
        return new Row(
                name,
                "none",
                "no agent",
                "–",
                "–",
                new Pushes("–", "–", "–", "–"),
                Show.count(host.ranks()),
                host.useful() == 0 ? "–" : Show.percent(host.lossPercent()),
                host.lossPercent() >= LOSSY_PERCENT);
    }

    private static Row row(FleetService.Node node, @Nullable Host host, Instant now) {
        Heartbeat said = node.heartbeat();
        String address = said.address();
        String version = said.version();
        Row ranks = withoutAgent(said.name(), host == null ? new Host(0, 0, 0) : host);
        return new Row(
                said.name(),
                node.silent() ? "overdue" : "alive",
                node.silent() ? "silent, last heard " + Show.ago(node.seenAt(), now) : "alive",
                address == null ? "–" : address,
                version == null ? "–" : version,
                new Pushes(
                        Show.count(said.active()),
                        Show.count(said.complete()),
                        Show.count(said.partly() + said.broken()),
                        Show.bytes(said.bytes())),
                ranks.ranks(),
                ranks.loss(),
                ranks.lossy());
    }
}
