package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.ElementType;
import org.madcast.client.GroupSource;
import org.madcast.client.MismatchException;
import org.madcast.client.Parts;
import org.madcast.client.ReduceOperation;

/** When one rank makes another collective call than the others, every rank hears of it. */
@Timeout(240)
class DifferentCallsTest {

    private static final int RANKS = 3;
    private static final int JOBS_AT_ONCE = 12;
    private static final ReduceOperation SUM = ReduceOperation.sum(ElementType.LONG);
    private static final BroadcastParameters AS_ON_ONE_HOST = BroadcastParameters.defaults();
    private static final BroadcastParameters AS_ON_MANY_HOSTS =
            BroadcastParameters.builder().partMulticastBytes(0).build();

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    /**
     * Two calls, by name.
     *
     * @param one rank 1's
     * @param other the other ranks'
     */
    private record Pair(String one, String other) {}

    private static MemorySegment bytes(int count) {
        return MemorySegment.ofArray(new byte[count]);
    }

    private static Map<String, Consumer<Communicator>> calls() {
        Map<String, Consumer<Communicator>> calls = new LinkedHashMap<>();
        calls.put("barrier", Communicator::barrier);
        calls.put("bcast", ranks -> ranks.bcast(bytes(96), 0));
        calls.put("bcast from 2", ranks -> ranks.bcast(bytes(96), 2));
        calls.put("ibcast", ranks -> ranks.ibcast(bytes(96), 1).join());
        calls.put("gather", ranks -> ranks.gather(bytes(32), bytes(96), 0));
        calls.put("scatter", ranks -> ranks.scatter(bytes(96), bytes(32), 1));
        calls.put("allgather", ranks -> ranks.allgather(bytes(32), bytes(96)));
        calls.put("alltoall", ranks -> ranks.alltoall(bytes(96), bytes(96)));
        calls.put("reduce", ranks -> ranks.reduce(bytes(96), bytes(96), SUM, 0));
        calls.put("allreduce", ranks -> ranks.allreduce(bytes(96), bytes(96), SUM));
        calls.put("scan", ranks -> ranks.scan(bytes(96), bytes(96), SUM));
        return calls;
    }

    private static Consumer<Communicator> call(String name) {
        return Objects.requireNonNull(calls().get(name));
    }

    private static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (String one : calls().keySet()) {
            for (String other : calls().keySet()) {
                if (!one.equals(other)) {
                    pairs.add(new Pair(one, other));
                }
            }
        }
        return pairs;
    }

    @Test
    void oneInFivePairsOfCallsIsAMismatchOnEveryRank() throws Exception {
        List<Pair> all = pairs();
        List<Pair> some = new ArrayList<>();
        for (int i = 0; i < all.size(); i += 5) {
            some.add(all.get(i));
        }
        run(some, AS_ON_ONE_HOST);
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("slow")
    void everyPairOfCallsIsAMismatchOnEveryRank(boolean manyHosts) throws Exception {
        run(pairs(), manyHosts ? AS_ON_MANY_HOSTS : AS_ON_ONE_HOST);
        assertThat(wrong).isEmpty();
    }

    @Test
    void aBroadcastBesideACallByMessagesIsNamedWithIt() throws Exception {
        onEveryRank(
                RANKS,
                ranks -> {
                    String text = mismatch(ranks, call(ranks.rank() == 1 ? "bcast" : "reduce"));
                    boolean leaf = ranks.rank() == 2;
                    if (!leaf) { // whose part is on its way
                        assertThat(text)
                                .contains("rank 1 called bcast (root 0, 96 bytes)")
                                .contains("rank 0 called reduce (root 0, 96 bytes)");
                    }
                    return 0;
                });
    }

    @Test
    void aBroadcastTooManyBeforeTheSameCallIsFound() throws Exception {
        onEveryRank(
                RANKS,
                ranks -> {
                    String text =
                            mismatch(
                                    ranks,
                                    all -> {
                                        if (ranks.rank() == 1) {
                                            all.bcast(bytes(8), 1);
                                        }
                                        call("allreduce").accept(all);
                                        call("gather").accept(all);
                                        all.barrier();
                                    });
                    assertThat(text).isNotEmpty();
                    return 0;
                });
    }

    /** Its calls by messages and its engine's are those of one communicator. */
    @Test
    void alsoWhereTheGroupCameLater() throws Exception {
        onEveryRank(
                RANKS,
                config -> config.parameters(AS_ON_MANY_HOSTS),
                world -> {
                    try (Communicator part = world.dup()) {
                        part.bcast(bytes(8), 0);
                        assertThat(part.info().groupSource()).isNotEqualTo(GroupSource.NONE);
                        String other = part.rank() == 1 ? "bcast" : "allreduce";
                        assertThat(mismatch(part, call(other)))
                                .contains("bcast")
                                .contains("allreduce");
                    }
                    return 0;
                });
    }

    @Test
    void alsoWhenOneIsManyBroadcastsAhead() throws Exception {
        onEveryRank(
                RANKS,
                ranks -> {
                    String text =
                            mismatch(
                                    ranks,
                                    all -> {
                                        for (int i = 0; i < 200 && all.rank() == 0; i++) {
                                            CompletableFuture<Void> _ = all.ibcast(bytes(8), 0);
                                        }
                                        call(all.rank() == 0 ? "barrier" : "scan").accept(all);
                                        call("alltoall").accept(all);
                                    });
                    assertThat(text).isNotEmpty();
                    return 0;
                });
    }

    @Test
    void aLengthThatDisagreesEndsTheOtherKindOfCallsToo() throws Exception {
        onEveryRank(
                RANKS,
                ranks -> {
                    MemorySegment own = bytes(ranks.rank() == 1 ? 16 : 8);
                    MemorySegment all = bytes(ranks.rank() == 0 ? 24 : 0);
                    String text =
                            mismatch(
                                    ranks,
                                    each -> {
                                        each.gatherv(own, all, Parts.packed(8, 8, 8), 0);
                                        each.barrier();
                                    });
                    assertThat(text).contains("gatherv");
                    return 0;
                });
    }

    private void run(List<Pair> pairs, BroadcastParameters parameters) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(JOBS_AT_ONCE)) {
            for (Pair pair : pairs) {
                running.add(
                        pool.submit(() ->
                                onEveryRank(
                                        RANKS,
                                        config -> config.parameters(parameters),
                                        ranks -> disagree(ranks, pair))));
            }
            for (Future<?> each : running) {
                Object _ = each.get();
            }
        }
    }

    private int disagree(Communicator ranks, Pair pair) {
        String name = ranks.rank() == 1 ? pair.one : pair.other;
        try {
            String text =
                    mismatch(
                            ranks,
                            all -> {
                                call(name).accept(all);
                                all.bcast(bytes(40), 1);
                                all.barrier();
                            });
            if (text.isEmpty()) {
                wrong.add("%s: rank %d saw nothing".formatted(pair, ranks.rank()));
            }
        } catch (RuntimeException other) {
            wrong.add("%s: rank %d saw %s".formatted(pair, ranks.rank(), other));
        }
        return 0;
    }

    /** What the mismatch says that ends a call; empty when none does. */
    private static String mismatch(Communicator ranks, Consumer<Communicator> call) {
        try {
            call.accept(ranks);
            return "";
        } catch (MismatchException mismatch) {
            return String.valueOf(mismatch.getMessage());
        } catch (RuntimeException other) {
            if (other.getCause() instanceof MismatchException mismatch) {
                return String.valueOf(mismatch.getMessage());
            }
            throw other;
        }
    }
}
