package org.madcast.client.schedule;

/**
 * Rabenseifner's reductions, for long messages and operations that commute: by recursive halving
 * each rank of a power of two gets one part of the result, in log2 P rounds in which it sends a
 * half, a quarter, and so on; then the parts go where they are wanted. Where the number of ranks is
 * no power of two, some ranks first give their input to another (R. Rabenseifner, Optimization of
 * Collective Reduction Operations, 2004).
 *
 * <p>For 4 ranks: 0 and 2 exchange halves, 1 and 3 too; then 0 and 1 exchange quarters, 2 and 3
 * too; rank r has quarter r.
 */
public final class Halving {

    private Halving() {}

    /** Each rank of the core ends with the part of {@code held} that has its number. */
    private static void halve(
            Schedule.Builder out, Fold fold, Counts parts, Slice held, Slice arrived) {
        int first = 0;
        int ranks = fold.core;
        for (int distance = fold.core / 2; distance > 0; distance /= 2) {
            int partner = fold.number ^ distance;
            boolean upper = partner < fold.number;
            ranks /= 2;
            Slice kept = run(held, parts, upper ? first + ranks : first, ranks);
            Slice given = run(held, parts, upper ? first : first + ranks, ranks);
            Slice in = arrived.part(0, kept.count());
            out.receive(fold.rankOf(partner), in).send(fold.rankOf(partner), given);
            out.round().combine(in, kept, upper);
            first = upper ? first + ranks : first;
        }
        out.round();
    }

    private static Slice run(Slice held, Counts parts, int first, int count) {
        long start = parts.offset(first);
        int end = first + count;
        long stop = end == parts.size() ? parts.total() : parts.offset(end);
        return held.part(start, stop - start);
    }

    /** Recursive doubling gathers the parts: 2 log2 P rounds, as many bytes as a ring. */
    public static Schedule allreduce(int size, int rank, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice result = Slice.output(0, count);
        out.copy(Slice.input(0, count), result);
        Slice arrived = out.scratch(count);
        Fold fold = new Fold(size, rank);
        fold.begin(out, result, arrived);
        if (fold.takesPart()) {
            Counts parts = Counts.divided(fold.core, count);
            halve(out, fold, parts, result, arrived);
            for (int distance = 1; distance < fold.core; distance *= 2) {
                int partner = fold.number ^ distance;
                out.receive(
                        fold.rankOf(partner), run(result, parts, partner & -distance, distance));
                out.send(
                        fold.rankOf(partner),
                        run(result, parts, fold.number & -distance, distance));
                out.round();
            }
        }
        fold.end(out, result);
        return out.build();
    }

    /** Each rank of the core sends its part to the root: twice the message's time, not log2 P. */
    public static Schedule reduce(int size, int rank, int root, long count) {
        Schedule.Builder out = new Schedule.Builder();
        Slice held = rank == root ? Slice.output(0, count) : out.scratch(count);
        out.copy(Slice.input(0, count), held);
        Slice arrived = out.scratch(count);
        Fold fold = new Fold(size, rank);
        Counts parts = Counts.divided(fold.core, count);
        fold.begin(out, held, arrived);
        if (fold.takesPart()) {
            halve(out, fold, parts, held, arrived);
            if (rank != root) {
                out.send(root, run(held, parts, fold.number, 1));
            }
        }
        for (int number = 0; rank == root && number < fold.core; number++) {
            if (number != fold.number) {
                out.receive(fold.rankOf(number), run(held, parts, number, 1));
            }
        }
        return out.build();
    }

    /**
     * A rank of the core that takes part for two holds both parts, and sends the other its own.
     *
     * @param counts which part of the result each rank gets, packed
     */
    public static Schedule reduceScatter(int rank, Counts counts) {
        Schedule.Builder out = new Schedule.Builder();
        long total = counts.total();
        Slice held = out.scratch(total);
        out.copy(Slice.input(0, total), held);
        Slice arrived = out.scratch(total);
        Fold fold = new Fold(counts.size(), rank);
        fold.begin(out, held, arrived);
        Slice result = Slice.output(0, counts.count(rank));
        if (!fold.takesPart()) {
            return out.receive(rank + 1, result).build();
        }
        halve(out, fold, ofCore(fold, counts), held, arrived);
        out.copy(held.part(counts.offset(rank), counts.count(rank)), result);
        if (fold.standsForTwo()) {
            out.send(rank - 1, held.part(counts.offset(rank - 1), counts.count(rank - 1)));
        }
        return out.build();
    }

    private static Counts ofCore(Fold fold, Counts counts) {
        long[] core = new long[fold.core];
        for (int rank = 0; rank < counts.size(); rank++) {
            core[fold.numberFor(rank)] += counts.count(rank);
        }
        return Counts.packed(core);
    }
}
