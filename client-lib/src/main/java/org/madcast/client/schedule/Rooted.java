package org.madcast.client.schedule;

/**
 * Barrier, broadcast, gather and scatter without multicast.
 *
 * <p>Trees are binomial (MPI libraries' usual one): with ranks counted from the root, rank v's
 * parent is v without its lowest bit, and its subtree are the ranks v to v + lowbit(v) - 1. For 5
 * ranks: 0 has the children 1, 2 and 4, and 2 has the child 3.
 */
public final class Rooted {

    private static final Slice NOTHING = Slice.output(0, 0);

    private Rooted() {}

    /**
     * The n-way dissemination barrier (Hoefler, section II.3.1): in round k each rank notifies the
     * ranks at the distances i (n+1)^k, i = 1 to n, and so after ceil(log_(n+1) P) rounds has
     * heard, indirectly, from all.
     *
     * <p>For 5 ranks and n = 1, rank 0 notifies 1, 2 and 4 and hears from 4, 3 and 1.
     */
    public static Schedule dissemination(int size, int rank, int ways) {
        Schedule.Builder out = new Schedule.Builder();
        for (long distance = 1; distance < size; distance *= ways + 1) {
            for (int i = 1; i <= ways && i * distance < size; i++) {
                int hop = (int) (i * distance);
                out.receive(Math.floorMod(rank - hop, size), NOTHING);
                out.send((rank + hop) % size, NOTHING);
            }
            out.round();
        }
        return out.build();
    }

    /** A barrier up a binomial tree to rank 0 and down again. */
    public static Schedule treeBarrier(int size, int rank) {
        Schedule.Builder out = new Schedule.Builder();
        for (int bit = subtree(rank, size) >> 1; bit > 0; bit >>= 1) {
            if (rank + bit < size) {
                out.receive(rank + bit, NOTHING);
            }
        }
        out.round();
        if (rank > 0) {
            int parent = rank - Integer.lowestOneBit(rank);
            out.send(parent, NOTHING).round().receive(parent, NOTHING).round();
        }
        toChildren(out, size, rank, 0, NOTHING);
        return out.build();
    }

    /** Down a binomial tree; the message is in the output buffer of every rank. */
    public static Schedule binomialBroadcast(int size, int rank, int root, long count) {
        Schedule.Builder out = new Schedule.Builder();
        down(out, size, rank, root, Slice.output(0, count));
        return out.build();
    }

    /** Adds the steps of a binomial broadcast of a slice. */
    static void down(Schedule.Builder out, int size, int rank, int root, Slice all) {
        int relative = Math.floorMod(rank - root, size);
        if (relative > 0) {
            int parent = relative - Integer.lowestOneBit(relative);
            out.receive((parent + root) % size, all).round();
        }
        toChildren(out, size, relative, root, all);
    }

    private static void toChildren(
            Schedule.Builder out, int size, int relative, int root, Slice data) {
        for (int bit = subtree(relative, size) >> 1; bit > 0; bit >>= 1) {
            if (relative + bit < size) {
                out.send((relative + bit + root) % size, data);
            }
        }
    }

    /** The ranks of a subtree, if there were a power of two of them in all. */
    private static int subtree(int relative, int size) {
        return relative == 0 ? ceilingPowerOfTwo(size) : Integer.lowestOneBit(relative);
    }

    static int ceilingPowerOfTwo(int size) {
        return size <= 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
    }

    /**
     * Along a chain from the root, in pieces: while one piece is passed on the next one arrives.
     */
    public static Schedule chainBroadcast(int size, int rank, int root, long count, int pieces) {
        Schedule.Builder out = new Schedule.Builder();
        int relative = Math.floorMod(rank - root, size);
        int before = Math.floorMod(rank - 1, size);
        int next = (rank + 1) % size;
        Counts parts = Counts.divided(pieces, count);
        for (int piece = 0; piece <= pieces; piece++) {
            if (relative > 0 && piece < pieces) {
                out.receive(before, parts.output(piece));
            }
            if (relative < size - 1 && piece > 0) {
                out.send(next, parts.output(piece - 1));
            }
            out.round();
        }
        return out.build();
    }

    /**
     * Scatters equal parts down a binomial tree, then passes them around a ring (van de Geijn's):
     * each rank sends the message about twice, however many ranks there are.
     *
     * <p>For 5 ranks and root 0: rank 0 sends the parts 4 to rank 4, 2 and 3 to rank 2, 1 to rank
     * 1; rank 2 sends part 3 to rank 3. Then each rank passes its part on to the right.
     */
    public static Schedule scatterAllgatherBroadcast(int size, int rank, int root, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Counts parts = Counts.divided(size, count);
        int relative = Math.floorMod(rank - root, size);
        if (relative > 0) {
            int parent = relative - Integer.lowestOneBit(relative);
            out.receive((parent + root) % size, subtreeParts(parts, relative)).round();
        }
        for (int bit = subtree(relative, size) >> 1; bit > 0; bit >>= 1) {
            int child = relative + bit;
            if (child < size) {
                out.send((child + root) % size, subtreeParts(parts, child));
            }
        }
        out.round();
        Exchanges.ring(out, rank, size, parts, relative);
        return out.build();
    }

    private static Slice subtreeParts(Counts parts, int relative) {
        int end = Math.min(parts.size(), relative + subtree(relative, parts.size()));
        return Slice.output(parts.offset(relative), range(parts, relative, end));
    }

    /** Every rank sends to the root at once. */
    public static Schedule linearGather(int rank, int root, Counts counts) {
        Schedule.Builder out = new Schedule.Builder();
        Slice own = Slice.input(0, counts.count(rank));
        if (rank != root) {
            return out.send(root, own).build();
        }
        out.copy(own, counts.output(rank));
        for (int from = 0; from < counts.size(); from++) {
            if (from != root) {
                out.receive(from, counts.output(from));
            }
        }
        return out.build();
    }

    /** The root sends to every rank at once. */
    public static Schedule linearScatter(int rank, int root, Counts counts) {
        Schedule.Builder out = new Schedule.Builder();
        Slice own = Slice.output(0, counts.count(rank));
        if (rank != root) {
            return out.receive(root, own).build();
        }
        out.copy(counts.input(rank), own);
        for (int to = 0; to < counts.size(); to++) {
            if (to != root) {
                out.send(to, counts.input(to));
            }
        }
        return out.build();
    }

    /**
     * Up a binomial tree, each rank with what its subtree has contributed. For 5 ranks and root 0:
     * 1 sends to 0 and 3 to 2; then 2 sends the parts of 2 and 3 to 0, and 4 its own.
     */
    public static Schedule binomialGather(int rank, int root, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        int relative = Math.floorMod(rank - root, size);
        Counts turned = turned(counts, root);
        int end = Math.min(size, relative + subtree(relative, size));
        long base = turned.offset(relative);
        Slice gathered = out.scratch(range(turned, relative, end));
        out.copy(Slice.input(0, counts.count(rank)), gathered.part(0, turned.count(relative)));
        for (int bit = 1; bit < subtree(relative, size); bit <<= 1) {
            int child = relative + bit;
            if (child < size) {
                long elements = range(turned, child, Math.min(size, child + bit));
                out.receive(
                        (child + root) % size,
                        gathered.part(turned.offset(child) - base, elements));
            }
        }
        out.round();
        if (relative > 0) {
            int parent = relative - Integer.lowestOneBit(relative);
            return out.send((parent + root) % size, gathered).build();
        }
        for (int each = 0; each < size; each++) {
            out.copy(
                    gathered.part(turned.offset(each), turned.count(each)),
                    counts.output((each + root) % size));
        }
        return out.build();
    }

    /** Down a binomial tree, each rank with what its subtree gets: the gather, backwards. */
    public static Schedule binomialScatter(int rank, int root, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        int relative = Math.floorMod(rank - root, size);
        Counts turned = turned(counts, root);
        int end = Math.min(size, relative + subtree(relative, size));
        long base = turned.offset(relative);
        Slice held = out.scratch(range(turned, relative, end));
        if (relative > 0) {
            int parent = relative - Integer.lowestOneBit(relative);
            out.receive((parent + root) % size, held).round();
        } else {
            for (int each = 0; each < size; each++) {
                out.copy(
                        counts.input((each + root) % size),
                        held.part(turned.offset(each), turned.count(each)));
            }
        }
        out.copy(held.part(0, turned.count(relative)), Slice.output(0, counts.count(rank)));
        for (int bit = subtree(relative, size) >> 1; bit > 0; bit >>= 1) {
            int child = relative + bit;
            if (child < size) {
                long elements = range(turned, child, Math.min(size, child + bit));
                out.send((child + root) % size, held.part(turned.offset(child) - base, elements));
            }
        }
        return out.build();
    }

    /** The counts in the order of the ranks from the root on, packed. */
    private static Counts turned(Counts counts, int root) {
        long[] turned = new long[counts.size()];
        for (int i = 0; i < turned.length; i++) {
            turned[i] = counts.count((i + root) % turned.length);
        }
        return Counts.packed(turned);
    }

    private static long range(Counts packed, int from, int to) {
        return to == packed.size()
                ? packed.total() - packed.offset(from)
                : packed.offset(to) - packed.offset(from);
    }

    /**
     * Along the edges of a graph, all at once: each destination gets a part of the input of its
     * own. Where a rank is a source twice, what it sends first is the first of the two to come.
     */
    public static Schedule neighbourAlltoall(
            int[] sources, int[] destinations, Counts sent, Counts received) {
        Schedule.Builder out = new Schedule.Builder();
        for (int i = 0; i < sources.length; i++) {
            out.receive(sources[i], received.output(i));
        }
        for (int i = 0; i < destinations.length; i++) {
            out.send(destinations[i], sent.input(i));
        }
        return out.build();
    }
}
