package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.Elements;
import org.madcast.client.GroupSource;
import org.madcast.client.MadcastException;
import org.madcast.client.MessageStatus;
import org.madcast.client.RankLostException;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.client.RevokedException;

/** Ranks of one process, some of which leave without a word, or are given up. */
@Timeout(180)
class SurvivalTest {

    private static CommunicatorConfig.Builder soon(CommunicatorConfig.Builder builder) {
        return builder.parameters(
                BroadcastParameters.builder().deathTimeout(Duration.ofSeconds(2)).build());
    }

    private static CommunicatorConfig.Builder withGroups(CommunicatorConfig.Builder builder) {
        return builder.parameters(
                BroadcastParameters.builder()
                        .deathTimeout(Duration.ofSeconds(2))
                        .partMulticastBytes(0)
                        .build());
    }

    private static int sum(Communicator of, int value) {
        int[] sum = new int[1];
        of.allreduce(Elements.of(new int[] {value}), Elements.of(sum), Kind.SUM);
        return sum[0];
    }

    private static @Nullable MadcastException failure(ThrowingCallable call) {
        return catchThrowableOfType(MadcastException.class, call);
    }

    @Test
    void allGoOnInSmallerCommunicatorsAfterOneLossAndAnother() throws Exception {
        List<Object> results =
                LoopbackRanks.onEveryRank(
                        6,
                        SurvivalTest::soon,
                        world -> {
                            int sum = sum(world, 1);
                            if (world.rank() == 0) {
                                return "left"; // the coordinator of an agreement
                            }
                            assertThat(failure(() -> sum(world, 1)))
                                    .isInstanceOfAny(
                                            RankLostException.class, RevokedException.class);
                            world.revoke();
                            try (Communicator five = world.shrink()) {
                                assertThat(five.rank()).isEqualTo(world.rank() - 1);
                                assertThat(five.lostRanks()).isEmpty();
                                assertThat(world.lostRanks()).containsExactly(0);
                                sum = 10 * sum + sum(five, 1);
                                if (five.rank() == 3) {
                                    return "left too";
                                }
                                assertThat(failure(() -> sum(five, 1))).isNotNull();
                                five.revoke();
                                try (Communicator four = five.shrink()) {
                                    assertThat(four.worldRank(3)).isEqualTo(5);
                                    return 10 * sum + sum(four, 1);
                                }
                            }
                        });
        assertThat(results).containsExactly("left", 654, 654, 654, "left too", 654);
    }

    /** Ten minutes would pass until the engines themselves notice it. */
    @Test
    void aLossThatOneRanksMessagesNoticeEndsTheBroadcastsOfAll() throws Exception {
        Duration never = Duration.ofMinutes(10);
        CountDownLatch over = new CountDownLatch(2);
        LoopbackRanks.onEveryRank(
                3,
                it -> it.parameters(BroadcastParameters.builder().deathTimeout(never).build()),
                world -> {
                    if (world.rank() == 2) {
                        LoopbackRanks.await(over);
                        return "lost";
                    }
                    if (world.rank() == 0) {
                        MessageGroup group = ((CollectiveCommunicator) world).group();
                        Thread _ =
                                Thread.startVirtualThread(
                                        () -> group.endpoint().markLost(2, "its connection broke"));
                    }
                    int[] one = new int[1];
                    MadcastException ended = failure(() -> world.bcast(Elements.of(one), 2));
                    // Rank 1 hears of it from the engine of rank 0, and its messages from its own.
                    MadcastException received = failure(() -> world.recv(Elements.of(one), 2, 1));
                    over.countDown();
                    assertThat(ended).isInstanceOf(RankLostException.class);
                    assertThat(ended)
                            .hasMessageContaining(
                                    "rank 2 is lost: the connection to it broke (noticed by rank 0)");
                    assertThat(received).isInstanceOf(RankLostException.class);
                    return "left";
                });
    }

    @Test
    void aRevocationEndsWhateverTheOthersWaitFor() throws Exception {
        List<Boolean> results =
                LoopbackRanks.onEveryRank(
                        6,
                        world -> {
                            int[] one = new int[1];
                            CompletableFuture<MessageStatus> begun =
                                    world.irecv(
                                            MemorySegment.ofArray(new byte[4]), world.rank(), 9);
                            world.barrier(); // nobody revokes before all have begun
                            MadcastException ended =
                                    switch (world.rank()) {
                                        case 1 -> failure(() -> world.bcast(Elements.of(one), 0));
                                        case 2 -> failure(world::barrier);
                                        case 3 -> failure(() -> sum(world, 1));
                                        case 4 ->
                                                failure(() -> world.recv(Elements.of(one), -1, 3));
                                        case 5 -> failure(() -> world.probe(0, 3));
                                        default -> {
                                            boolean _ =
                                                    world.await(
                                                            () -> false, Duration.ofMillis(200));
                                            world.revoke();
                                            yield failure(() -> world.bcast(Elements.of(one), 0));
                                        }
                                    };
                            assertThat(ended).isInstanceOf(RevokedException.class);
                            assertThat(ended).hasMessage("rank 0 has revoked the communicator");
                            assertThatThrownBy(begun::join).hasCause(ended);
                            assertThat(failure(() -> world.send(Elements.of(one), 0, 0)))
                                    .isInstanceOf(RevokedException.class);
                            assertThat(failure(world::dup)).isInstanceOf(RevokedException.class);
                            assertThat(world.agree(1L << world.rank() | 64)).isEqualTo(64);
                            return world.isRevoked();
                        });
        assertThat(results).containsExactlyElementsOf(Collections.nCopies(6, true));
    }

    @Test
    void messagesBetweenOthersAndFromAnyAcknowledgedGoOnAfterALoss() throws Exception {
        List<Integer> results =
                LoopbackRanks.onEveryRank(
                        3,
                        SurvivalTest::soon,
                        world -> {
                            int[] one = new int[1];
                            int other = 3 - world.rank();
                            assertThat(sum(world, 1)).isEqualTo(3);
                            if (world.rank() == 0) {
                                return 0;
                            }
                            assertThat(failure(() -> world.recv(Elements.of(one), 0, 1)))
                                    .isInstanceOf(RankLostException.class);
                            assertThat(failure(() -> world.recv(Elements.of(one), -1, 2)))
                                    .isInstanceOf(RankLostException.class);
                            assertThat(failure(() -> world.probe(-1, 2)))
                                    .isInstanceOf(RankLostException.class);
                            assertThat(world.acknowledgeLost()).containsExactly(0);
                            CompletableFuture<MessageStatus> fromAny =
                                    world.irecv(MemorySegment.ofArray(one), -1, 1);
                            world.send(Elements.of(new int[] {world.rank()}), other, 1);
                            assertThat(fromAny.join().source()).isEqualTo(other);
                            assertThat(world.agree(-1)).isEqualTo(-1);
                            return one[0];
                        });
        assertThat(results).containsExactly(0, 2, 1);
    }

    /** Rank 0 coordinates the agreement that the others wait in. */
    @Test
    void whoLeavesDuringAnAgreementIsNotWaitedFor() throws Exception {
        List<Long> results =
                LoopbackRanks.onEveryRank(
                        4,
                        SurvivalTest::soon,
                        world -> {
                            if (world.rank() == 0) {
                                boolean _ = world.await(() -> false, Duration.ofMillis(300));
                                return -1L;
                            }
                            long agreed = world.agree(world.rank() | 8);
                            try (Communicator left = world.shrink()) {
                                return 100 * agreed + left.size();
                            }
                        });
        assertThat(results).containsExactly(-1L, 803L, 803L, 803L);
    }

    @Test
    void theSmallerCommunicatorMulticastsAndItsRevocationEndsThatToo() throws Exception {
        List<Integer> results =
                LoopbackRanks.onEveryRank(
                        4,
                        SurvivalTest::withGroups,
                        world -> {
                            int[] value = {world.rank()};
                            world.bcast(Elements.of(value), 3);
                            if (world.rank() == 1) {
                                return value[0];
                            }
                            assertThat(failure(world::barrier))
                                    .isInstanceOf(RankLostException.class);
                            try (Communicator left = world.shrink()) {
                                value[0] = left.rank() + 10;
                                left.bcast(Elements.of(value), 1);
                                assertThat(left.info().groupSource()).isEqualTo(GroupSource.RANDOM);
                                left.barrier(); // nobody revokes before all have received
                                if (left.rank() == 0) {
                                    boolean _ = left.await(() -> false, Duration.ofMillis(200));
                                    left.revoke();
                                }
                                assertThat(failure(() -> left.bcast(Elements.of(value), 0)))
                                        .isInstanceOf(RevokedException.class);
                                assertThat(left.agree(-1)).isEqualTo(-1);
                                return value[0];
                            }
                        });
        assertThat(results).containsExactly(11, 3, 11, 11);
    }

    /** Its memory is the caller's again, and what is sent later is not mixed with the rest. */
    @Test
    void aRevocationEndsLongMessagesThatAreUnderWay() throws Exception {
        List<Integer> results =
                LoopbackRanks.onEveryRank(
                        3,
                        world -> {
                            try (Communicator part = world.dup()) {
                                int next = (world.rank() + 1) % 3;
                                int before = (world.rank() + 2) % 3;
                                MemorySegment data = MemorySegment.ofArray(new byte[64 << 20]);
                                MemorySegment buffer = MemorySegment.ofArray(new byte[64 << 20]);
                                List<CompletableFuture<MessageStatus>> underWay =
                                        List.of(
                                                part.irecv(buffer, before, 0),
                                                part.isend(data, next, 0));
                                List<CompletableFuture<MessageStatus>> unmatched =
                                        List.of(
                                                part.issend(data, next, 1),
                                                part.irecv(buffer, before, 2));
                                world.barrier(); // nobody revokes before all have begun
                                part.revoke();
                                for (CompletableFuture<MessageStatus> each : underWay) {
                                    MadcastException ended = failure(() -> join(each));
                                    assertThat(ended == null || ended instanceof RevokedException)
                                            .isTrue();
                                }
                                for (CompletableFuture<MessageStatus> each : unmatched) {
                                    assertThat(failure(() -> join(each)))
                                            .isInstanceOf(RevokedException.class);
                                }
                            }
                            return sum(world, 1);
                        });
        assertThat(results).containsExactly(3, 3, 3);
    }

    private static void join(CompletableFuture<MessageStatus> future) {
        try {
            MessageStatus _ = future.join();
        } catch (CompletionException ended) {
            if (ended.getCause() instanceof MadcastException cause) {
                throw cause;
            }
            throw ended;
        }
    }

    @Test
    void whoClosesWithoutACallHoldsNobodyUp() throws Exception {
        List<Integer> results =
                LoopbackRanks.onEveryRank(
                        4,
                        world -> {
                            int size;
                            try (Communicator part = world.dup()) {
                                if (world.rank() % 2 == 0) {
                                    size = 0;
                                } else {
                                    try (Communicator rest = part.shrink()) {
                                        size = rest.size();
                                    }
                                }
                            }
                            world.barrier();
                            return size;
                        });
        assertThat(results).containsExactly(0, 2, 0, 2);
    }
}
