package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.madcast.client.Communicator;
import org.madcast.client.Elements;
import org.madcast.client.Grid;
import org.madcast.client.Parts;
import org.madcast.client.RankLostException;
import org.madcast.client.ReduceOperation.Kind;
import org.madcast.client.Topology;

/**
 * A rank that makes each kind of collective call again and again, all at the same time, each in a
 * communicator of its own. It says when all are running, and how each ended.
 */
final class CollectivesRank {

    static final int RANKS = 4;

    private static final int BYTES = 16 << 10;
    private static final int FIRST = 3;

    private CollectivesRank() {}

    private static MemorySegment data() {
        return MemorySegment.ofArray(new byte[BYTES]);
    }

    private static MemorySegment all() {
        return MemorySegment.ofArray(new byte[RANKS * BYTES]);
    }

    private static Parts parts() {
        return Parts.packed(BYTES, BYTES, BYTES, BYTES);
    }

    private static Elements numbers(int times) {
        return Elements.of(new double[times * BYTES / Double.BYTES]);
    }

    /** The kinds of calls, by name; roots are neither the first nor the last rank. */
    static Map<String, Consumer<Communicator>> kinds() {
        Map<String, Consumer<Communicator>> kinds = new LinkedHashMap<>();
        kinds.put("barrier", Communicator::barrier);
        kinds.put("bcast", ranks -> ranks.bcast(data(), 1));
        kinds.put("gather", ranks -> ranks.gather(data(), all(), 1));
        kinds.put("gatherv", ranks -> ranks.gatherv(data(), all(), parts(), 1));
        kinds.put("scatter", ranks -> ranks.scatter(all(), data(), 1));
        kinds.put("scatterv", ranks -> ranks.scatterv(all(), parts(), data(), 1));
        kinds.put("allgather", ranks -> ranks.allgather(data(), all()));
        kinds.put("allgatherv", ranks -> ranks.allgatherv(data(), all(), parts()));
        kinds.put("alltoall", ranks -> ranks.alltoall(all(), all()));
        kinds.put("alltoallv", ranks -> ranks.alltoallv(all(), parts(), all(), parts()));
        kinds.put("reduce", ranks -> ranks.reduce(numbers(1), numbers(1), Kind.SUM, 1));
        kinds.put("allreduce", ranks -> ranks.allreduce(numbers(1), numbers(1), Kind.SUM));
        kinds.put("reduceScatter", ranks -> ranks.reduceScatter(numbers(4), numbers(1), Kind.SUM));
        kinds.put("scan", ranks -> ranks.scan(numbers(1), numbers(1), Kind.SUM));
        kinds.put("exscan", ranks -> ranks.exscan(numbers(1), numbers(1), Kind.SUM));
        kinds.put("neighbours", ranks -> ring(ranks).alltoall(numbers(2), numbers(2)));
        kinds.put("objects", ranks -> ranks.allgatherObjects("x".repeat(BYTES)));
        return kinds;
    }

    private static Topology ring(Communicator ranks) {
        return Topology.of(ranks, new Grid(new int[] {RANKS}, true));
    }

    public static void main(String[] arguments) throws InterruptedException {
        Map<String, Consumer<Communicator>> kinds = kinds();
        CountDownLatch running = new CountDownLatch(kinds.size() + 1);
        CountDownLatch ended = new CountDownLatch(kinds.size() + 1);
        Communicator world = Communicator.fromEnvironment();
        kinds.forEach((name, call) -> {
            Communicator own = world.dup();
            Thread _ = Thread.ofVirtual().start(() -> repeat(name, own, call, running, ended));
        });
        Thread _ =
                Thread.ofVirtual()
                        .start(() ->
                                repeat(
                                        "multicast",
                                        world,
                                        ranks -> ranks.bcast(data(), 1),
                                        running,
                                        ended));
        running.await();
        System.out.println("running");
        ended.await();
        Runtime.getRuntime().halt(0);
    }

    private static void repeat(
            String name,
            Communicator ranks,
            Consumer<Communicator> call,
            CountDownLatch running,
            CountDownLatch ended) {
        try {
            for (int i = 0; true; i++) {
                call.accept(ranks);
                if (i == FIRST) {
                    running.countDown();
                }
            }
        } catch (RuntimeException | Error failed) {
            int lost = failed instanceof RankLostException named ? named.rank() : -1;
            System.out.println(name + " " + failed.getClass().getSimpleName() + " " + lost);
            if (lost < 0) {
                failed.printStackTrace();
            }
        } finally {
            ended.countDown();
        }
    }
}
