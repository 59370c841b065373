package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;

/** Unicast along a tree: fragments come from the parent, and so do repairs. */
record RankTree(TreeShape shape) implements Dissemination {

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
