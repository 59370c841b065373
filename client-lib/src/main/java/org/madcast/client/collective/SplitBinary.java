package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;

/**
 * Unicast along two binary trees, one of the odd distances and one of the even ones: the first part
 * of the fragments goes down the odd tree, the second down the even one, and each rank then gives
 * its part to the rank at the same place in the other tree. So the root's link carries the message
 * once instead of twice, and no rank sends more than three datagrams for two fragments.
 *
 * <p>The parts are interleaved, not one behind the other: the whole stays a stream, of which a
 * window is enough. The children of a distance d in its own tree are 2d + 1 and 2d + 3 when d is
 * odd, 2d and 2d + 2 when it is even; the rank opposite an odd d is d + 1. When the last rank is
 * odd there is no rank opposite: it gets the second part from the rank that would be the parent of
 * the missing one.
 */
record SplitBinary() implements Dissemination {

    private static final int ODD = 0;

    @Override
    public boolean multicasts() {
        return false;
    }

    @Override
    public int parts(int size) {
        return 2;
    }

    @Override
    public int child(int index, int part, int rank, int root, int size) {
        int distance = Math.floorMod(rank - root, size);
        boolean inTree = distance == 0 || isOdd(distance) == (part == ODD);
        if (!inTree) {
            return NONE;
        }
        int left = existing(leftChild(part, distance), part, size);
        int right = distance == 0 ? NONE : existing(leftChild(part, distance) + 2, part, size);
        int children = (left == NONE ? 0 : 1) + (right == NONE ? 0 : 1);
        int child = NONE;
        if (index < children) {
            child = index == 0 ? left : right;
        } else if (index == children && distance > 0) {
            child = opposite(distance) < size ? opposite(distance) : NONE;
        }
        return child == NONE ? NONE : (child + root) % size;
    }

    private static int leftChild(int part, int distance) {
        if (distance == 0) {
            return part == ODD ? 1 : 2;
        }
        return part == ODD ? 2 * distance + 1 : 2 * distance;
    }

    /** The distance, or in place of the missing one behind the last the last, which is odd. */
    private static int existing(int distance, int part, int size) {
        if (distance < size) {
            return distance;
        }
        return distance == size && part != ODD && size > 1 ? distance - 1 : NONE;
    }

    private static int opposite(int distance) {
        return isOdd(distance) ? distance + 1 : distance - 1;
    }

    private static boolean isOdd(int distance) {
        return (distance & 1) == 1;
    }

    @Override
    public int repairSource(int part, int rank, int root, int size) {
        int distance = Math.floorMod(rank - root, size);
        int source = opposite(distance);
        if (isOdd(distance) == (part == ODD)) {
            source = parent(part, distance);
        } else if (source >= size) {
            source = parent(part, source);
        }
        return (source + root) % size;
    }

    private static int parent(int part, int distance) {
        int first = part == ODD ? 1 : 2;
        return distance == first ? 0 : ((distance - first) / 2 - 1) / 2 * 2 + first;
    }
}
