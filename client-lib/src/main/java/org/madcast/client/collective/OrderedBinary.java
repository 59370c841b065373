package org.madcast.client.collective;

import org.jspecify.annotations.Nullable;
import org.madcast.client.protocol.Dissemination;
import org.madcast.client.topology.BinaryTrees;
import org.madcast.client.topology.RankOrder;

/**
 * Binary trees that follow the tree of switches. The trees of the last roots are kept, since to
 * make one takes long. For one engine, which is driven by one thread at a time.
 */
final class OrderedBinary implements Dissemination {

    private static final int KEPT = 16;

    private final RankOrder order;
    private final @Nullable BinaryTrees[] kept = new BinaryTrees[KEPT];
    private final int[] rootOf = new int[KEPT];

    OrderedBinary(RankOrder order) {
        this.order = order;
    }

    @Override
    public boolean multicasts() {
        return false;
    }

    @Override
    public int child(int index, int part, int rank, int root, int size) {
        return tree(root).child(index, rank);
    }

    @Override
    public int repairSource(int part, int rank, int root, int size) {
        return tree(root).parent(rank);
    }

    private BinaryTrees tree(int root) {
        int slot = root % KEPT;
        BinaryTrees tree = kept[slot];
        if (tree == null || rootOf[slot] != root) {
            tree = BinaryTrees.of(order, root);
            kept[slot] = tree;
            rootOf[slot] = root;
        }
        return tree;
    }
}
