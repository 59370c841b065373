package org.madcast.client.topology;

import java.util.Arrays;

/**
 * The binary tree that seed 001's algorithm 2 makes of a {@link RankOrder} for one root: of the
 * trees whose parents come before their children in the order, and in which ranks that send at the
 * same time share no cable in the same direction, one of the least height that is found. The two
 * messages of one rank may share a cable: it sends them one after the other. Immutable.
 *
 * <p>The rank at place i has the one at i + 1 as its left child and the one at k as its right
 * child; below the left one is what lies between, below the right one what lies behind. The message
 * from i to k must share no cable with what lies between. A cable on the way from i to k is crossed
 * once between these places. Of two messages between i + 1 and k - 1 one crosses it exactly when
 * ranks on both of its sides lie there. So whether k may be a child does not depend on the trees
 * below.
 */
public final class BinaryTrees {

    /** No place. */
    private static final int NONE = -1;

    /** In a larger tree of switches the order itself, a chain, is taken for the tree. */
    private static final int MOST_HEIGHT = 256;

    /** How many of the places on one switch, from the last possible one on, are tried. */
    private static final int NEAR = 64;

    private final RankOrder order;
    private final int root;
    private final int size;
    private final int[] parent;
    private final int[] left;
    private final int[] right;

    private BinaryTrees(RankOrder order, int root) {
        this.order = order;
        this.root = root;
        size = order.size();
        parent = new int[size];
        left = new int[size];
        right = new int[size];
        Arrays.fill(parent, NONE);
        Arrays.fill(left, NONE);
        Arrays.fill(right, NONE);
    }

    /** The tree for a root. */
    public static BinaryTrees of(RankOrder order, int root) {
        BinaryTrees trees = new BinaryTrees(order, root);
        trees.make();
        return trees;
    }

    /** The index-th child of a rank, 0 or 1; -1 when there is none. */
    public int child(int index, int rank) {
        int place = order.place(rank, root);
        int first = left[place];
        int second = right[place];
        int child = index == 0 ? first : index == 1 ? second : NONE;
        return child == NONE ? NONE : order.rank(child, root);
    }

    /** The parent of a rank; -1 of the root. */
    public int parent(int rank) {
        int above = parent[order.place(rank, root)];
        return above == NONE ? NONE : order.rank(above, root);
    }

    /** The most messages one after the other from the root to a rank. */
    public int height() {
        int[] heights = new int[size];
        for (int place = 1; place < size; place++) {
            heights[place] = heights[parent[place]] + 1;
        }
        return Arrays.stream(heights).max().orElse(0);
    }

    private void make() {
        RunsOfHosts runs = new RunsOfHosts(order, root);
        int[][] reach = new int[MOST_HEIGHT + 1][];
        int[][] choice = new int[MOST_HEIGHT + 1][];
        reach[0] = new int[size];
        choice[0] = new int[size];
        for (int place = 0; place < size; place++) {
            reach[0][place] = place;
        }
        int height = 0;
        while (reach[height][0] < size - 1 && height < MOST_HEIGHT) {
            height++;
            reach[height] = new int[size];
            choice[height] = new int[size];
            grow(runs, reach[height - 1], reach[height], choice[height]);
        }
        if (reach[height][0] < size - 1) {
            for (int place = 0; place + 1 < size; place++) {
                left[place] = place + 1;
                parent[place + 1] = place;
            }
        } else {
            build(reach, choice, 0, size - 1, height);
        }
    }

    /** How far trees of a height reach, given how far those do that are one lower. */
    private void grow(RunsOfHosts runs, int[] lower, int[] reach, int[] choice) {
        for (int place = 0; place < size; place++) {
            reach[place] = place;
            choice[place] = NONE;
            if (place + 1 < size) {
                reach[place] = lower[place + 1];
                int last = Math.min(lower[place + 1] + 1, size - 1);
                int[] intervals = runs.children(place);
                for (int i = 0; i < intervals.length && intervals[i] <= last; i += 2) {
                    int high = Math.min(intervals[i + 1], last);
                    for (int k = high; k >= Math.max(intervals[i], high - NEAR); k--) {
                        tryChild(place, k, lower, reach, choice);
                    }
                }
            }
        }
    }

    private static void tryChild(int place, int k, int[] lower, int[] reach, int[] choice) {
        if (lower[k] > reach[place] || (lower[k] == reach[place] && choice[place] == NONE)) {
            reach[place] = lower[k];
            choice[place] = k;
        }
    }

    /** Joins the places from first to last below first, with the least height that is enough. */
    private void build(int[][] reach, int[][] choice, int first, int last, int most) {
        if (first == last) {
            return;
        }
        int height = 1;
        while (height < most && reach[height][first] < last) {
            height++;
        }
        left[first] = first + 1;
        parent[first + 1] = first;
        int k = choice[height][first];
        if (k == NONE || k > last) {
            build(reach, choice, first + 1, last, height - 1);
        } else {
            right[first] = k;
            parent[k] = first;
            build(reach, choice, first + 1, k - 1, height - 1);
            build(reach, choice, k, last, height - 1);
        }
    }
}
