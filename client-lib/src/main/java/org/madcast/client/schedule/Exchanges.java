package org.madcast.client.schedule;

/**
 * Allgather and alltoall without multicast. The input may be the same memory as this rank's own
 * part of the output (in place) for allgather.
 */
public final class Exchanges {

    private Exchanges() {}

    /**
     * A ring: in round k each rank passes on to its right neighbour what it got in the round
     * before, first its own part. P - 1 rounds; each link carries every part but one.
     *
     * <p>For 5 ranks, rank 0 sends the parts 0, 4, 3, 2 to rank 1 and gets 4, 3, 2, 1 from rank 4.
     */
    public static Schedule ringAllgather(int rank, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        out.copy(Slice.input(0, counts.count(rank)), counts.output(rank));
        ring(out, rank, size, counts, rank);
        return out.build();
    }

    /** Rounds after which every rank has all parts, when each has the part {@code first}. */
    static void ring(Schedule.Builder out, int rank, int size, Counts counts, int first) {
        for (int k = 0; k < size - 1; k++) {
            out.receive(
                    Math.floorMod(rank - 1, size),
                    counts.output(Math.floorMod(first - k - 1, size)));
            out.send((rank + 1) % size, counts.output(Math.floorMod(first - k, size)));
            out.round();
        }
    }

    /** Every rank sends its part to all others at once. */
    public static Schedule linearAllgather(int rank, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        out.copy(Slice.input(0, counts.count(rank)), counts.output(rank));
        for (int hop = 1; hop < size; hop++) {
            int from = Math.floorMod(rank - hop, size);
            out.receive(from, counts.output(from));
            out.send((rank + hop) % size, counts.output(rank));
        }
        return out.build();
    }

    /**
     * Bruck's allgather: in round k each rank sends all it has, at most 2^k parts, to the rank 2^k
     * below it, and has twice as many then. ceil(log2 P) rounds for any P; at the end the parts,
     * which lie from the own one on, are turned into place.
     *
     * <p>For 5 ranks, rank 0 has 0; then 0 1; then 0 1 2 3; then 0 1 2 3 4.
     */
    public static Schedule bruckAllgather(int rank, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        long[] turned = new long[size];
        for (int i = 0; i < size; i++) {
            turned[i] = counts.count((rank + i) % size);
        }
        Counts places = Counts.packed(turned);
        Slice all = out.scratch(places.total());
        out.copy(Slice.input(0, counts.count(rank)), all.part(0, turned[0]));
        for (int have = 1; have < size; have *= 2) {
            int more = Math.min(have, size - have);
            long start = places.offset(have);
            long end = have + more == size ? places.total() : places.offset(have + more);
            out.receive((rank + have) % size, all.part(start, end - start));
            int to = Math.floorMod(rank - have, size);
            long sent = more == size ? places.total() : places.offset(more);
            out.send(to, all.part(0, sent));
            out.round();
        }
        for (int i = 0; i < size; i++) {
            out.copy(all.part(places.offset(i), turned[i]), counts.output((rank + i) % size));
        }
        return out.build();
    }

    /**
     * Recursive doubling, for a power of two of ranks with equally many elements, packed: in round
     * k partners at distance 2^k exchange all they have.
     */
    public static Schedule doublingAllgather(int rank, Counts counts) {
        int size = counts.size();
        Schedule.Builder out = new Schedule.Builder();
        out.copy(Slice.input(0, counts.count(rank)), counts.output(rank));
        for (int distance = 1; distance < size; distance *= 2) {
            int partner = rank ^ distance;
            out.receive(partner, block(counts, partner & -distance, distance));
            out.send(partner, block(counts, rank & -distance, distance));
            out.round();
        }
        return out.build();
    }

    private static Slice block(Counts counts, int first, int ranks) {
        long elements = counts.count(first) * ranks;
        return Slice.output(counts.offset(first), elements);
    }

    /** Every rank sends to all others at once. */
    public static Schedule linearAlltoall(int rank, Counts sent, Counts received) {
        int size = sent.size();
        Schedule.Builder out = new Schedule.Builder();
        out.copy(sent.input(rank), received.output(rank));
        for (int hop = 1; hop < size; hop++) {
            int from = Math.floorMod(rank - hop, size);
            int to = (rank + hop) % size;
            out.receive(from, received.output(from));
            out.send(to, sent.input(to));
        }
        return out.build();
    }

    /**
     * Pairwise: in round k each rank sends to the rank k above it and receives from the one k below
     * it, so that no link has two messages at once. P - 1 rounds.
     */
    public static Schedule pairwiseAlltoall(int rank, Counts sent, Counts received) {
        int size = sent.size();
        Schedule.Builder out = new Schedule.Builder();
        out.copy(sent.input(rank), received.output(rank));
        for (int hop = 1; hop < size; hop++) {
            int from = Math.floorMod(rank - hop, size);
            int to = (rank + hop) % size;
            out.receive(from, received.output(from)).send(to, sent.input(to)).round();
        }
        return out.build();
    }

    /**
     * Bruck's alltoall, for short parts of equal length: the part for the rank i above is sent on
     * its way in the rounds whose bits i has. ceil(log2 P) rounds instead of P - 1, each with half
     * of all parts.
     *
     * <p>For 5 ranks the part for the rank 3 above goes 1 up in round 0 and 2 up in round 1.
     */
    public static Schedule bruckAlltoall(int size, int rank, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice parts = out.scratch(size * count);
        Slice packed = out.scratch((size + 1) / 2 * count);
        Slice arrived = out.scratch((size + 1) / 2 * count);
        for (int up = 0; up < size; up++) {
            out.copy(Slice.input((rank + up) % size * count, count), parts.part(up * count, count));
        }
        for (int bit = 1; bit < size; bit *= 2) {
            int n = 0;
            for (int up = bit; up < size; up++) {
                if ((up & bit) != 0) {
                    out.copy(parts.part(up * count, count), packed.part(n++ * count, count));
                }
            }
            out.receive(Math.floorMod(rank - bit, size), arrived.part(0, n * count));
            out.send((rank + bit) % size, packed.part(0, n * count));
            out.round();
            n = 0;
            for (int up = bit; up < size; up++) {
                if ((up & bit) != 0) {
                    out.copy(arrived.part(n++ * count, count), parts.part(up * count, count));
                }
            }
        }
        for (int up = 0; up < size; up++) {
            int from = Math.floorMod(rank - up, size);
            out.copy(parts.part(up * count, count), Slice.output(from * count, count));
        }
        return out.build();
    }
}
