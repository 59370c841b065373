package org.madcast.client.collective;

import org.madcast.client.protocol.Dissemination;

/**
 * Unicast, every link loaded alike (van de Geijn): each rank is given one of {@code size} parts of
 * the message along the binomial tree, and the parts then walk around the ring until everybody has
 * all of them.
 *
 * <p>Part p is made of the fragments whose number modulo the size is p: the whole stays a stream,
 * of which a window is enough. Its way, in distances from the root: down the binomial tree from 0
 * to p, then p + 1, p + 2, ... around, leaving out whom it has visited. Of 5 ranks part 3 goes 0,
 * 1, 3 and then 4, 2.
 */
record ScatterAllgather() implements Dissemination {

    @Override
    public boolean multicasts() {
        return false;
    }

    @Override
    public int parts(int size) {
        return size;
    }

    @Override
    public int child(int index, int part, int rank, int root, int size) {
        int distance = Math.floorMod(rank - root, size);
        if (index > 0) {
            return NONE;
        }
        int next =
                distance != part && isOnWayTo(part, distance)
                        ? distance | Integer.lowestOneBit(part ^ distance)
                        : around(part, distance, size);
        return next == NONE ? NONE : (next + root) % size;
    }

    private static int around(int part, int distance, int size) {
        int next = distance;
        do {
            next = (next + 1) % size;
        } while (next != part && isOnWayTo(part, next));
        return next == part ? NONE : next;
    }

    /** Whether the binomial tree's way from the root to a part's rank passes here. */
    private static boolean isOnWayTo(int part, int distance) {
        int below = distance == 0 ? 0 : 2 * Integer.highestOneBit(distance) - 1;
        return (part & below) == distance;
    }

    @Override
    public int repairSource(int part, int rank, int root, int size) {
        int distance = Math.floorMod(rank - root, size);
        int parent = distance ^ Integer.highestOneBit(distance);
        if (!isOnWayTo(part, distance)) {
            parent = distance;
            do {
                parent = (parent + size - 1) % size;
            } while (parent != part && isOnWayTo(part, parent));
        }
        return (parent + root) % size;
    }
}
