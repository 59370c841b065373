package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.MismatchException;
import org.madcast.client.RankLostException;

/** The other collectives on real sockets. */
@Timeout(180)
class LoopbackCollectivesTest {

    @Test
    void manyBroadcastsAreOnTheirWayAtOnceAndEndWithoutAnybodyWaitingInACall() throws Exception {
        int ranks = 4;
        int count = 40;
        onEveryRank(
                ranks,
                communicator -> {
                    List<byte[]> messages = new ArrayList<>();
                    List<CompletableFuture<Void>> futures = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        int root = i % ranks;
                        byte[] message =
                                communicator.rank() == root
                                        ? content(i, 1000 * i)
                                        : new byte[1000 * i];
                        messages.add(message);
                        futures.add(communicator.ibcast(MemorySegment.ofArray(message), root));
                    }
                    CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
                    for (int i = 0; i < count; i++) {
                        assertThat(messages.get(i)).isEqualTo(content(i, 1000 * i));
                    }
                    return 0;
                });
    }

    @Test
    void aBlockingCallTakesItsTurnBehindThoseThatWereBegunBefore() throws Exception {
        onEveryRank(
                3,
                communicator -> {
                    boolean root = communicator.rank() == 0;
                    byte[] first = root ? content(1, 100_000) : new byte[100_000];
                    byte[] second = root ? content(2, 10) : new byte[10];
                    CompletableFuture<Void> begun =
                            communicator.ibcast(MemorySegment.ofArray(first), 0);
                    communicator.bcast(second, 0);
                    assertThat(first).isEqualTo(content(1, 100_000));
                    assertThat(second).isEqualTo(content(2, 10));
                    begun.join();
                    return 0;
                });
    }

    @Test
    void whoIsGivenUpIsNamedOnEveryRank() throws Exception {
        CountDownLatch ended = new CountDownLatch(3);
        List<Integer> lost =
                onEveryRank(
                        4,
                        communicator -> {
                            if (communicator.rank() == 2) {
                                LoopbackRanks.await(ended); // it answers, and never calls
                            } else if (communicator.rank() == 0) {
                                Thread.ofVirtual().start(() -> communicator.markFailed(2));
                            }
                            try {
                                communicator.barrier();
                                return -1;
                            } catch (RankLostException expected) {
                                assertThat(expected)
                                        .hasMessage(
                                                "rank 2 is lost: a program marked it as failed (noticed by rank 0)");
                                ended.countDown();
                                return expected.rank();
                            }
                        });
        assertThat(lost).containsExactly(2, 2, 2, 2);
    }

    @Test
    void nobodyGivesItselfUp() throws Exception {
        onEveryRank(
                2,
                communicator -> {
                    for (int rank : new int[] {-1, communicator.rank(), 2}) {
                        assertThatThrownBy(() -> communicator.markFailed(rank))
                                .isInstanceOf(IllegalArgumentException.class);
                    }
                    communicator.barrier();
                    return 0;
                });
    }

    @Test
    void closingEndsWhatWasBegun() throws Exception {
        List<byte[]> messages =
                onEveryRank(
                        3,
                        communicator -> {
                            boolean root = communicator.rank() == 1;
                            byte[] message = root ? content(5, 500_000) : new byte[500_000];
                            var future = communicator.ibcast(MemorySegment.ofArray(message), 1);
                            communicator.close();
                            future.join();
                            return message;
                        });
        assertThat(messages)
                .allSatisfy(message -> assertThat(message).isEqualTo(content(5, 500_000)));
    }

    /** Of ranks that left, the others' neighbours in the tree know; those behind them too late. */
    @RepeatedTest(8)
    void aBarrierDoesNotEndWithoutARankThatLeftBeforeIt() throws Exception {
        List<Boolean> failed =
                LoopbackRanks.onEveryRank(
                        4,
                        builder -> builder,
                        world -> {
                            world.bcast(Elements.of(new int[1]), 3);
                            return world.rank() == 1
                                    || catchThrowable(world::barrier) instanceof RankLostException;
                        });
        assertThat(failed).containsOnly(true);
    }

    @Test
    void nobodyLeavesABarrierBeforeAllHaveEntered() throws Exception {
        int ranks = 6;
        int rounds = 50;
        AtomicInteger entered = new AtomicInteger();
        onEveryRank(
                ranks,
                communicator -> {
                    for (int round = 1; round <= rounds; round++) {
                        if (communicator.rank() == round % ranks) {
                            LockSupport.parkNanos(1_000_000);
                        }
                        entered.incrementAndGet();
                        communicator.barrier();
                        assertThat(entered.get()).isGreaterThanOrEqualTo(round * ranks);
                        byte[] message = new byte[] {(byte) (communicator.rank() == 0 ? 1 : 0)};
                        communicator.bcast(message, 0);
                        assertThat(message[0]).isEqualTo((byte) 1);
                    }
                    return 0;
                });
    }

    @Test
    void aBarrierThatMeetsABroadcastIsNamedOnEveryRank() throws Exception {
        onEveryRank(
                3,
                communicator -> {
                    assertThatThrownBy(
                                    () -> {
                                        while (true) {
                                            if (communicator.rank() == 2) {
                                                communicator.barrier();
                                            } else {
                                                communicator.bcast(new byte[100], 0);
                                            }
                                        }
                                    })
                            .isInstanceOf(MismatchException.class)
                            .hasMessageContaining("rank 2 called a barrier");
                    return 0;
                });
    }

    @Test
    void aDuplicateIsDisturbedByNothingThatTheOriginalDoes() throws Exception {
        onEveryRank(
                3,
                original -> {
                    try (Communicator duplicate = original.dup()) {
                        byte[] one = original.rank() == 0 ? content(1, 9_000) : new byte[9_000];
                        byte[] other = original.rank() == 2 ? content(2, 9_000) : new byte[9_000];
                        var begun = original.ibcast(MemorySegment.ofArray(one), 0);
                        duplicate.bcast(other, 2);
                        begun.join();
                        assertThat(one).isEqualTo(content(1, 9_000));
                        assertThat(other).isEqualTo(content(2, 9_000));
                    }
                    return 0;
                });
    }

    @Test
    void aFutureFailsWithWhatTheBlockingCallWouldThrow() throws Exception {
        onEveryRank(
                3,
                communicator -> {
                    byte[] message = new byte[communicator.rank() == 1 ? 7 : 8];
                    assertThatThrownBy(
                                    () -> {
                                        while (true) {
                                            communicator
                                                    .ibcast(MemorySegment.ofArray(message), 0)
                                                    .join();
                                        }
                                    })
                            .isInstanceOf(CompletionException.class)
                            .hasCauseInstanceOf(MismatchException.class);
                    return 0;
                });
    }
}
