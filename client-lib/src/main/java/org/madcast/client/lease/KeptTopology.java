package org.madcast.client.lease;

import java.io.IOException;
import java.util.List;
import org.madcast.client.topology.RankOrder;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.SwitchTreeBuilder;

/**
 * A topology that the service keeps and gave to all ranks of a communicator.
 *
 * @param name what it is called there
 * @param order the ranks on its hosts
 */
public record KeptTopology(String name, RankOrder order) {

    static KeptTopology read(JsonFields fields, int size) throws IOException {
        try {
            SwitchTree tree = tree(fields.child("tree"));
            List<Integer> hosts = fields.numbers("ranks", 0, tree.hosts() - 1);
            if (hosts.size() != size) {
                throw new IOException(
                        "a topology for %d ranks, not %d".formatted(hosts.size(), size));
            }
            return new KeptTopology(
                    fields.text("name"),
                    RankOrder.of(tree, hosts.stream().map(tree::host).toList()));
        } catch (IllegalArgumentException noTree) {
            throw new IOException("a topology that is no tree: " + noTree.getMessage(), noTree);
        }
    }

    private static SwitchTree tree(JsonFields fields) throws IOException {
        SwitchTreeBuilder tree = new SwitchTreeBuilder();
        fields.texts("switches").forEach(tree::addSwitch);
        for (JsonFields cable : fields.children("cables")) {
            tree.addCable(cable.text("one"), cable.text("other"), cable.bitsPerSecond());
        }
        for (JsonFields group : fields.children("hosts")) {
            for (String host : group.texts("names")) {
                tree.addHost(host, group.text("at"), group.bitsPerSecond());
            }
        }
        return tree.build();
    }
}
