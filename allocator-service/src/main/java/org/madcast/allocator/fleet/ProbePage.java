package org.madcast.allocator.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.stereotype.Component;

/** What the pages show of probes. */
@Component
class ProbePage {

    private static final int MOST_ROWS = 20;

    /** The most nodes of which a matrix is readable. */
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
            List<ProbeResult.Finding> findings,
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

    /** The probes with this node, among the latest {@code searched}. */
    List<Row> ofNode(String name, int searched) {
        Instant now = time.now();
        return fleet.probes(searched).stream()
                .filter(it ->
                        it.result().nodes().stream().anyMatch(node -> node.node().equals(name)))
                .map(it -> row(it, now))
                .toList();
    }

    private static Row row(FleetService.Probe probe, Instant now) {
        ProbeResult result = probe.result();
        return new Row(
                result.id(),
                Show.ago(probe.at(), now),
                result.nodes().getFirst().node(),
                result.nodes().size(),
                result.findings().isEmpty(),
                verdict(result),
                result.group());
    }

    private static String verdict(ProbeResult result) {
        return result.findings().isEmpty()
                ? "multicast works"
                : result.findings().stream()
                        .map(it -> it.trouble().replace('-', ' '))
                        .distinct()
                        .limit(3)
                        .collect(Collectors.joining(", "));
    }

    Optional<View> view(UUID id) {
        return fleet.probe(id).map(this::view);
    }

    private View view(FleetService.Probe probe) {
        ProbeResult result = probe.result();
        return new View(
                result.id(),
                Show.ago(probe.at(), time.now()),
                result.findings().isEmpty(),
                new Facts(
                        result.group(),
                        result.ttl(),
                        Show.nanos((long) (result.seconds() * 1e9)),
                        queriers(result)),
                result.findings(),
                result.nodes().stream().map(it -> point(it, result.nodes().size() - 1)).toList(),
                result.nodes().size() <= LARGEST_MATRIX ? matrix(result) : List.of());
    }

    private static String queriers(ProbeResult result) {
        if (!result.queries().isEmpty()) {
            return String.join(", ", result.queries().keySet());
        }
        return result.queriesAudible() ? "none was heard" : "no node could listen";
    }

    private static Point point(ProbeResult.Point it, int others) {
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

    private static List<MatrixRow> matrix(ProbeResult result) {
        List<MatrixRow> rows = new ArrayList<>();
        for (ProbeResult.Point receiver : result.nodes()) {
            Set<String> hears = new HashSet<>(receiver.hears());
            List<Cell> cells = new ArrayList<>();
            for (ProbeResult.Point sender : result.nodes()) {
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
