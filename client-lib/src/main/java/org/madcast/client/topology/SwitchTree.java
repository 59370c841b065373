package org.madcast.client.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Switches and hosts joined by cables that form a tree, as Ethernet's spanning tree leaves them.
 * Nodes are numbered: first the switches, then the hosts, each kind in the order of its
 * declaration. Made by {@link TreeFile}, {@link SlurmFile} or {@link SwitchTreeBuilder}. Immutable,
 * safe for every thread.
 */
public final class SwitchTree {

    /** The number of no node. */
    public static final int NONE = -1;

    private final List<String> names;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final int switches;
    private final List<Cable> cables;
    private final List<List<Integer>> neighbours;
    private final List<List<String>> addresses;
    private final SortedMap<Integer, Integer> ranks;
    private final int[] parent;
    private final int[] depth;

    /**
     * A cable between two nodes.
     *
     * @param one the node's number
     * @param other the node's number
     * @param bitsPerSecond what it carries each way, above 0
     */
    public record Cable(int one, int other, long bitsPerSecond) {}

    /**
     * Of what is known to be a tree.
     *
     * @param names of the switches, then of the hosts
     * @param addresses of each host
     * @param ranks and the hosts' nodes
     */
    SwitchTree(
            List<String> names,
            int switches,
            List<Cable> cables,
            List<List<String>> addresses,
            SortedMap<Integer, Integer> ranks) {
        this.names = List.copyOf(names);
        this.switches = switches;
        this.cables = List.copyOf(cables);
        this.addresses = addresses.stream().map(List::copyOf).toList();
        this.ranks = Collections.unmodifiableSortedMap(ranks);
        List<List<Integer>> lists = new ArrayList<>();
        for (String name : names) {
            numbers.put(name, lists.size());
            lists.add(new ArrayList<>());
        }
        for (Cable cable : cables) {
            lists.get(cable.one).add(cable.other);
            lists.get(cable.other).add(cable.one);
        }
        neighbours = lists.stream().map(List::copyOf).toList();
        parent = new int[names.size()];
        depth = new int[names.size()];
        Arrays.fill(parent, NONE);
        measure();
    }

    private void measure() {
        Deque<Integer> open = new ArrayDeque<>(List.of(0));
        while (!open.isEmpty()) {
            int node = open.remove();
            for (int next : neighbours.get(node)) {
                if (next != parent[node]) {
                    parent[next] = node;
                    depth[next] = depth[node] + 1;
                    open.add(next);
                }
            }
        }
    }

    /** How many switches there are, at least 1: nodes 0 to this - 1. */
    public int switches() {
        return switches;
    }

    /** How many hosts there are: the nodes behind the switches. */
    public int hosts() {
        return names.size() - switches;
    }

    /** How many nodes there are. */
    public int nodes() {
        return names.size();
    }

    /** The node of the index-th host, 0 to {@code hosts() - 1}. */
    public int host(int index) {
        return switches + index;
    }

    /** Whether a node is a host. */
    public boolean isHost(int node) {
        return node >= switches;
    }

    /** A node's name. */
    public String name(int node) {
        return names.get(node);
    }

    /** The node of this name, or {@link #NONE}. */
    public int node(String name) {
        return numbers.getOrDefault(name, NONE);
    }

    /** The switch that a host is connected to. */
    public int switchOf(int host) {
        return neighbours.get(host).getFirst();
    }

    /** All cables in the order of their declaration. */
    public List<Cable> cables() {
        return cables;
    }

    /** The nodes at the other ends of a node's cables, in the order of their declaration. */
    public List<Integer> neighbours(int node) {
        return neighbours.get(node);
    }

    /** The addresses and further names of a host; empty: only its name is known. */
    public List<String> addresses(int host) {
        return addresses.get(host - switches);
    }

    /** The ranks that the file puts on hosts, and those hosts' nodes; empty: it says nothing. */
    public SortedMap<Integer, Integer> ranks() {
        return ranks;
    }

    /** The node next to this one on the way to node 0, which has {@link #NONE}. */
    public int parent(int node) {
        return parent[node];
    }

    /** The nodes from one to another, both included: the only way in a tree. */
    public List<Integer> path(int from, int to) {
        List<Integer> up = new ArrayList<>();
        Deque<Integer> down = new ArrayDeque<>();
        int near = from;
        int far = to;
        while (near != far) {
            if (depth[near] >= depth[far]) {
                up.add(near);
                near = parent[near];
            } else {
                down.addFirst(far);
                far = parent[far];
            }
        }
        up.add(near);
        up.addAll(down);
        return List.copyOf(up);
    }
}
