package org.madcast.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.madcast.client.schedule.SymbolicRun.Symbol;

/**
 * Every schedule, proven on symbols: each root of up to 9 ranks, some roots of more. With {@code
 * -Dmadcast.ranks=N} up to N ranks and each root.
 */
class ScheduleTest {

    private static final int ALL = Integer.getInteger("madcast.ranks", 0);
    private static final int SMALL = Math.max(9, ALL);
    private static final int[] SIZES =
            ALL > 0
                    ? IntStream.rangeClosed(1, ALL).toArray()
                    : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17, 33, 64};

    private static long name(int rank, long index) {
        return rank * 1_000_000L + index;
    }

    private static Symbol[] own(int rank, long count) {
        Symbol[] symbols = new Symbol[(int) count];
        Arrays.setAll(symbols, i -> new Symbol(name(rank, i), List.of(rank)));
        return symbols;
    }

    /** What a reduction gets: the same names on every rank. */
    private static Symbol[] operand(int rank, long count) {
        Symbol[] symbols = new Symbol[(int) count];
        Arrays.setAll(symbols, i -> new Symbol(i, List.of(rank)));
        return symbols;
    }

    private static int[] roots(int size) {
        return size <= SMALL
                ? IntStream.range(0, size).toArray()
                : new int[] {0, 1, size / 2, size - 1};
    }

    /** So that no rank answers another before it has announced its own message. */
    @Test
    void receivesOfARoundComeLast() {
        Slice data = Slice.input(0, 1);
        Slice into = Slice.output(0, 1);
        Schedule schedule =
                new Schedule.Builder()
                        .copy(data, Slice.scratch(0, 1))
                        .receive(1, into)
                        .send(1, data)
                        .receive(2, into)
                        .send(2, data)
                        .build();
        assertThat(schedule.rounds())
                .containsExactly(
                        List.of(
                                new Step.Copy(data, Slice.scratch(0, 1)),
                                new Step.Send(1, data),
                                new Step.Send(2, data),
                                new Step.Receive(1, into),
                                new Step.Receive(2, into)));
    }

    @Test
    void aThousandRanksEndToo() {
        int size = 1024;
        assertBroadcast(size, 1, 1, r -> Rooted.binomialBroadcast(size, r, 1, 1));
        assertBarrier(size, r -> Rooted.dissemination(size, r, 3));
        assertReduce(size, 5, false, r -> Reductions.binomialReduce(size, r, 5, 3));
        assertAllreduce(size, 1, true, r -> Reductions.doublingAllreduce(size, r, 1));
        assertAllreduce(size, 1, true, r -> Reductions.treeAllreduce(size, r, 1));
    }

    private static Counts uneven(int size) {
        long[] counts = new long[size];
        Arrays.setAll(counts, i -> i % 4 == 3 ? 0 : 1 + i % 5);
        return Counts.packed(counts);
    }

    /** With gaps, and the ranks in another order. */
    private static Counts scattered(int size) {
        Counts uneven = uneven(size);
        long[] counts = IntStream.range(0, size).mapToLong(uneven::count).toArray();
        long[] offsets = new long[size];
        long next = 2;
        for (int i = size - 1; i >= 0; i--) {
            offsets[i] = next;
            next += counts[i] + 1;
        }
        return new Counts(counts, offsets);
    }

    @Test
    void nobodyLeavesABarrierBeforeAllHaveEntered() {
        for (int size : SIZES) {
            List<IntFunction<Schedule>> barriers = new ArrayList<>();
            int ranks = size;
            for (int ways = 1; ways <= 4; ways++) {
                int n = ways;
                barriers.add(rank -> Rooted.dissemination(ranks, rank, n));
            }
            barriers.add(rank -> Rooted.treeBarrier(ranks, rank));
            barriers.forEach(each -> assertBarrier(ranks, each));
        }
    }

    private static void assertBarrier(int size, IntFunction<Schedule> barrier) {
        for (java.util.BitSet each : heard(size, barrier)) {
            assertThat(each.cardinality()).isEqualTo(size);
        }
    }

    /** Whom each rank has heard from: each message carries whom its sender has heard from. */
    private static java.util.BitSet[] heard(int size, IntFunction<Schedule> of) {
        List<Schedule> schedules = IntStream.range(0, size).mapToObj(of).toList();
        SymbolicRun run = new SymbolicRun(size, schedules::get);
        for (int rank = 0; rank < size; rank++) {
            run.memory(new Symbol[0], 0, -1);
        }
        run.run();
        java.util.BitSet[] heard = new java.util.BitSet[size];
        for (int rank = 0; rank < size; rank++) {
            heard[rank] = new java.util.BitSet();
            heard[rank].set(rank);
        }
        HeardFrom.run(schedules, heard);
        return heard;
    }

    @Test
    void theDisseminationBarrierTakesLogarithmicallyManyRounds() {
        assertThat(Rooted.dissemination(16, 3, 1).rounds()).hasSize(4);
        assertThat(Rooted.dissemination(16, 3, 3).rounds()).hasSize(2);
        assertThat(Rooted.dissemination(1, 0, 1).rounds()).isEmpty();
    }

    @Test
    void everyRankHasTheRootsMessage() {
        for (int size : SIZES) {
            for (int root : roots(size)) {
                assertBroadcast(size, root, 3, r -> Rooted.binomialBroadcast(size, r, root, 3));
                for (int pieces : new int[] {1, 2, 5}) {
                    assertBroadcast(
                            size, root, 7, r -> Rooted.chainBroadcast(size, r, root, 7, pieces));
                }
                assertBroadcast(size, root, 0, r -> Rooted.chainBroadcast(size, r, root, 0, 2));
                for (long count : new long[] {0, 1, size, 2L * size + 3}) {
                    assertBroadcast(
                            size,
                            root,
                            count,
                            r -> Rooted.scatterAllgatherBroadcast(size, r, root, count));
                }
            }
        }
    }

    private static void assertBroadcast(
            int size, int root, long count, IntFunction<Schedule> schedule) {
        SymbolicRun run = new SymbolicRun(size, schedule);
        for (int rank = 0; rank < size; rank++) {
            run.memory(
                    rank == root ? own(rank, count) : new Symbol[0], count, rank == root ? 0 : -1);
        }
        run.run();
        for (int rank = 0; rank < size; rank++) {
            assertThat(run.output(rank)).isEqualTo(own(root, count));
        }
    }

    @Test
    void theRootGathersAllParts() {
        for (int size : SIZES) {
            for (Counts counts : List.of(Counts.even(size, 2), uneven(size), scattered(size))) {
                for (int root : roots(size)) {
                    assertGather(counts, root, r -> Rooted.linearGather(r, root, counts));
                    assertGather(counts, root, r -> Rooted.binomialGather(r, root, counts));
                }
            }
        }
    }

    private static void assertGather(Counts counts, int root, IntFunction<Schedule> schedule) {
        for (boolean inPlace : new boolean[] {false, true}) {
            SymbolicRun run = new SymbolicRun(counts.size(), schedule);
            for (int rank = 0; rank < counts.size(); rank++) {
                int place = inPlace && rank == root ? (int) counts.offset(rank) : -1;
                long output = rank == root ? counts.extent() : 0;
                run.memory(own(rank, counts.count(rank)), output, place);
            }
            assertParts(run.run().output(root), counts);
        }
    }

    private static void assertParts(Symbol[] output, Counts counts) {
        for (int from = 0; from < counts.size(); from++) {
            int start = (int) counts.offset(from);
            int end = start + (int) counts.count(from);
            assertThat(Arrays.copyOfRange(output, start, end))
                    .isEqualTo(own(from, counts.count(from)));
        }
        assertThat(Arrays.stream(output).filter(it -> it != null).count())
                .isEqualTo(counts.total());
    }

    @Test
    void theRootScattersItsParts() {
        for (int size : SIZES) {
            for (Counts counts : List.of(Counts.even(size, 2), uneven(size), scattered(size))) {
                for (int root : roots(size)) {
                    assertScatter(counts, root, r -> Rooted.linearScatter(r, root, counts));
                    assertScatter(counts, root, r -> Rooted.binomialScatter(r, root, counts));
                }
            }
        }
    }

    private static void assertScatter(Counts counts, int root, IntFunction<Schedule> schedule) {
        SymbolicRun run = new SymbolicRun(counts.size(), schedule);
        Symbol[] all = own(root, counts.extent());
        for (int rank = 0; rank < counts.size(); rank++) {
            run.memory(rank == root ? all : new Symbol[0], counts.count(rank), -1);
        }
        run.run();
        for (int rank = 0; rank < counts.size(); rank++) {
            int start = (int) counts.offset(rank);
            int end = start + (int) counts.count(rank);
            assertThat(run.output(rank)).isEqualTo(Arrays.copyOfRange(all, start, end));
        }
    }

    private static Ring anyRing(int size) {
        List<Integer> ranks = new ArrayList<>(IntStream.range(0, size).boxed().toList());
        Collections.shuffle(ranks, new Random(size));
        return new Ring(ranks.stream().mapToInt(Integer::intValue).toArray());
    }

    @Test
    void everyRankGathersAllParts() {
        for (int size : SIZES) {
            for (Counts counts : List.of(Counts.even(size, 2), uneven(size), scattered(size))) {
                if (size <= 100) {
                    assertAllgather(counts, r -> Exchanges.ringAllgather(r, counts));
                    assertAllgather(counts, r -> anyRing(size).allgather(r, counts));
                    assertAllgather(counts, r -> Exchanges.linearAllgather(r, counts));
                }
                if (size <= 100 || counts.offset(0) == 0) {
                    assertAllgather(counts, r -> Exchanges.bruckAllgather(r, counts));
                }
            }
            if (Integer.bitCount(size) == 1) {
                Counts even = Counts.even(size, 2);
                assertAllgather(even, r -> Exchanges.doublingAllgather(r, even));
            }
        }
        assertThat(Exchanges.bruckAllgather(0, Counts.even(5, 1)).rounds()).hasSize(3 + 1);
    }

    private static void assertAllgather(Counts counts, IntFunction<Schedule> schedule) {
        for (boolean inPlace : new boolean[] {false, true}) {
            SymbolicRun run = new SymbolicRun(counts.size(), schedule);
            for (int rank = 0; rank < counts.size(); rank++) {
                run.memory(
                        own(rank, counts.count(rank)),
                        counts.extent(),
                        inPlace ? (int) counts.offset(rank) : -1);
            }
            run.run();
            for (int rank = 0; rank < counts.size(); rank++) {
                assertParts(run.output(rank), counts);
            }
        }
    }

    @Test
    void everyRankHasAPartOfEveryOther() {
        for (int size : SIZES) {
            if (size > 100) {
                continue;
            }
            assertAlltoall(size, r -> Exchanges.linearAlltoall(r, sent(size, r), got(size, r)));
            assertAlltoall(size, r -> Exchanges.pairwiseAlltoall(r, sent(size, r), got(size, r)));
            Counts even = Counts.even(size, 3);
            SymbolicRun run = new SymbolicRun(size, r -> Exchanges.bruckAlltoall(size, r, 3));
            for (int rank = 0; rank < size; rank++) {
                run.memory(own(rank, 3L * size), 3L * size, -1);
            }
            run.run();
            for (int rank = 0; rank < size; rank++) {
                for (int from = 0; from < size; from++) {
                    assertThat(Arrays.copyOfRange(run.output(rank), 3 * from, 3 * from + 3))
                            .isEqualTo(
                                    Arrays.copyOfRange(
                                            own(from, even.total()), 3 * rank, 3 * rank + 3));
                }
            }
        }
    }

    private static long amount(int from, int to) {
        return (3L * from + to) % 4;
    }

    private static Counts sent(int size, int rank) {
        return Counts.packed(IntStream.range(0, size).mapToLong(to -> amount(rank, to)).toArray());
    }

    private static Counts got(int size, int rank) {
        return Counts.packed(
                IntStream.range(0, size).mapToLong(from -> amount(from, rank)).toArray());
    }

    private static void assertAlltoall(int size, IntFunction<Schedule> schedule) {
        SymbolicRun run = new SymbolicRun(size, schedule);
        for (int rank = 0; rank < size; rank++) {
            run.memory(own(rank, sent(size, rank).total()), got(size, rank).total(), -1);
        }
        run.run();
        for (int rank = 0; rank < size; rank++) {
            for (int from = 0; from < size; from++) {
                int there = (int) sent(size, from).offset(rank);
                int here = (int) got(size, rank).offset(from);
                int count = (int) amount(from, rank);
                assertThat(Arrays.copyOfRange(run.output(rank), here, here + count))
                        .isEqualTo(
                                Arrays.copyOfRange(
                                        own(from, sent(size, from).total()), there, there + count));
            }
        }
    }

    /** All contributions of the ranks from 0 to last - 1, in order or not. */
    private static void assertResult(Symbol[] output, long first, int last, boolean ordered) {
        List<Integer> all = IntStream.range(0, last).boxed().toList();
        for (int i = 0; i < output.length; i++) {
            assertThat(output[i].name()).isEqualTo(first + i);
            List<Integer> ranks = output[i].ranks();
            assertThat(ordered ? ranks : ranks.stream().sorted().toList()).isEqualTo(all);
        }
    }

    @Test
    void theRootHasTheResult() {
        for (int size : SIZES) {
            for (int root : roots(size)) {
                assertReduce(size, root, true, r -> Reductions.orderedReduce(size, r, root, 3));
                assertReduce(size, root, false, r -> Reductions.binomialReduce(size, r, root, 3));
                assertReduce(size, root, false, r -> Halving.reduce(size, r, root, 3));
            }
        }
    }

    private static void assertReduce(
            int size, int root, boolean ordered, IntFunction<Schedule> schedule) {
        for (boolean inPlace : new boolean[] {false, true}) {
            SymbolicRun run = new SymbolicRun(size, schedule);
            for (int rank = 0; rank < size; rank++) {
                boolean here = rank == root;
                run.memory(operand(rank, 3), here ? 3 : 0, inPlace && here ? 0 : -1);
            }
            assertResult(run.run().output(root), 0, size, ordered);
        }
    }

    @Test
    void everyRankHasTheResult() {
        for (int size : SIZES) {
            for (long count : size <= SMALL ? new long[] {0, 1, 5, 40} : new long[] {3}) {
                assertAllreduce(
                        size, count, true, r -> Reductions.doublingAllreduce(size, r, count));
                assertAllreduce(size, count, true, r -> Reductions.treeAllreduce(size, r, count));
                assertAllreduce(size, count, false, r -> Halving.allreduce(size, r, count));
                if (size <= 100) {
                    assertAllreduce(
                            size, count, false, r -> Reductions.ringAllreduce(size, r, count));
                    assertAllreduce(size, count, false, r -> anyRing(size).allreduce(r, count));
                }
            }
        }
    }

    private static void assertAllreduce(
            int size, long count, boolean ordered, IntFunction<Schedule> schedule) {
        for (boolean inPlace : new boolean[] {false, true}) {
            SymbolicRun run = new SymbolicRun(size, schedule);
            for (int rank = 0; rank < size; rank++) {
                run.memory(operand(rank, count), count, inPlace ? 0 : -1);
            }
            run.run();
            assertResult(run.output(0), 0, size, ordered);
            for (int rank = 0; rank < size; rank++) {
                assertThat(run.output(rank)).hasSize((int) count);
                assertThat(run.output(rank)).isEqualTo(run.output(0)); // to the last bit
            }
        }
    }

    @Test
    void theRingsLinksCarryTheLeast() {
        SymbolicRun run = new SymbolicRun(8, r -> Reductions.ringAllreduce(8, r, 80));
        for (int rank = 0; rank < 8; rank++) {
            run.memory(operand(rank, 80), 80, -1);
        }
        assertThat(run.run().sentElements).isEqualTo(8L * 2 * 7 * 10);
    }

    @Test
    void everyRankHasItsPartOfTheResult() {
        for (int size : SIZES) {
            if (size > 100) {
                continue;
            }
            for (LongFunction<Counts> shape :
                    List.<LongFunction<Counts>>of(c -> Counts.even(size, c), _ -> uneven(size))) {
                Counts counts = shape.apply(2);
                assertReduceScatter(counts, false, r -> Reductions.ringReduceScatter(r, counts));
                assertReduceScatter(counts, false, r -> Halving.reduceScatter(r, counts));
                assertReduceScatter(counts, false, r -> anyRing(size).reduceScatter(r, counts));
                assertReduceScatter(counts, true, r -> Reductions.linearReduceScatter(r, counts));
            }
        }
    }

    private static void assertReduceScatter(
            Counts counts, boolean ordered, IntFunction<Schedule> schedule) {
        SymbolicRun run = new SymbolicRun(counts.size(), schedule);
        for (int rank = 0; rank < counts.size(); rank++) {
            run.memory(operand(rank, counts.total()), counts.count(rank), -1);
        }
        run.run();
        for (int rank = 0; rank < counts.size(); rank++) {
            assertResult(run.output(rank), counts.offset(rank), counts.size(), ordered);
        }
    }

    @Test
    void aRankHasTheResultOfThoseBelowIt() {
        for (int size : SIZES) {
            for (boolean inPlace : new boolean[] {false, true}) {
                SymbolicRun scan = new SymbolicRun(size, r -> Reductions.scan(size, r, 2));
                SymbolicRun below =
                        new SymbolicRun(size, r -> Reductions.exclusiveScan(size, r, 2));
                for (int rank = 0; rank < size; rank++) {
                    scan.memory(operand(rank, 2), 2, inPlace ? 0 : -1);
                    below.memory(operand(rank, 2), 2, inPlace ? 0 : -1);
                }
                scan.run();
                below.run();
                for (int rank = 0; rank < size; rank++) {
                    assertResult(scan.output(rank), 0, rank + 1, true);
                    if (rank > 0) {
                        assertResult(below.output(rank), 0, rank, true);
                    }
                }
            }
        }
    }

    @Test
    void neighboursExchangeOnATorus() {
        int side = 4;
        int size = side * side;
        IntFunction<int[]> neighbours =
                rank -> {
                    int x = rank % side;
                    int y = rank / side;
                    return new int[] {
                        y * side + (x + 1) % side,
                        y * side + (x + side - 1) % side,
                        (y + 1) % side * side + x,
                        (y + side - 1) % side * side + x
                    };
                };
        Counts parts = Counts.even(4, 2);
        SymbolicRun run =
                new SymbolicRun(
                        size,
                        r ->
                                Rooted.neighbourAlltoall(
                                        neighbours.apply(r), neighbours.apply(r), parts, parts));
        for (int rank = 0; rank < size; rank++) {
            run.memory(own(rank, 8), 8, -1);
        }
        run.run();
        for (int rank = 0; rank < size; rank++) {
            for (int i = 0; i < 4; i++) {
                int atSource = 2 * (i ^ 1);
                assertThat(Arrays.copyOfRange(run.output(rank), 2 * i, 2 * i + 2))
                        .isEqualTo(
                                Arrays.copyOfRange(
                                        own(neighbours.apply(rank)[i], 8), atSource, atSource + 2));
            }
        }
    }
}
