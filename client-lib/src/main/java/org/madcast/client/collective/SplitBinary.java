package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;

/**
 * Unicast along a binary tree cut in two: the fragments with even numbers go down the root's left
 * subtree, the odd ones down the right one, and each rank then gives its half to the rank at the
 * same place in the other subtree. So the root's link carries the message once instead of twice.
 *
 * <p>The halves are interleaved, not one behind the other: the whole stays a stream, of which a
 * window is enough. Places are distances from the root, in the order of a heap; when the last level
 * is not full, a rank on the left may have nobody opposite, and gets the other half from its own
 * parent.
 */
record SplitBinary() implements Dissemination {

    private static final int LEFT = 0;

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
        int child = part == LEFT ? left(index, distance, size) : right(index, distance, size);
        return child == NONE ? NONE : (child + root) % size;
    }

    /** The even fragments. */
    private static int left(int index, int distance, int size) {
        if (distance == 0) {
            return index == 0 && size > 1 ? 1 : NONE;
        }
        if (!isLeft(distance)) {
            return NONE;
        }
        int child = TreeShape.BINARY.child(index, distance, size);
        int opposite = opposite(distance);
        int children = children(distance, size);
        return index == children && opposite < size ? opposite : child;
    }

    /** The odd fragments. */
    private static int right(int index, int distance, int size) {
        if (distance == 0) {
            int first = size > 2 ? 2 : size - 1;
            return index == 0 && size > 1 ? first : NONE;
        }
        if (!isLeft(distance)) {
            int children = children(distance, size);
            return index == children
                    ? distance - width(distance) / 2
                    : TreeShape.BINARY.child(index, distance, size);
        }
        int last = Math.min(2 * distance + 2, size - 1);
        int lonely = 2 * distance + 1;
        while (lonely <= last && opposite(lonely) < size) {
            lonely++;
        }
        return lonely + index <= last ? lonely + index : NONE;
    }

    private static int children(int distance, int size) {
        return Math.clamp(size - 1L - 2L * distance, 0, 2);
    }

    /** How many places the level of a place has. */
    private static int width(int distance) {
        return Integer.highestOneBit(distance + 1);
    }

    private static boolean isLeft(int distance) {
        int level = width(distance);
        return distance + 1 - level < level / 2;
    }

    /** The place in the right subtree that a place in the left one exchanges with. */
    private static int opposite(int distance) {
        return distance + width(distance) / 2;
    }

    @Override
    public int repairClient(int index, int rank, int root, int size) {
        int child = TreeShape.BINARY.child(index, Math.floorMod(rank - root, size), size);
        return child == TreeShape.NONE ? NONE : (child + root) % size;
    }

    @Override
    public int repairSource(int rank, int root, int size) {
        return (TreeShape.BINARY.parent(Math.floorMod(rank - root, size)) + root) % size;
    }
}
