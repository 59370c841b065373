package org.madcast.allocator.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.stereotype.Component;

/** What the pages show of topologies. */
@Component
class TopologiesPage {

    private static final int MOST_NAMES = 12;

    private final Topologies topologies;
    private final SqlTime time;

    TopologiesPage(Topologies topologies, SqlTime time) {
        this.topologies = topologies;
        this.time = time;
    }

    /** A line of the table of topologies. */
    public record Row(String name, String switches, String hosts, String put, String by) {}

    /** The whole page of one. */
    public record View(Row row, TopologyPicture picture, List<SwitchRow> switches) {}

    /** A line of the table of switches. */
    public record SwitchRow(String name, String cables, int hosts, String names) {}

    List<Row> all() {
        return topologies.all().stream().map(this::row).toList();
    }

    Optional<View> view(String name) {
        return topologies
                .find(name)
                .flatMap(kept ->
                        topologies
                                .tree(name)
                                .map(tree ->
                                        new View(
                                                row(kept),
                                                new TopologyPicture(tree),
                                                tree.switches().stream()
                                                        .map(each -> switchRow(tree, each))
                                                        .toList())));
    }

    private Row row(KeptTopology kept) {
        return new Row(
                kept.name(),
                Show.count(kept.switches()),
                Show.count(kept.hosts()),
                Show.ago(kept.madeAt(), time.now()),
                kept.madeBy());
    }

    private static SwitchRow switchRow(Tree tree, String name) {
        List<String> cables = new ArrayList<>();
        for (Tree.Cable cable : tree.cables()) {
            if (cable.one().equals(name) || cable.other().equals(name)) {
                String other = cable.one().equals(name) ? cable.other() : cable.one();
                cables.add(other + ", " + Show.bits(cable.bitsPerSecond()));
            }
        }
        List<String> hosts =
                tree.hosts().stream()
                        .filter(group -> group.at().equals(name))
                        .flatMap(group -> group.names().stream())
                        .toList();
        String some = String.join(", ", hosts.subList(0, Math.min(MOST_NAMES, hosts.size())));
        return new SwitchRow(
                name,
                cables.isEmpty() ? "–" : String.join("; ", cables),
                hosts.size(),
                hosts.size() > MOST_NAMES ? some + ", …" : some);
    }
}
