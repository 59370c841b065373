package org.madcast.allocator.dashboard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.madcast.allocator.fleet.FleetService;
import org.madcast.allocator.fleet.ProbeNews;
import org.madcast.allocator.store.SqlTime;
import org.springframework.stereotype.Component;

/** What the pages show of probes. */
@Component
class ProbePage {

    private static final int MOST_ROWS = 20;

    /** Beyond so many nodes nobody reads a matrix. */
    private static final int LARGEST_MATRIX = 40;

    private final FleetService fleet;
    private final SqlTime time;

    ProbePage(FleetService fleet, SqlTime time) {
        this.fleet = fleet;
        this.time = time;
    }

    /** A line of the table of probes. */
    public record Row(
            UUID id,
            String when,
            String by,
            int nodes,
            boolean fine,
            String verdict,
            String group) {}

    /** The whole page of a probe. */
    public record View(
            UUID id,
            String when,
            boolean fine,
            Facts facts,
            List<ProbeNews.Finding> findings,
            List<Point> points,
            List<MatrixRow> matrix) {}

    /** At a glance. */
    public record Facts(String group, int ttl, String took, String queriers) {}

    /** A line of the table of nodes. */
    public record Point(
            String node,
            String interfaceName,
            String hears,
            boolean deaf,
            String largest,
            String takes,
            String lost,
            boolean lossy) {}

    /** What a node hears, in the order of the nodes. */
    public record MatrixRow(String node, List<Cell> cells) {}

    /**
     * Whether a node hears another.
     *
     * @param mark for the eye: a tick, a cross, or a dot for itself
     * @param text for those who cannot see it
     */
    public record Cell(String mark, String kind, String text) {}

    List<Row> latest() {
        Instant now = time.now();
        return fleet.probes(MOST_ROWS).stream().map(it -> row(it, now)).toList();
    }

    private static Row row(FleetService.Probe probe, Instant now) {
        ProbeNews news = probe.news();
        return new Row(
                news.id(),
                Show.ago(probe.at(), now),
                news.nodes().getFirst().node(),
                news.nodes().size(),
                news.findings().isEmpty(),
                verdict(news),
                news.group());
    }

    private static String verdict(ProbeNews news) {
        return news.findings().isEmpty()
                ? "multicast works"
                : news.findings().stream()
                        .map(it -> it.trouble().replace('-', ' '))
                        .distinct()
                        .limit(3)
                        .collect(Collectors.joining(", "));
    }

    Optional<View> view(UUID id) {
        return fleet.probe(id).map(this::view);
    }

    private View view(FleetService.Probe probe) {
        ProbeNews news = probe.news();
        return new View(
                news.id(),
                Show.ago(probe.at(), time.now()),
                news.findings().isEmpty(),
                new Facts(
                        news.group(),
                        news.ttl(),
                        Show.nanos((long) (news.seconds() * 1e9)),
                        queriers(news)),
                news.findings(),
                news.nodes().stream().map(it -> point(it, news.nodes().size() - 1)).toList(),
                news.nodes().size() <= LARGEST_MATRIX ? matrix(news) : List.of());
    }

    private static String queriers(ProbeNews news) {
        if (!news.queries().isEmpty()) {
            return String.join(", ", news.queries().keySet());
        }
        return news.queriesAudible() ? "none was heard" : "nobody could listen";
    }

    private static Point point(ProbeNews.Point it, int others) {
        String interfaceName = it.interfaceName();
        return new Point(
                it.node(),
                interfaceName == null ? "–" : interfaceName,
                it.hears().size() + " of " + others,
                it.hears().size() < others,
                it.largestDatagramBytes() == 0 ? "–" : Show.count(it.largestDatagramBytes()) + " B",
                it.bitsPerSecond() == 0 ? "–" : Show.bits(it.bitsPerSecond()),
                Show.percent(100 * it.lostShare()),
                it.lostShare() >= 0.01);
    }

    private static List<MatrixRow> matrix(ProbeNews news) {
        List<MatrixRow> rows = new ArrayList<>();
        for (ProbeNews.Point receiver : news.nodes()) {
            Set<String> hears = new HashSet<>(receiver.hears());
            List<Cell> cells = new ArrayList<>();
            for (ProbeNews.Point sender : news.nodes()) {
                cells.add(
                        sender.node().equals(receiver.node())
                                ? new Cell("·", "self", "itself")
                                : hears.contains(sender.node())
                                        ? new Cell("✓", "good", "hears it")
                                        : new Cell("✗", "bad", "does not hear it"));
            }
            rows.add(new MatrixRow(receiver.node(), cells));
        }
        return rows;
    }
}
