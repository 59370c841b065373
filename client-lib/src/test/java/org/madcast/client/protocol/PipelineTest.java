package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.HostModel;
import org.madcast.netsim.LinkModel;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/**
 * Every algorithm without loss: no rank asks for a repair, however long a path is, and the time is
 * what the algorithm's own formula says.
 */
class PipelineTest {

    private static final int MIB = 1 << 20;
    private static final int LARGEST = 4 * MIB;
    private static final int MOST_RANKS = 64;

    /** From here on the length of a message counts more than that of the paths. */
    private static final int LONG_BYTES = 256 * 1024;

    /** The window of the default receive buffer. */
    static final int WINDOW = 2048;

    /** Not when heartbeats are due, which take some microseconds of the links. */
    private static final long CALL_NS = 217_000_000;

    /** With room at the switch for both stages of ipmc, which share the receivers' links. */
    private static final HostModel ROOMY =
            new HostModel(
                    SimulatedJob.FAST_ETHERNET.uplink(),
                    new LinkModel(100_000_000, 20_000, 0),
                    0,
                    0);

    private static Shape shape(Algorithm algorithm) {
        HostModel host = algorithm == Algorithm.IPMC ? ROOMY : SimulatedJob.FAST_ETHERNET;
        return new Shape(rank -> host, WINDOW, rank -> CALL_NS, true);
    }

    /** Runs one broadcast and returns the time until the last receiver had it. */
    private static long run(Algorithm algorithm, int ranks, int root, int bytes) {
        List<Step> script = List.of(new Step(root, bytes, algorithm));
        SimulatedJob job = QuietJob.run(ranks, script, shape(algorithm), 1);
        assertNothingWasAskedFor(job);
        long lastNs = 0;
        for (int rank = 0; rank < ranks; rank++) {
            lastNs = Math.max(lastNs, rank == root ? 0 : job.completedNs(rank));
        }
        return lastNs - CALL_NS;
    }

    private static void assertNothingWasAskedFor(SimulatedJob job) {
        for (int rank = 0; rank < job.size(); rank++) {
            assertThat(job.simulation().counters(rank).droppedTotal()).isZero();
            assertThat(job.engine(rank).repairRequestsSent()).as("rank %d", rank).isZero();
            assertThat(job.engine(rank).counters().repairsSent()).isZero();
        }
    }

    private static void assertKeepsToItsFormula(
            Algorithm algorithm, int ranks, int root, int bytes) {
        double ratio =
                run(algorithm, ranks, root, bytes) / new PipelineModel(ranks, bytes).ns(algorithm);
        assertThat(ratio)
                .as("%s, %d ranks, root %d, %d bytes", algorithm, ranks, root, bytes)
                .isBetween(bytes >= LONG_BYTES ? 0.9 : 0.5, 1.15);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void anyJobAndMessage(Algorithm algorithm) {
        Seeds.forEach(
                12,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "pipeline");
                    int ranks = 2 + random.nextInt(MOST_RANKS - 1);
                    int bytes = 1 << random.nextInt(21);
                    bytes += random.nextInt(bytes);
                    assertKeepsToItsFormula(algorithm, ranks, random.nextInt(ranks), bytes);
                });
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void theLargestJobAndTheLongestMessage(Algorithm algorithm) {
        assertKeepsToItsFormula(algorithm, MOST_RANKS, 0, 64 * 1024);
        assertKeepsToItsFormula(algorithm, algorithm == Algorithm.LINEAR ? 4 : 20, 3, LARGEST);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void allJobs(Algorithm algorithm) {
        for (int ranks = 2; ranks <= MOST_RANKS; ranks++) {
            for (int bytes : new int[] {1, 1437, 20_000, 64 * 1024, MIB, LARGEST}) {
                assertKeepsToItsFormula(algorithm, ranks, ranks / 3, bytes);
            }
        }
    }

    /** What they are there for: the root's link carries a long message once. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 6, 7, 8, 16, 20, 33, 64})
    void forLongMessagesTheDealtAlgorithmsBeatTheTreesOfWholeMessages(int ranks) {
        long splitNs = run(Algorithm.SPLIT_BINARY, ranks, 1, MIB);
        assertThat(splitNs).isLessThan(run(Algorithm.BINARY, ranks, 1, MIB) * 80 / 100);
        long scatteredNs = run(Algorithm.SCATTER_ALLGATHER, ranks, 1, MIB);
        assertThat(scatteredNs).isLessThan(run(Algorithm.BINOMIAL, ranks, 1, MIB) * 60 / 100);
        assertThat(scatteredNs).isLessThan(splitNs * 110 / 100);
    }

    /** One message behind the other, of any roots and lengths: what overtakes shows no loss. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void messagesOneBehindTheOther(Algorithm algorithm) {
        Seeds.forEach(
                12,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "messages");
                    int ranks = 2 + random.nextInt(24);
                    boolean oneRoot = random.chance(0.5);
                    List<Step> script = new ArrayList<>();
                    for (int i = 0; i < 20; i++) {
                        int bytes = 1 + random.nextInt(1 << random.nextInt(18));
                        script.add(new Step(oneRoot ? 0 : random.nextInt(ranks), bytes, algorithm));
                    }
                    Shape shape = shape(algorithm).thinking(rank -> 0);
                    assertNothingWasAskedFor(QuietJob.run(ranks, script, shape, seed));
                });
    }
}
