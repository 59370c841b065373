package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.Elements;
import org.madcast.client.RankLostException;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.client.RevokedException;
import org.madcast.client.Spares;

/** Ranks and spares of one process, some of which leave without a word. */
@Timeout(180)
class SparePlacesTest {

    private static CommunicatorConfig.Builder soon(CommunicatorConfig.Builder builder) {
        return builder.parameters(
                BroadcastParameters.builder().deathTimeout(Duration.ofSeconds(2)).build());
    }

    /** The world rank of each rank, or that the call ended with a loss. */
    private static String members(Communicator ranks, int self) {
        int[] all = new int[ranks.size()];
        try {
            ranks.allgather(Elements.of(new int[] {self}), Elements.of(all));
        } catch (RankLostException | RevokedException loss) {
            return "lost";
        }
        return ranks.rank() + " of " + java.util.Arrays.toString(all);
    }

    private static String program(Communicator world, int spares, int leaving) {
        Spares places = new SparePlaces(world, spares);
        if (world.rank() == leaving) {
            return "left";
        }
        Communicator ranks = places.awaitPlace().orElse(null);
        if (ranks == null) {
            places.close();
            return "not needed";
        }
        String members = members(ranks, world.rank());
        while (members.equals("lost")) {
            ranks = places.restore();
            members = members(ranks, world.rank());
        }
        places.close();
        return members;
    }

    @Test
    void aSpareTakesThePlaceAndTheNumberOfTheLostRank() throws Exception {
        List<String> results =
                LoopbackRanks.onEveryRank(5, SparePlacesTest::soon, it -> program(it, 2, 1));
        assertThat(results)
                .containsExactly(
                        "0 of [0, 3, 2]", "left", "2 of [0, 3, 2]", "1 of [0, 3, 2]", "not needed");
    }

    @Test
    void withoutASpareThePlaceIsDropped() throws Exception {
        List<String> results =
                LoopbackRanks.onEveryRank(3, SparePlacesTest::soon, it -> program(it, 0, 1));
        assertThat(results).containsExactly("0 of [0, 2]", "left", "1 of [0, 2]");
    }

    @Test
    void aSpareThatDiedWhileItWaitedIsNotMissed() throws Exception {
        List<String> results =
                LoopbackRanks.onEveryRank(4, SparePlacesTest::soon, it -> program(it, 2, 2));
        assertThat(results).containsExactly("0 of [0, 1]", "1 of [0, 1]", "left", "not needed");
    }

    @Test
    void agreementsThatWereBegunFollowEachOther() throws Exception {
        // Ranks that left are agreed without: the others stay until rank 0 has seen its call fail.
        CompletableFuture<Void> failed = new CompletableFuture<>();
        List<Integer> results =
                LoopbackRanks.onEveryRank(
                        3,
                        SparePlacesTest::soon,
                        world -> {
                            CompletableFuture<Long> first = world.iagree(1L << world.rank() | 8);
                            CompletableFuture<Long> second = world.iagree(world.rank() | 4);
                            CompletableFuture<Communicator> shrunk = world.ishrink();
                            int[] sum = new int[1];
                            try (Communicator ranks = shrunk.join()) {
                                ranks.allreduce(
                                        Elements.of(new int[] {1}), Elements.of(sum), Kind.SUM);
                            }
                            assertThat(first).isCompletedWithValue(8L);
                            assertThat(second.join()).isEqualTo(4);
                            if (world.rank() == 0) {
                                CompletableFuture<Long> afterClose = world.iagree(0);
                                world.close();
                                assertThatThrownBy(afterClose::join).isNotNull();
                                failed.complete(null);
                            }
                            failed.join();
                            return sum[0];
                        });
        assertThat(results).containsExactly(3, 3, 3);
    }
}
