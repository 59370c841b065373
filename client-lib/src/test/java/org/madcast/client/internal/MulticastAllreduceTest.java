package org.madcast.client.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Collective;
import org.madcast.client.Communicator;
import org.madcast.client.ElementType;
import org.madcast.client.MismatchException;
import org.madcast.client.OperationException;
import org.madcast.client.Parts;
import org.madcast.client.RankLostException;
import org.madcast.client.ReduceOperation;

/** The ranks of a short allreduce broadcast their parts, and each combines them. */
@Timeout(180)
class MulticastAllreduceTest {

    private static final ReduceOperation SUM = ReduceOperation.sum(ElementType.LONG);

    /** As ranks on many hosts have it. */
    private static void onRanks(int ranks, Consumer<Communicator> program) throws Exception {
        BroadcastParameters parameters =
                BroadcastParameters.builder().partMulticastBytes(0).build();
        onEveryRank(
                ranks,
                config -> config.parameters(parameters),
                world -> {
                    program.accept(world);
                    return 0;
                });
    }

    private static MemorySegment of(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    private static MemorySegment of(long... values) {
        return MemorySegment.ofArray(values);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 9})
    void anAllreduceIsABroadcastFromEachRank(int ranks) throws Exception {
        onRanks(
                ranks,
                world -> {
                    long[] result = new long[2];
                    for (long run = 1; run <= 3; run++) {
                        world.allreduce(of(run * world.rank(), run), of(result), SUM);
                        long sum = LongStream.range(0, ranks).sum();
                        assertThat(result).containsExactly(run * sum, run * ranks);
                    }
                    assertThat(world.statistics().broadcasts()).isEqualTo(3L * ranks);
                });
    }

    @Test
    void anAllreduceInPlaceLeavesTheRestOfALongerBuffer() throws Exception {
        onRanks(
                3,
                world -> {
                    long[] values = {world.rank(), 1, 77};
                    MemorySegment both = of(values).asSlice(0, 16);
                    world.allreduce(both, both, SUM);
                    assertThat(values).containsExactly(3, 3, 77);
                    world.allreduce(of(world.rank(), 2), of(values), SUM);
                    assertThat(values).containsExactly(3, 6, 77);
                });
    }

    @Test
    void whatDoesNotCommuteIsCombinedInTheOrderOfRanks() throws Exception {
        // A number and the power of ten behind it: one is written behind the other.
        ReduceOperation digits =
                ReduceOperation.of(
                        16,
                        false,
                        (left, right) -> {
                            long shift = right.getAtIndex(JAVA_LONG_UNALIGNED, 1);
                            long number = left.getAtIndex(JAVA_LONG_UNALIGNED, 0) * shift;
                            long last = right.getAtIndex(JAVA_LONG_UNALIGNED, 0);
                            right.setAtIndex(JAVA_LONG_UNALIGNED, 0, number + last);
                            long by = left.getAtIndex(JAVA_LONG_UNALIGNED, 1);
                            right.setAtIndex(JAVA_LONG_UNALIGNED, 1, by * shift);
                        });
        onRanks(
                5,
                world -> {
                    long[] result = new long[2];
                    world.allreduce(of(world.rank() + 1, 10), of(result), digits);
                    assertThat(result).containsExactly(12345, 100_000);
                });
    }

    @Test
    void gapsBetweenPartsStayAsTheyAre() throws Exception {
        onRanks(
                3,
                world -> {
                    byte[] gathered = new byte[40];
                    Arrays.fill(gathered, (byte) 9);
                    long[] counts = {10, 0, 5};
                    long[] places = {20, 5, 1};
                    int own = (int) counts[world.rank()];
                    byte[] part = new byte[own];
                    Arrays.fill(part, (byte) world.rank());
                    world.allgatherv(of(part), of(gathered), new Parts(counts, places));
                    byte[] expected = new byte[40];
                    Arrays.fill(expected, (byte) 9);
                    Arrays.fill(expected, 20, 30, (byte) 0);
                    Arrays.fill(expected, 1, 6, (byte) 2);
                    assertThat(gathered).isEqualTo(expected);
                });
    }

    @Test
    void whatIsBegunKeepsItsPlaceAmongBroadcasts() throws Exception {
        onRanks(
                3,
                world -> {
                    byte[] message = world.rank() == 2 ? content(9, 500) : new byte[500];
                    long[] begun = new long[1];
                    long[] waited = new long[1];
                    CompletableFuture<Void> one = world.iallreduce(of(1L), of(begun), SUM);
                    CompletableFuture<Void> two = world.ibcast(of(message), 2);
                    world.allreduce(of(2L), of(waited), SUM);
                    CompletableFuture.allOf(one, two).join();
                    assertThat(begun).containsExactly(3);
                    assertThat(waited).containsExactly(6);
                    assertThat(message).isEqualTo(content(9, 500));
                    assertThat(world.statistics().broadcasts()).isEqualTo(7);
                });
    }

    @Test
    void aFixedCallRunsAgainAndAgain() throws Exception {
        onRanks(
                3,
                world -> {
                    long[] value = new long[1];
                    long[] result = new long[1];
                    Collective call = world.allreduceInit(of(value), of(result), SUM);
                    for (long run = 0; run < 20; run++) {
                        value[0] = run + world.rank();
                        call.run();
                        assertThat(result).containsExactly(3 * run + 3);
                    }
                });
    }

    @RepeatedTest(5)
    void aRankThatCallsSomethingElseIsNamedOnEveryRank() throws Exception {
        onRanks(
                4,
                world -> {
                    long[] result = new long[4];
                    assertThatThrownBy(
                                    () -> {
                                        if (world.rank() == 3) {
                                            world.alltoall(of(new long[4]), of(new long[4]));
                                        } else {
                                            world.allreduce(of(new long[4]), of(result), SUM);
                                        }
                                    })
                            .isInstanceOf(MismatchException.class)
                            .hasMessageContainingAll("allreduce", "alltoall");
                });
    }

    @Test
    void aRankMayBeginWhereTheOthersWait() throws Exception {
        onRanks(
                3,
                world -> {
                    long[] result = new long[1];
                    Collective call = world.allreduceInit(of(1L), of(result), SUM);
                    if (world.rank() == 0) {
                        call.start().join();
                    } else {
                        call.run();
                    }
                    assertThat(result).containsExactly(3);
                });
    }

    @Test
    void differentOperationsOfOneLengthAreAMismatch() throws Exception {
        onRanks(
                3,
                world ->
                        assertThatThrownBy(
                                        () -> {
                                            long[] result = new long[3];
                                            if (world.rank() == 2) {
                                                world.allgather(of(1L), of(result));
                                            } else {
                                                world.allreduce(of(1L), of(result), SUM);
                                            }
                                            world.barrier();
                                        })
                                .isInstanceOf(MismatchException.class)
                                .hasMessageContainingAll("allreduce", "allgather"));
    }

    @Test
    void whatTheOperationThrowsEndsTheCallOnEveryRankAndNoOther() throws Exception {
        ReduceOperation wrong =
                ReduceOperation.of(
                        8,
                        true,
                        (left, right) -> {
                            throw new ArithmeticException("no sum of these");
                        });
        onRanks(
                3,
                world -> {
                    assertThatThrownBy(() -> world.allreduce(of(1L), of(new long[1]), wrong))
                            .isInstanceOf(OperationException.class)
                            .hasMessageContaining("no sum of these");
                    long[] sum = new long[1];
                    world.allreduce(of(1L), of(sum), SUM);
                    assertThat(sum).containsExactly(3);
                });
    }

    @Test
    void aRankThatIsLostEndsTheCall() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        onRanks(
                3,
                world -> {
                    if (world.rank() == 1) {
                        LoopbackRanks.await(ended);
                        return;
                    }
                    Thread marks = Thread.startVirtualThread(() -> world.markFailed(1));
                    assertThatThrownBy(() -> world.allreduce(of(1L), of(new long[1]), SUM))
                            .isInstanceOf(RankLostException.class)
                            .hasMessageContaining("rank 1");
                    ended.countDown();
                    assertThat(marks.isVirtual()).isTrue();
                });
    }
}
