package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;

/**
 * The root multicasts every fragment; repairs come from the predecessor in the ring of ranks.
 *
 * @param secondStage whether every fragment is then sent again along the chain (Siebert's ipmc)
 */
record Multicast(boolean secondStage) implements Dissemination {

    @Override
    public boolean multicasts() {
        return true;
    }

    @Override
    public int child(int index, int rank, int root, int size) {
        return secondStage ? repairClient(index, rank, root, size) : NONE;
    }

    @Override
    public int repairClient(int index, int rank, int root, int size) {
        int successor = (rank + 1) % size;
        return index == 0 && successor != root ? successor : NONE;
    }

    @Override
    public int repairSource(int rank, int root, int size) {
        return Math.floorMod(rank - 1, size);
    }
}
