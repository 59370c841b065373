package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.content;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Collective;
import org.madcast.client.Communicator;
import org.madcast.client.MismatchException;
import org.madcast.client.Parts;
import org.madcast.client.RankLostException;

/** The ranks of an allgather broadcast their parts where multicast serves. */
@Timeout(180)
class MulticastAllgatherTest {

    private static final int LONG_BYTES = 70_000;

    /** As ranks on many hosts have it. */
    private static void onRanks(int ranks, Function<Communicator, Integer> program)
            throws Exception {
        BroadcastParameters parameters =
                BroadcastParameters.builder().partMulticastBytes(0).build();
        onEveryRank(ranks, config -> config.parameters(parameters), program);
    }

    private static MemorySegment of(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    private static void await(CompletableFuture<Void> call) throws Throwable {
        try {
            call.join();
        } catch (CompletionException ended) {
            throw ended.getCause();
        }
    }

    private static byte[] all(int ranks, int bytes) {
        byte[] all = new byte[ranks * bytes];
        for (int rank = 0; rank < ranks; rank++) {
            System.arraycopy(content(rank, bytes), 0, all, rank * bytes, bytes);
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void longPartsAreBroadcastOnceEach(int ranks) throws Exception {
        onRanks(
                ranks,
                world -> {
                    byte[] gathered = new byte[ranks * LONG_BYTES];
                    world.allgather(of(content(world.rank(), LONG_BYTES)), of(gathered));
                    assertThat(gathered).isEqualTo(all(ranks, LONG_BYTES));
                    assertThat(world.statistics().broadcasts()).isEqualTo(ranks);
                    return 0;
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 9})
    void shortPartsToo(int ranks) throws Exception {
        onRanks(
                ranks,
                world -> {
                    byte[] gathered = new byte[10 * ranks];
                    for (int run = 1; run <= 20; run++) {
                        world.iallgather(of(content(world.rank(), 10)), of(gathered)).join();
                        assertThat(gathered).isEqualTo(all(ranks, 10));
                        assertThat(world.statistics().broadcasts()).isEqualTo((long) run * ranks);
                    }
                    return 0;
                });
    }

    @Test
    void partsMayBeInPlaceUnevenAndEmpty() throws Exception {
        onRanks(
                3,
                world -> {
                    long[] counts = {LONG_BYTES, 0, 5};
                    long[] places = {10, 0, 0};
                    int own = (int) counts[world.rank()];
                    byte[] gathered = new byte[LONG_BYTES + 10];
                    byte[] part = content(world.rank(), own);
                    System.arraycopy(part, 0, gathered, (int) places[world.rank()], own);
                    world.allgatherv(
                            of(gathered).asSlice(places[world.rank()], own),
                            of(gathered),
                            new Parts(counts, places));
                    assertThat(Arrays.copyOfRange(gathered, 10, gathered.length))
                            .isEqualTo(content(0, LONG_BYTES));
                    assertThat(Arrays.copyOf(gathered, 5)).isEqualTo(content(2, 5));
                    assertThat(Arrays.copyOfRange(gathered, 5, 10)).containsOnly(0);
                    return 0;
                });
    }

    @Test
    void callsUnderWayKeepTheirOrderAmongBroadcasts() throws Exception {
        onRanks(
                3,
                world -> {
                    byte[] first = new byte[3 * LONG_BYTES];
                    byte[] second = new byte[3 * LONG_BYTES];
                    byte[] message = world.rank() == 2 ? content(9, 500) : new byte[500];
                    MemorySegment own = of(content(world.rank(), LONG_BYTES));
                    CompletableFuture<Void> one = world.iallgather(own, of(first));
                    CompletableFuture<Void> two = world.ibcast(of(message), 2);
                    CompletableFuture<Void> three = world.iallgather(own, of(second));
                    CompletableFuture.allOf(three, two, one).join();
                    assertThat(first).isEqualTo(all(3, LONG_BYTES)).isEqualTo(second);
                    assertThat(message).isEqualTo(content(9, 500));
                    return 0;
                });
    }

    @Test
    void aFixedCallRunsAgainAndAgainButNotTwiceAtOnce() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        onRanks(
                2,
                world -> {
                    byte[] part = new byte[LONG_BYTES];
                    byte[] gathered = new byte[2 * LONG_BYTES];
                    Collective call = world.allgatherInit(of(part), of(gathered));
                    for (int run = 0; run < 5; run++) {
                        Arrays.fill(part, (byte) (10 * run + world.rank()));
                        call.run();
                        assertThat(gathered).contains(10 * run, 10 * run + 1);
                        assertThat(gathered[LONG_BYTES]).isEqualTo((byte) (10 * run + 1));
                    }
                    if (world.rank() == 0) {
                        CompletableFuture<Void> under = call.start();
                        assertThatThrownBy(call::start).isInstanceOf(IllegalStateException.class);
                        tried.countDown();
                        under.join();
                    } else {
                        LoopbackRanks.await(tried);
                        call.run();
                    }
                    return 0;
                });
    }

    /** Repeated, since ranks that have heard of it leave while the others are still told. */
    @RepeatedTest(10)
    void aRankThatCallsSomethingElseIsNamedOnEveryRank() throws Exception {
        onRanks(
                3,
                world -> {
                    byte[] gathered = new byte[3 * LONG_BYTES];
                    MemorySegment part = of(new byte[LONG_BYTES]);
                    assertThatThrownBy(
                                    () -> {
                                        if (world.rank() == 1) {
                                            world.alltoall(
                                                    of(gathered), of(new byte[gathered.length]));
                                        } else {
                                            world.allgather(part, of(gathered));
                                        }
                                        await(world.ibarrier());
                                    })
                            .isInstanceOf(MismatchException.class)
                            .hasMessageContainingAll("allgather", "alltoall");
                    return 0;
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
                        return 0;
                    }
                    byte[] gathered = new byte[3 * LONG_BYTES];
                    assertThatThrownBy(
                                    () -> {
                                        // A rank that has heard of the loss hears it here.
                                        CompletableFuture<Void> call =
                                                world.iallgather(
                                                        of(new byte[LONG_BYTES]), of(gathered));
                                        if (world.rank() == 0) {
                                            world.markFailed(1);
                                        }
                                        await(call);
                                    })
                            .isInstanceOf(RankLostException.class)
                            .hasMessageContaining("rank 1");
                    ended.countDown();
                    return 0;
                });
    }
}
