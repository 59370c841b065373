package org.madcast.client.protocol;

/**
 * A rank's place in the 4-ary tree of ranks whose top is rank 0: the parent of rank r is (r - 1) /
 * 4. Neighbours are the parent and the children; it remembers which of them have said good-bye.
 */
final class TreePlace {

    static final int ARITY = 4;

    private final int rank;
    private final int childCount;
    private final boolean[] left = new boolean[ARITY + 1];

    TreePlace(int rank, int size) {
        this.rank = rank;
        childCount = (int) Math.min(ARITY, Math.max(0, size - 1 - (long) ARITY * rank));
    }

    /** The parent, -1 on rank 0. */
    int parent() {
        return rank == 0 ? -1 : (rank - 1) / ARITY;
    }

    int childCount() {
        return childCount;
    }

    int child(int index) {
        return ARITY * rank + 1 + index;
    }

    /** The index of a rank among the children, -1 when it is none. */
    int childIndex(int sender) {
        int child = sender - child(0);
        return child >= 0 && child < childCount ? child : -1;
    }

    /** The index of a neighbour: that of a child, {@link #ARITY} for the parent; else -1. */
    int index(int sender) {
        return sender == parent() ? ARITY : childIndex(sender);
    }

    /** The rank of a neighbour, or -1 when there is none with that index. */
    int neighbour(int index) {
        if (index == ARITY) {
            return parent();
        }
        return index < childCount ? child(index) : -1;
    }

    /** A neighbour says good-bye. */
    void onLeft(int index) {
        left[index] = true;
    }

    boolean hasLeft(int index) {
        return left[index];
    }

    /** A neighbour that has said good-bye, or -1. */
    int anyLeft() {
        for (int i = ARITY; i >= 0; i--) {
            if (left[i]) {
                return neighbour(i);
            }
        }
        return -1;
    }

    /** True when every neighbour has said good-bye. */
    boolean allLeft() {
        boolean all = true;
        for (int i = 0; i <= ARITY; i++) {
            all &= left[i] || neighbour(i) < 0;
        }
        return all;
    }
}
