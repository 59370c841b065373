package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;
import org.madcast.client.topology.RankOrder;

/** A chain that follows the tree of switches, so that no cable carries a message twice. */
record OrderedChain(RankOrder order) implements Dissemination {

    @Override
    public boolean multicasts() {
        return false;
    }

    @Override
    public int child(int index, int part, int rank, int root, int size) {
        int place = order.place(rank, root);
        return index == 0 && place + 1 < size ? order.rank(place + 1, root) : NONE;
    }

    @Override
    public int repairSource(int part, int rank, int root, int size) {
        return order.rank(order.place(rank, root) - 1, root);
    }
}
