package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;

/**
 * Unicast along a tree: fragments come from the parent, and so do repairs.
 *
 * @param keepsWhole whether a rank hands on only what it has all of
 */
record RankTree(TreeShape shape, boolean keepsWhole) implements Dissemination {

    RankTree(TreeShape shape) {
        this(shape, false);
    }

    @Override
    public boolean multicasts() {
        return false;
    }

    @Override
    public int child(int index, int part, int rank, int root, int size) {
        int child = shape.child(index, Math.floorMod(rank - root, size), size);
        return child == TreeShape.NONE ? NONE : (child + root) % size;
    }

    @Override
    public int repairSource(int part, int rank, int root, int size) {
        return (shape.parent(Math.floorMod(rank - root, size)) + root) % size;
    }
}
