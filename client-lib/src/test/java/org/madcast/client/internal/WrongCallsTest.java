package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.client.Collective;
import org.madcast.client.Collectives;
import org.madcast.client.Communicator;
import org.madcast.client.ElementType;
import org.madcast.client.MismatchException;
import org.madcast.client.Parts;
import org.madcast.client.ReduceOperation;

/** Wrong calls of every collective, each in its three forms: waiting, begun, and persistent. */
@Timeout(180)
class WrongCallsTest {

    private static final int RANKS = 3;
    private static final int BYTES = 8;
    private static final ReduceOperation SUM = ReduceOperation.sum(ElementType.LONG);
    private static final Parts PARTS = Parts.packed(BYTES, BYTES, BYTES);
    private static final List<String> FORMS = List.of("%s", "i%s", "%sInit");

    /** A collective call by its name; a persistent one is also started. */
    private record Call(String name, List<Object> arguments) {

        Call(String name, Object... arguments) {
            this(name, List.of(arguments));
        }

        void make(Communicator ranks, String form) throws Throwable {
            String called = form.formatted(name);
            Method method =
                    Arrays.stream(Collectives.class.getMethods())
                            .filter(it -> it.getName().equals(called))
                            .findFirst()
                            .orElseThrow();
            try {
                switch (method.invoke(ranks, arguments.toArray())) {
                    case CompletableFuture<?> begun -> begun.join();
                    case Collective persistent -> persistent.run();
                    case null, default -> {
                        // it has waited
                    }
                }
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            } catch (CompletionException thrown) {
                throw thrown.getCause();
            }
        }
    }

    private static MemorySegment one() {
        return MemorySegment.ofArray(new long[1]);
    }

    private static MemorySegment all() {
        return MemorySegment.ofArray(new long[RANKS]);
    }

    private static List<Call> withRoot(int root) {
        return List.of(
                new Call("gather", one(), all(), root),
                new Call("gatherv", one(), all(), PARTS, root),
                new Call("scatter", all(), one(), root),
                new Call("scatterv", all(), PARTS, one(), root),
                new Call("reduce", one(), one(), SUM, root));
    }

    /** Every collective with this memory for its result. */
    private static List<Call> withOutput(MemorySegment output, MemorySegment data, int root) {
        return List.of(
                new Call("gather", data, output, root),
                new Call("gatherv", data, output, PARTS, root),
                new Call("scatter", all(), output.asSlice(0, BYTES), root),
                new Call("scatterv", all(), PARTS, output.asSlice(0, BYTES), root),
                new Call("allgather", data, output),
                new Call("allgatherv", data, output, PARTS),
                new Call("alltoall", all(), output),
                new Call("alltoallv", all(), PARTS, output, PARTS),
                new Call("reduce", data, output, SUM, root),
                new Call("allreduce", data, output, SUM),
                new Call("reduceScatter", all(), output, SUM, new long[0]),
                new Call("scan", data, output, SUM),
                new Call("exscan", data, output, SUM));
    }

    private static void assertRefused(Communicator ranks, List<Call> calls, String... texts) {
        for (Call call : calls) {
            for (String form : FORMS) {
                assertThat(catchThrowable(() -> call.make(ranks, form)))
                        .as(form, call.name())
                        .isInstanceOf(IllegalArgumentException.class)
                        .message()
                        .containsAnyOf(texts);
            }
        }
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingIsSent() throws Exception {
        onEveryRank(
                RANKS,
                world -> {
                    assertRefused(world, withRoot(RANKS), "root 3");
                    int self = world.rank();
                    MemorySegment locked = all().asReadOnly();
                    assertRefused(world, withOutput(locked, one(), self), "is read-only");
                    MemorySegment buffer = MemorySegment.ofArray(new long[RANKS + 1]);
                    MemorySegment data = buffer.asSlice(4, BYTES);
                    Parts crossing = new Parts(new long[] {8, 8, 8}, new long[] {0, 4, 16});
                    assertRefused(
                            world,
                            List.of(
                                    new Call("gather", data, buffer, self),
                                    new Call("gatherv", data, buffer, PARTS, self),
                                    new Call("scatter", buffer, data, self),
                                    new Call("scatterv", buffer, PARTS, data, self),
                                    new Call("allgather", data, buffer),
                                    new Call("allgatherv", data, buffer, PARTS),
                                    new Call("alltoall", buffer.asSlice(0, 24), buffer),
                                    new Call("alltoallv", buffer, PARTS, buffer, PARTS),
                                    new Call("reduce", data, buffer, SUM, self),
                                    new Call("allreduce", data, buffer, SUM),
                                    new Call(
                                            "reduceScatter",
                                            buffer.asSlice(0, 24),
                                            data,
                                            SUM,
                                            new long[0]),
                                    new Call("scan", data, buffer, SUM),
                                    new Call("exscan", data, buffer, SUM),
                                    new Call("gatherv", one(), all(), crossing, self),
                                    new Call("allgatherv", one(), all(), crossing),
                                    new Call("alltoallv", all(), PARTS, all(), crossing)),
                            "data and gathered overlap",
                            "data and part overlap",
                            "data and received overlap",
                            "data and result overlap",
                            "the parts of ranks 0 and 1 overlap");
                    world.ibarrier().join();
                    return 0;
                });
    }

    /**
     * Rank 1 calls the second of a pair, ranks 0 and 2 the first. In the first pair no message
     * between two of them shows it, as each waits for the other's: the announcement does.
     */
    @Test
    void aRankThatCallsSomethingElseIsNamedOnEveryRank() throws Exception {
        onEveryRank(
                RANKS,
                world -> {
                    for (List<Call> pair : pairs()) {
                        Throwable thrown = failure(world, pair.get(world.rank() == 1 ? 1 : 0));
                        assertThat(thrown)
                                .as("%s at rank %d", pair.getFirst().name(), world.rank())
                                .isInstanceOf(MismatchException.class);
                    }
                    return 0;
                });
    }

    private static List<List<Call>> pairs() {
        return List.of(
                List.of(
                        new Call("gatherv", one(), all(), PARTS, 0),
                        new Call("scatter", all(), one(), 0)),
                List.of(
                        new Call("allgatherv", one(), all(), PARTS),
                        new Call("alltoall", all(), all())),
                List.of(
                        new Call("alltoall", all(), all()),
                        new Call("allreduce", one(), one(), SUM)),
                List.of(
                        new Call("alltoallv", all(), PARTS, all(), PARTS),
                        new Call("reduceScatter", all(), one(), SUM, new long[0])));
    }

    /** In a communicator of its own, since it serves no further collective call. */
    private static Throwable failure(Communicator world, Call call) {
        try (Communicator ranks = world.dup()) {
            return catchThrowable(() -> {
                call.make(ranks, "%s");
                ranks.barrier();
            });
        }
    }
}
