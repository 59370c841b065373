package org.madcast.client.survival;

import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * To whom a rank passes on what must reach all ranks that live, whichever die meanwhile. Each rank
 * has neighbours at the distances 1, 2, 4, ... in both directions; where one of them is absent, the
 * neighbours of that one take its place, and so on. So the ranks that live are connected, however
 * many are lost, and up to seven ranks are all neighbours of each other.
 */
public final class Spreading {

    private Spreading() {}

    /** The present ranks that a rank reaches without passing another present one. */
    public static BitSet targets(int size, int self, BitSet absent) {
        BitSet seen = new BitSet(size);
        BitSet targets = new BitSet(size);
        ArrayDeque<Integer> open = new ArrayDeque<>();
        seen.set(self);
        open.add(self);
        while (!open.isEmpty()) {
            int from = open.remove();
            for (int distance = 1; distance < size; distance *= 2) {
                for (int next : new int[] {from + distance, from - distance + size}) {
                    int rank = next % size;
                    if (seen.get(rank)) {
                        continue;
                    }
                    seen.set(rank);
                    if (absent.get(rank)) {
                        open.add(rank);
                    } else {
                        targets.set(rank);
                    }
                }
            }
        }
        return targets;
    }
}
