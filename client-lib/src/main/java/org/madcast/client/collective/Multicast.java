package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;

/**
 * The root multicasts every fragment; repairs come from the predecessor in the ring of the other
 * ranks. The root is not in it: a repair of its would queue behind all that it has handed to its
 * own kernel, some milliseconds of data.
 *
 * @param secondStage whether every fragment is then handed on along the chain by the reliable way
 *     (Siebert's ipmc)
 */
record Multicast(boolean secondStage) implements Dissemination {

    @Override
    public boolean multicasts() {
        return true;
    }

    @Override
    public boolean sendsTwice() {
        return secondStage;
    }

    @Override
    public int child(int index, int part, int rank, int root, int size) {
        int successor = (rank + 1) % size;
        return secondStage && index == 0 && successor != root ? successor : NONE;
    }

    @Override
    public int repairClient(int index, int part, int rank, int root, int size) {
        if (secondStage) {
            return child(index, part, rank, root, size);
        }
        if (index > 0 || (rank == root && size > 2)) {
            return NONE;
        }
        int successor = (rank + 1) % size;
        if (successor == root) {
            return size > 2 ? (root + 1) % size : NONE;
        }
        return successor;
    }

    @Override
    public int repairSource(int part, int rank, int root, int size) {
        int predecessor = Math.floorMod(rank - 1, size);
        return !secondStage && predecessor == root && size > 2
                ? Math.floorMod(root - 1, size)
                : predecessor;
    }
}
