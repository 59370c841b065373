package org.madcast.client.schedule;

/**
 * Reduce, allreduce, reduce-scatter and scan without multicast. Those that say so keep the order of
 * the ranks, as operations that do not commute need; all are deterministic for a number of ranks.
 * The input may be the same memory as the output, or as this rank's part of it (in place).
 */
public final class Reductions {

    private Reductions() {}

    /** Up a binomial tree: the root's own, or rank 0's where the order counts. */
    public static Schedule treeReduce(int size, int rank, int root, long count, boolean commutes) {
        return commutes
                ? binomialReduce(size, rank, root, count)
                : orderedReduce(size, rank, root, count);
    }

    /**
     * Up a binomial tree to rank 0, which passes the result on to the root. In order: a rank's
     * partial result is always that of the ranks from itself to the end of its subtree.
     *
     * <p>For 5 ranks: 1 sends to 0, 3 to 2; 2 sends the result of 2 and 3 to 0; then 4 to 0.
     */
    static Schedule orderedReduce(int size, int rank, int root, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice result = rank == root ? Slice.output(0, count) : out.scratch(count);
        up(out, size, rank, 0, count, result);
        if (root != 0) {
            if (rank == 0) {
                out.send(root, result);
            } else if (rank == root) {
                out.round().receive(0, result);
            }
        }
        return out.build();
    }

    /** Up a binomial tree whose root is the call's; for operations that commute. */
    static Schedule binomialReduce(int size, int rank, int root, long count) {
        Schedule.Builder out = new Schedule.Builder();
        up(
                out,
                size,
                rank,
                root,
                count,
                rank == root ? Slice.output(0, count) : out.scratch(count));
        return out.build();
    }

    /**
     * Up a binomial tree to rank 0, in order, and down again: fewer messages than any other, in
     * twice as many rounds as recursive doubling has.
     *
     * <p>For 5 ranks: up as {@link #orderedReduce}; then 0 sends the result to 4, 2 and 1, and 2 to
     * 3.
     */
    public static Schedule treeAllreduce(int size, int rank, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice result = Slice.output(0, count);
        up(out, size, rank, 0, count, result);
        Rooted.down(out, size, rank, 0, result);
        return out.build();
    }

    private static void up(
            Schedule.Builder out, int size, int rank, int root, long count, Slice result) {
        int relative = Math.floorMod(rank - root, size);
        out.copy(Slice.input(0, count), result);
        Slice arrived = out.scratch(count);
        for (int bit = 1; bit < size; bit *= 2) {
            if ((relative & bit) != 0) {
                out.round().send((relative - bit + root) % size, result).round();
                return;
            }
            if (relative + bit < size) {
                out.receive((relative + bit + root) % size, arrived);
                out.combine(arrived, result, false);
            }
        }
        out.round();
    }

    /**
     * Recursive doubling: in round k partners at distance 2^k exchange their results and combine
     * them. With no power of two of ranks, of the first 2r ranks each even one first gives its
     * input to the odd one above it, and gets the result at the end. In order.
     *
     * <p>For 5 ranks: 0 gives to 1; then 1 and 2 exchange, 3 and 4; then 1 and 3, 2 and 4; then 1
     * gives the result to 0.
     */
    public static Schedule doublingAllreduce(int size, int rank, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice result = Slice.output(0, count);
        out.copy(Slice.input(0, count), result);
        Slice arrived = out.scratch(count);
        Fold fold = new Fold(size, rank);
        fold.begin(out, result, arrived);
        if (fold.takesPart()) {
            for (int distance = 1; distance < fold.core; distance *= 2) {
                int partner = fold.number ^ distance;
                out.receive(fold.rankOf(partner), arrived).send(fold.rankOf(partner), result);
                out.round().combine(arrived, result, partner < fold.number);
            }
            out.round();
        }
        fold.end(out, result);
        return out.build();
    }

    /**
     * A ring, for long messages and operations that commute: P - 1 rounds in which partial results
     * of one part each go round and grow, then P - 1 in which the finished parts go round. Each
     * link carries 2 (P - 1) / P of the message, which is the least possible.
     */
    public static Schedule ringAllreduce(int size, int rank, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Counts parts = Counts.divided(size, count);
        Slice result = Slice.output(0, count);
        out.copy(Slice.input(0, count), result);
        Slice arrived = out.scratch(parts.count(0));
        // Begins one part lower, so that rank r ends with part r + 1 complete, the first to pass
        // on.
        reduceRing(out, size, rank, parts, result, arrived, rank);
        Exchanges.ring(out, rank, size, parts, (rank + 1) % size);
        return out.build();
    }

    /**
     * After these rounds the part {@code first + 1} of {@code held} is complete on this rank.
     *
     * @param first the part that this rank sends first
     */
    private static void reduceRing(
            Schedule.Builder out,
            int size,
            int rank,
            Counts parts,
            Slice held,
            Slice arrived,
            int first) {
        for (int k = 0; k < size - 1; k++) {
            int sent = Math.floorMod(first - k, size);
            int got = Math.floorMod(first - k - 1, size);
            Slice into = held.part(parts.offset(got), parts.count(got));
            Slice from = arrived.part(0, parts.count(got));
            out.receive(Math.floorMod(rank - 1, size), from);
            out.send((rank + 1) % size, held.part(parts.offset(sent), parts.count(sent)));
            out.round().combine(from, into, true);
        }
        out.round();
    }

    /**
     * A ring: partial results of one part each go round and grow. For operations that commute.
     *
     * @param counts which part of the result each rank gets, packed
     */
    public static Schedule ringReduceScatter(int rank, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        Slice held = out.scratch(counts.total());
        out.copy(Slice.input(0, counts.total()), held);
        long longest = counts.longest();
        Slice arrived = out.scratch(longest);
        reduceRing(out, size, rank, counts, held, arrived, Math.floorMod(rank - 1, size));
        out.copy(
                held.part(counts.offset(rank), counts.count(rank)),
                Slice.output(0, counts.count(rank)));
        return out.build();
    }

    /** Every rank sends each part to the rank that combines it, in order. One round. */
    public static Schedule linearReduceScatter(int rank, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        long own = counts.count(rank);
        Slice arrived = out.scratch(size * own);
        out.copy(counts.input(rank), arrived.part(rank * own, own));
        for (int hop = 1; hop < size; hop++) {
            int from = Math.floorMod(rank - hop, size);
            int to = (rank + hop) % size;
            out.receive(from, arrived.part(from * own, own)).send(to, counts.input(to));
        }
        out.round();
        Slice result = Slice.output(0, own);
        out.copy(arrived.part((size - 1) * own, own), result);
        for (int from = size - 2; from >= 0; from--) {
            out.combine(arrived.part(from * own, own), result, true);
        }
        return out.build();
    }

    /**
     * The result of the ranks 0 to this one (MPI_Scan), by recursive doubling: in round k each rank
     * sends the result of the last 2^k ranks up to itself to the rank 2^k above it. In order.
     *
     * <p>For 5 ranks, rank 4 gets 3's input, then the result of 1 and 2, then that of 0.
     */
    public static Schedule scan(int size, int rank, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice result = Slice.output(0, count);
        Slice arrived = out.scratch(count);
        out.copy(Slice.input(0, count), result);
        for (int distance = 1; distance < size; distance *= 2) {
            exchangeUp(out, size, rank, distance, result, arrived);
            if (rank >= distance) {
                out.combine(arrived, result, true);
            }
        }
        return out.build();
    }

    /** The result of the ranks below this one (MPI_Exscan); rank 0's output stays as it is. */
    public static Schedule exclusiveScan(int size, int rank, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice result = Slice.output(0, count);
        Slice partial = out.scratch(count);
        Slice arrived = out.scratch(count);
        out.copy(Slice.input(0, count), partial);
        for (int distance = 1; distance < size; distance *= 2) {
            exchangeUp(out, size, rank, distance, partial, arrived);
            if (rank >= distance) {
                if (distance == 1) {
                    out.copy(arrived, result);
                } else {
                    out.combine(arrived, result, true);
                }
                out.combine(arrived, partial, true);
            }
        }
        return out.build();
    }

    private static void exchangeUp(
            Schedule.Builder out, int size, int rank, int distance, Slice data, Slice arrived) {
        if (rank >= distance) {
            out.receive(rank - distance, arrived);
        }
        if (rank + distance < size) {
            out.send(rank + distance, data);
        }
        out.round();
    }
}
