package org.madcast.client.topology;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.stream.IntStream;

/**
 * A {@link RankOrder} from a root on as runs of places on one switch, and where each part of the
 * tree begins and ends in it. The root's own switch may have a second run, at the end.
 */
final class RunsOfHosts {

    private final int size;
    private final int[] switchAt;
    private final int[] runAt;
    private final int[] endOfRun;
    private final int[] startOfRun;
    private final int[] parent;
    private final int[] start;
    private final int[] end;
    private final int[][] children;

    RunsOfHosts(RankOrder order, int root) {
        SwitchTree tree = order.tree();
        size = order.size();
        switchAt =
                IntStream.range(0, size)
                        .map(place -> tree.switchOf(order.host(order.rank(place, root))))
                        .toArray();
        runAt = new int[size];
        for (int place = 1; place < size; place++) {
            runAt[place] = runAt[place - 1] + (switchAt[place] == switchAt[place - 1] ? 0 : 1);
        }
        endOfRun = new int[runAt[size - 1] + 1];
        startOfRun = new int[endOfRun.length];
        for (int place = 0; place < size; place++) {
            endOfRun[runAt[place]] = place;
            startOfRun[runAt[size - 1 - place]] = size - 1 - place;
        }
        parent = new int[tree.switches()];
        start = new int[tree.switches()];
        end = new int[tree.switches()];
        children = new int[size][];
        partsBelow(tree);
    }

    /** Of each switch, seen from the root's: its parent, and the first and last place below it. */
    private void partsBelow(SwitchTree tree) {
        int top = switchAt[0];
        Arrays.fill(parent, SwitchTree.NONE);
        Arrays.fill(start, size);
        Arrays.fill(end, SwitchTree.NONE);
        for (int place = 0; place < size; place++) {
            int at = switchAt[place];
            start[at] = Math.min(start[at], place);
            end[at] = place;
        }
        int[] met = new int[tree.switches()];
        int count = 0;
        Deque<Integer> open = new ArrayDeque<>();
        open.add(top);
        while (!open.isEmpty()) {
            int node = open.remove();
            met[count++] = node;
            for (int next : tree.neighbours(node)) {
                if (!tree.isHost(next) && next != parent[node]) {
                    parent[next] = node;
                    open.add(next);
                }
            }
        }
        for (int i = count - 1; i > 0; i--) {
            int node = met[i];
            start[parent[node]] = Math.min(start[parent[node]], start[node]);
            end[parent[node]] = Math.max(end[parent[node]], end[node]);
        }
    }

    /**
     * The places that may be a place's right child, as first and last place of each interval: of a
     * run either all may that are behind the next place, or only its first, or none.
     */
    int[] children(int place) {
        int[] known = children[place];
        if (known == null) {
            IntStream.Builder intervals = IntStream.builder();
            for (int run = runAt[place]; run < startOfRun.length; run++) {
                int first = Math.max(startOfRun[run], place + 2);
                int last = endOfRun[run];
                if (first <= last && mayBeChild(place, last)) {
                    intervals.add(first).add(last);
                } else if (first <= last && mayBeChild(place, first)) {
                    intervals.add(first).add(first);
                }
            }
            known = intervals.build().toArray();
            children[place] = known;
        }
        return known;
    }

    /**
     * Whether the message from a place to k, behind the next one, shares no cable with messages
     * between the places that lie between them.
     */
    private boolean mayBeChild(int place, int k) {
        for (int at = switchAt[place]; !isBelow(k, at); at = parent[at]) {
            if (end[at] != place && end[at] + 1 != k) {
                return false;
            }
        }
        for (int at = switchAt[k]; !isBelow(place, at); at = parent[at]) {
            if (start[at] != k && start[at] != place + 1) {
                return false;
            }
        }
        return true;
    }

    private boolean isBelow(int place, int node) {
        return start[node] <= place && place <= end[node];
    }
}
