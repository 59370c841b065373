package org.madcast.client.topology;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ranks as a depth-first walk through the tree of switches meets their hosts (seed 001, algorithm
 * 1). Each rank may send to the next one, and the last to the first, all at the same time: no cable
 * carries two of these messages in the same direction. So one order serves every root. Immutable,
 * safe for every thread.
 */
public final class RankOrder {

    private final SwitchTree tree;
    private final int[] hosts;
    private final int[] rankAt;
    private final int[] placeOf;

    private RankOrder(SwitchTree tree, int[] hosts, int[] rankAt) {
        this.tree = tree;
        this.hosts = hosts;
        this.rankAt = rankAt;
        placeOf = new int[rankAt.length];
        for (int place = 0; place < rankAt.length; place++) {
            placeOf[rankAt[place]] = place;
        }
    }

    /**
     * The order of ranks on these hosts.
     *
     * @param hosts each rank's host as a node of the tree; several ranks may be on one
     */
    public static RankOrder of(SwitchTree tree, List<Integer> hosts) {
        int[] met = new int[tree.nodes()];
        int next = 0;
        for (int host : walk(tree)) {
            met[host] = next++;
        }
        int[] rankAt =
                IntStream.range(0, hosts.size())
                        .boxed()
                        .sorted(Comparator.comparingInt(rank -> met[hosts.get(rank)]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        return new RankOrder(tree, hosts.stream().mapToInt(Integer::intValue).toArray(), rankAt);
    }

    /** All hosts in the order of the walk from switch 0: of each switch its hosts come first. */
    public static List<Integer> walk(SwitchTree tree) {
        int[] walk = new int[tree.hosts()];
        int length = 0;
        Deque<Integer> open = new ArrayDeque<>(List.of(0));
        while (!open.isEmpty()) {
            int node = open.pop();
            List<Integer> neighbours = tree.neighbours(node);
            for (int next : neighbours) {
                if (tree.isHost(next)) {
                    walk[length++] = next;
                }
            }
            for (int next : neighbours.reversed()) {
                if (!tree.isHost(next) && next != tree.parent(node)) {
                    open.push(next);
                }
            }
        }
        return Arrays.stream(walk).boxed().toList();
    }

    /** How many ranks there are. */
    public int size() {
        return rankAt.length;
    }

    /** The tree of switches. */
    public SwitchTree tree() {
        return tree;
    }

    /** The host of a rank, as a node of the tree. */
    public int host(int rank) {
        return hosts[rank];
    }

    /** The rank at a place that is counted from a root, which is at place 0. */
    public int rank(int place, int root) {
        return rankAt[(placeOf[root] + place) % rankAt.length];
    }

    /** The place of a rank counted from a root. */
    public int place(int rank, int root) {
        return Math.floorMod(placeOf[rank] - placeOf[root], rankAt.length);
    }

    /** A number that differs, very likely, when the ranks' hosts or the switches differ. */
    public long digest() {
        long digest = 0xcbf29ce484222325L;
        for (int host : hosts) {
            digest = (digest ^ host) * 0x100000001b3L;
        }
        for (int node = 0; node < tree.nodes(); node++) {
            digest = (digest ^ tree.parent(node)) * 0x100000001b3L;
        }
        return digest ^ digest >>> 29;
    }
}
