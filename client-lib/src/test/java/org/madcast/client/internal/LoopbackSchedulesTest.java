package org.madcast.client.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Collective;
import org.madcast.client.Communicator;
import org.madcast.client.ElementType;
import org.madcast.client.MismatchException;
import org.madcast.client.OperationException;
import org.madcast.client.Parts;
import org.madcast.client.ReduceOperation;
import org.madcast.client.ReduceOperation.Kind;

/** Collective operations besides the broadcast, through the public interface. */
@Timeout(180)
class LoopbackSchedulesTest {

    private static MemorySegment of(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    private static MemorySegment of(long value) {
        return MemorySegment.ofArray(new long[] {value});
    }

    private static MemorySegment of(double[] values) {
        return MemorySegment.ofArray(values);
    }

    private static byte[] joined(int size, int bytes) {
        byte[] all = new byte[size * bytes];
        for (int rank = 0; rank < size; rank++) {
            System.arraycopy(content(rank, bytes), 0, all, rank * bytes, bytes);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 9})
    void everyoneGetsWhatTheOperationPromises(int ranks) throws Exception {
        for (int bytes : new int[] {0, 1, 1000, 50_000}) {
            onEveryRank(
                    ranks,
                    world -> {
                        movesBytes(world, bytes);
                        reduces(world, bytes);
                        return 0;
                    });
        }
    }

    static void movesBytes(Communicator world, int bytes) {
        int size = world.size();
        byte[] own = content(world.rank(), bytes);
        for (int root = 0; root < size; root++) {
            boolean here = world.rank() == root;
            byte[] gathered = new byte[here ? size * bytes : 0];
            world.gather(of(own), of(gathered), root);
            if (here) {
                assertThat(gathered).isEqualTo(joined(size, bytes));
            }
            byte[] part = new byte[bytes];
            world.scatter(of(here ? joined(size, bytes) : new byte[0]), of(part), root);
            assertThat(part).isEqualTo(own);
        }
        byte[] all = new byte[size * bytes];
        world.allgather(of(own), of(all));
        assertThat(all).isEqualTo(joined(size, bytes));
        byte[] inPlace = new byte[size * bytes];
        MemorySegment ownPart = of(inPlace).asSlice((long) world.rank() * bytes, bytes);
        ownPart.copyFrom(of(own));
        world.allgather(ownPart, of(inPlace));
        assertThat(inPlace).isEqualTo(joined(size, bytes));
        byte[] received = new byte[size * bytes];
        world.alltoall(of(joined(size, bytes)), of(received));
        for (int from = 0; from < size; from++) {
            assertThat(Arrays.copyOfRange(received, from * bytes, (from + 1) * bytes))
                    .isEqualTo(own);
        }
        world.ibarrier().join();
    }

    static void reduces(Communicator world, int bytes) {
        int size = world.size();
        int count = bytes / 8;
        double[] own = new double[count];
        Arrays.setAll(own, i -> i + 1000.0 * world.rank());
        double[] sums = new double[count];
        Arrays.setAll(sums, i -> (double) size * i + 1000.0 * size * (size - 1) / 2);
        ReduceOperation sum = ReduceOperation.sum(ElementType.DOUBLE);
        double[] result = new double[count];
        world.allreduce(of(own), of(result), sum);
        assertThat(result).isEqualTo(sums);
        for (int root = 0; root < size; root++) {
            double[] reduced = new double[count];
            world.reduce(of(own), of(reduced), sum, root);
            assertThat(reduced).isEqualTo(world.rank() == root ? sums : new double[count]);
        }
        double[] before = new double[count];
        world.scan(of(own), of(before), sum);
        int upTo = world.rank() + 1;
        for (int i = 0; i < count; i++) {
            assertThat(before[i]).isEqualTo((double) upTo * i + 1000.0 * upTo * (upTo - 1) / 2);
        }
        long[] parts = IntStream.range(0, size).mapToLong(r -> r == 0 ? count : 0).toArray();
        double[] part = new double[world.rank() == 0 ? count : 0];
        world.reduceScatter(of(own), of(part), sum, parts);
        assertThat(part).isEqualTo(world.rank() == 0 ? sums : new double[0]);
    }

    @Test
    void unevenPartsGoWhereTheyBelong() throws Exception {
        int ranks = 4;
        onEveryRank(
                ranks,
                world -> {
                    Parts parts = new Parts(new long[] {3, 0, 5, 1}, new long[] {7, 0, 1, 11});
                    byte[] own = content(world.rank(), (int) parts.counts()[world.rank()]);
                    byte[] expected = new byte[12];
                    for (int rank = 0; rank < ranks; rank++) {
                        byte[] theirs = content(rank, (int) parts.counts()[rank]);
                        System.arraycopy(
                                theirs,
                                0,
                                expected,
                                (int) parts.displacements()[rank],
                                theirs.length);
                    }
                    byte[] all = new byte[12];
                    world.allgatherv(of(own), of(all), parts);
                    assertThat(all).isEqualTo(expected);
                    byte[] gathered = new byte[12];
                    world.gatherv(of(own), of(gathered), parts, 2);
                    assertThat(gathered).isEqualTo(world.rank() == 2 ? expected : new byte[12]);
                    byte[] part = new byte[own.length];
                    world.scatterv(of(expected), parts, of(part), 1);
                    assertThat(part).isEqualTo(own);
                    return 0;
                });
    }

    @Test
    void manyCollectivesAreUnderWayAtOnce() throws Exception {
        onEveryRank(
                3,
                world -> {
                    List<CompletableFuture<Void>> futures = new ArrayList<>();
                    List<long[]> results = new ArrayList<>();
                    ReduceOperation max = ReduceOperation.max(ElementType.LONG);
                    for (int i = 0; i < 200; i++) {
                        long[] own = {world.rank() * 10L + i};
                        long[] result = new long[1];
                        results.add(result);
                        futures.add(
                                world.iallreduce(
                                        MemorySegment.ofArray(own),
                                        MemorySegment.ofArray(result),
                                        max));
                        futures.add(world.ibarrier());
                    }
                    CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
                    for (int i = 0; i < 200; i++) {
                        assertThat(results.get(i)).containsExactly(20 + i);
                    }
                    return 0;
                });
    }

    @Test
    void aFixedCallRunsAgainAndAgain() throws Exception {
        onEveryRank(
                3,
                world -> {
                    int[] value = {0};
                    int[] sum = new int[1];
                    Collective call =
                            world.allreduceInit(
                                    MemorySegment.ofArray(value),
                                    MemorySegment.ofArray(sum),
                                    ReduceOperation.sum(ElementType.INT));
                    for (int round = 0; round < 20; round++) {
                        value[0] = round + world.rank();
                        call.run();
                        assertThat(sum[0]).isEqualTo(3 * round + 3);
                    }
                    return 0;
                });
    }

    @Test
    void anOperationThatDoesNotCommuteKeepsTheOrderOfRanks() throws Exception {
        // 2x2 matrices of longs: their product depends on the order.
        ReduceOperation product =
                ReduceOperation.of(
                        32,
                        false,
                        (left, right) -> {
                            long[] a = left.toArray(ValueLayout.JAVA_LONG_UNALIGNED);
                            long[] b = right.toArray(ValueLayout.JAVA_LONG_UNALIGNED);
                            long[] c = times(a, b);
                            MemorySegment.copy(MemorySegment.ofArray(c), 0, right, 0, 32);
                        });
        int ranks = 5;
        long[] expected = {1, 0, 0, 1};
        for (int rank = 0; rank < ranks; rank++) {
            expected = times(expected, matrix(rank));
        }
        long[] result = expected;
        onEveryRank(
                ranks,
                world -> {
                    MemorySegment own = MemorySegment.ofArray(matrix(world.rank()));
                    long[] all = new long[4];
                    world.allreduce(own, MemorySegment.ofArray(all), product);
                    assertThat(all).isEqualTo(result);
                    long[] atRoot = new long[4];
                    world.reduce(own, MemorySegment.ofArray(atRoot), product, 3);
                    assertThat(atRoot).isEqualTo(world.rank() == 3 ? result : new long[4]);
                    long[] below = new long[4];
                    world.scan(own, MemorySegment.ofArray(below), product);
                    assertThat(world.rank() < ranks - 1 || Arrays.equals(below, result)).isTrue();
                    return 0;
                });
    }

    private static long[] matrix(int rank) {
        return new long[] {1, rank + 1, rank, 1};
    }

    private static long[] times(long[] a, long[] b) {
        return new long[] {
            a[0] * b[0] + a[1] * b[2],
            a[0] * b[1] + a[1] * b[3],
            a[2] * b[0] + a[3] * b[2],
            a[2] * b[1] + a[3] * b[3]
        };
    }

    @Test
    void theLeastValueAndItsPlace() throws Exception {
        onEveryRank(
                4,
                world -> {
                    int[] own = {world.rank() % 2, world.rank()};
                    int[] least = new int[2];
                    int[] greatest = new int[2];
                    world.allreduce(
                            MemorySegment.ofArray(own),
                            MemorySegment.ofArray(least),
                            ReduceOperation.of(Kind.MIN_PLACE, ElementType.INT));
                    world.allreduce(
                            MemorySegment.ofArray(own),
                            MemorySegment.ofArray(greatest),
                            ReduceOperation.of(Kind.MAX_PLACE, ElementType.INT));
                    assertThat(least).containsExactly(0, 0);
                    assertThat(greatest).containsExactly(1, 1);
                    return 0;
                });
    }

    @Test
    void ranksThatCallDifferentThingsAllHearOfIt() throws Exception {
        onEveryRank(
                3,
                world -> {
                    byte[] own = new byte[8];
                    byte[] all = new byte[24];
                    assertThatThrownBy(
                                    () -> {
                                        if (world.rank() == 1) {
                                            world.allgather(of(own), of(all));
                                        } else {
                                            world.allreduce(
                                                    of(own),
                                                    of(own),
                                                    ReduceOperation.sum(ElementType.LONG));
                                        }
                                        world.ibarrier().join();
                                    })
                            .satisfiesAnyOf(
                                    it -> assertThat(it).isInstanceOf(MismatchException.class),
                                    it ->
                                            assertThat(it)
                                                    .isInstanceOf(CompletionException.class)
                                                    .hasCauseInstanceOf(MismatchException.class))
                            .satisfies(it -> {
                                String text = it.getMessage();
                                assertThat(text).contains("allgather").contains("allreduce");
                            });
                    return 0;
                });
    }

    @Test
    void anOperationThatThrowsEndsTheCallOnEveryRankAndNoOther() throws Exception {
        ReduceOperation broken =
                ReduceOperation.of(
                        8,
                        true,
                        (_, _) -> {
                            throw new AssertionError("no such number");
                        });
        onEveryRank(
                5,
                world -> {
                    ReduceOperation sum = ReduceOperation.sum(ElementType.LONG);
                    for (int length : new int[] {1, 100_000}) {
                        MemorySegment own = MemorySegment.ofArray(new long[length]);
                        MemorySegment result = MemorySegment.ofArray(new long[length]);
                        own.fill((byte) 1);
                        assertThatThrownBy(() -> world.allreduce(own, result, broken))
                                .isInstanceOf(OperationException.class)
                                .hasMessageContaining("the operation threw on");
                        world.allreduce(own, result, sum);
                        assertThat(result.get(JAVA_LONG, 0)).isEqualTo(5 * 0x0101010101010101L);
                    }
                    return 0;
                });
    }

    /** Rank 2 combines what ranks 2 and 3 have, and rank 0 what comes from rank 2. */
    @Test
    void anOperationThatThrowsOnOneRankEndsTheCallsOfThoseThatNeedItsResult() throws Exception {
        onEveryRank(
                4,
                world -> {
                    ReduceOperation broken =
                            ReduceOperation.of(
                                    8,
                                    true,
                                    (_, _) -> {
                                        if (world.rank() == 2) {
                                            throw new ArithmeticException("no such number");
                                        }
                                    });
                    MemorySegment own = of(1L);
                    MemorySegment sum = of(0L);
                    Runnable reduce = () -> world.reduce(own, sum, broken, 0);
                    if (world.rank() % 2 == 1) {
                        reduce.run();
                    } else {
                        assertThatThrownBy(reduce::run)
                                .isInstanceOf(OperationException.class)
                                .hasMessageContaining(
                                        world.rank() == 2 ? "no such number" : "rank 2");
                    }
                    world.scan(own, sum, ReduceOperation.sum(ElementType.LONG));
                    assertThat(sum.get(JAVA_LONG, 0)).isEqualTo(world.rank() + 1);
                    return 0;
                });
    }

    @Test
    void wrongArgumentsAreNamedBeforeAnythingIsSent() throws Exception {
        onEveryRank(
                2,
                world -> {
                    MemorySegment data = of(new byte[6]);
                    ReduceOperation sum = ReduceOperation.sum(ElementType.LONG);
                    assertThatThrownBy(() -> world.gather(data, data, 2))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("root 2");
                    assertThatThrownBy(() -> world.allgather(data, of(new byte[11])))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("11 bytes; 12");
                    assertThatThrownBy(() -> world.allreduce(data, of(new byte[6]), sum))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("6 bytes");
                    assertThatThrownBy(() -> world.alltoall(data, data))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("overlap");
                    assertThatThrownBy(
                                    () -> ReduceOperation.of(Kind.BITWISE_OR, ElementType.DOUBLE))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("DOUBLE");
                    world.ibarrier().join();
                    return 0;
                });
    }
}
