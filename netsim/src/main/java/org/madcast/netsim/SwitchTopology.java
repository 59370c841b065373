package org.madcast.netsim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Switches, numbered from 0, and the trunks between them, which form a tree, as Ethernet's spanning
 * tree leaves them. Immutable.
 *
 * @param switches how many there are, at least 1
 * @param trunks one fewer
 * @param forwarding when a switch begins to pass a datagram on
 */
public record SwitchTopology(int switches, List<Trunk> trunks, Forwarding forwarding) {

    /** When a switch begins to pass a datagram on. */
    public enum Forwarding {
        /** When all of it is there. */
        STORE_AND_FORWARD,
        /** When its header is there, if the port is free. */
        CUT_THROUGH
    }

    /**
     * A cable between two switches.
     *
     * @param one a switch
     * @param other another one
     * @param link each of its directions; what does not fit into its queue is dropped
     */
    public record Trunk(int one, int other, LinkModel link) {}

    /** One switch that stores and forwards. */
    public static final SwitchTopology ONE_SWITCH =
            new SwitchTopology(1, List.of(), Forwarding.STORE_AND_FORWARD);

    /** Copies the list and checks that it is a tree. */
    public SwitchTopology {
        trunks = List.copyOf(trunks);
        if (switches < 1 || trunks.size() != switches - 1) {
            throw new IllegalArgumentException(
                    "%d switches and %d trunks are no tree".formatted(switches, trunks.size()));
        }
        for (Trunk trunk : trunks) {
            if (Math.min(trunk.one, trunk.other) < 0
                    || Math.max(trunk.one, trunk.other) >= switches) {
                throw new IllegalArgumentException(
                        "a trunk from switch %d to %d, of %d switches"
                                .formatted(trunk.one, trunk.other, switches));
            }
        }
        int[] towards = new int[switches];
        measure(switches, trunks, 0, towards);
        for (int node = 1; node < switches; node++) {
            if (towards[node] < 0) {
                throw new IllegalArgumentException("no trunk leads to switch " + node);
            }
        }
    }

    /**
     * A binary tree of switches, as the lab makes it: the parent of switch n is (n - 1) / 2.
     *
     * @param link each direction of each trunk
     */
    public static SwitchTopology binaryTree(int switches, LinkModel link, Forwarding forwarding) {
        List<Trunk> trunks = new ArrayList<>();
        for (int node = 1; node < switches; node++) {
            trunks.add(new Trunk((node - 1) / 2, node, link));
        }
        return new SwitchTopology(switches, trunks, forwarding);
    }

    /**
     * For each switch the port, as {@link #ports} numbers them, through which it sends what is for
     * the given one; for that one itself -1.
     */
    int[] portsTowards(int target) {
        int[] towards = new int[switches];
        measure(switches, trunks, target, towards);
        return towards;
    }

    /** Trunk t is the port 2t of its one switch and the port 2t + 1 of the other. */
    private static void measure(int switches, List<Trunk> trunks, int target, int[] towards) {
        List<List<Integer>> ports = new ArrayList<>();
        for (int node = 0; node < switches; node++) {
            ports.add(new ArrayList<>());
        }
        for (int i = 0; i < trunks.size(); i++) {
            ports.get(trunks.get(i).one).add(2 * i);
            ports.get(trunks.get(i).other).add(2 * i + 1);
        }
        Arrays.fill(towards, -1);
        Deque<Integer> open = new ArrayDeque<>(List.of(target));
        while (!open.isEmpty()) {
            for (int port : ports.get(open.remove())) {
                Trunk trunk = trunks.get(port / 2);
                int next = port % 2 == 0 ? trunk.other : trunk.one;
                if (next != target && towards[next] < 0) {
                    towards[next] = port ^ 1;
                    open.add(next);
                }
            }
        }
    }

    /** How many ports lead to trunks. */
    int ports() {
        return 2 * trunks.size();
    }

    /** The switch that has a port. */
    int owner(int port) {
        Trunk trunk = trunks.get(port / 2);
        return port % 2 == 0 ? trunk.one : trunk.other;
    }
}
