package org.madcast.agent.topology;

import java.util.List;
import org.madcast.client.topology.SwitchTree;

/** A tree of switches, in which there is one way between two hosts. */
final class TreeFabric implements Fabric {

    private final SwitchTree tree;
    private final double[] capacities;
    private final int longest;

    /** Over the tree's cables; a host sends as much as the fastest host's cable carries. */
    TreeFabric(SwitchTree tree) {
        this.tree = tree;
        long fastest = 1;
        for (SwitchTree.Cable cable : tree.cables()) {
            if (tree.isHost(cable.one()) || tree.isHost(cable.other())) {
                fastest = Math.max(fastest, cable.bitsPerSecond());
            }
        }
        capacities = new double[2 * tree.nodes()];
        for (SwitchTree.Cable cable : tree.cables()) {
            int lower = tree.parent(cable.one()) == cable.other() ? cable.one() : cable.other();
            capacities[2 * lower] = (double) cable.bitsPerSecond() / fastest;
            capacities[2 * lower + 1] = capacities[2 * lower];
        }
        int most = 0;
        for (int node = 0; node < tree.nodes(); node++) {
            int depth = 0;
            for (int at = node; tree.parent(at) != SwitchTree.NONE; at = tree.parent(at)) {
                depth++;
            }
            most = Math.max(most, depth);
        }
        longest = 2 * most;
    }

    @Override
    public int hosts() {
        return tree.hosts();
    }

    @Override
    public int links() {
        return capacities.length;
    }

    @Override
    public double capacity(int link) {
        return capacities[link];
    }

    @Override
    public int longestRoute() {
        return longest;
    }

    @Override
    public int route(int from, int to, int flow, int[] into) {
        List<Integer> path = tree.path(tree.host(from), tree.host(to));
        for (int i = 0; i + 1 < path.size(); i++) {
            int node = path.get(i);
            int next = path.get(i + 1);
            into[i] = tree.parent(node) == next ? 2 * node : 2 * next + 1;
        }
        return path.size() - 1;
    }

    @Override
    public String description() {
        return "tree of " + tree.switches() + " switches";
    }
}
