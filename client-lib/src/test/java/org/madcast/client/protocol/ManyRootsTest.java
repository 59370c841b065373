package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.BroadcastSimulationTest.Trouble;
import org.madcast.client.protocol.SimulatedJob.Shape;
import org.madcast.client.protocol.SimulatedJob.Step;
import org.madcast.netsim.FaultPlan;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

/** Broadcasts of many roots that are called together: roots need not wait for their turn. */
class ManyRootsTest {

    private static final long LIMIT_NS = 60_000_000_000L;
    private static final long LINK_BITS_PER_S = 100_000_000;

    private static List<Step> fromEach(int ranks, int bytes) {
        return IntStream.range(0, ranks)
                .mapToObj(rank -> new Step(rank, bytes, Algorithm.ONCE))
                .toList();
    }

    private static void assertNothingWasAskedFor(SimulatedJob job) {
        for (int rank = 0; rank < job.size(); rank++) {
            assertThat(job.simulation().counters(rank).droppedTotal()).isZero();
            assertThat(job.engine(rank).repairRequestsSent()).as("rank %d", rank).isZero();
            assertThat(job.engine(rank).counters().repairsSent()).isZero();
        }
    }

    /** What all parts need on one link, one after the other. */
    private static long wireNs(int ranks, int bytes) {
        long fragments = Math.max(1, (bytes + 1435) / 1436);
        long onWire = bytes + fragments * (36 + 28 + 38);
        return ranks * onWire * 8 * 1_000_000_000L / LINK_BITS_PER_S;
    }

    @ParameterizedTest
    @CsvSource({
        "2, 8",
        "3, 8",
        "16, 8",
        "16, 1024",
        "16, 4096",
        "16, 65536",
        "33, 1024",
        "64, 8",
        "5, 262144"
    })
    void anAllgatherTakesTheTimeOfTheLink(int ranks, int bytes) {
        Shape shape = QuietJob.shape().withWindow(2048).callingTogether(ranks);
        SimulatedJob job = QuietJob.run(ranks, fromEach(ranks, bytes), shape, 1);
        assertNothingWasAskedFor(job);
        long latencyNs = 200_000;
        assertThat(QuietJob.tookNs(job)).isLessThan(wireNs(ranks, bytes) + latencyNs);
    }

    /** What others sent ahead of a late root is no sign that the root's own part was lost. */
    @Test
    void aLateRankIsNotAskedForWhatItHasNotSent() {
        int ranks = 9;
        for (int late = 0; late < ranks; late += 4) {
            int slow = late;
            Shape shape =
                    QuietJob.shape()
                            .callingTogether(ranks)
                            .thinking(r -> QuietJob.CALL_NS + (r == slow ? 5_000_000_000L : 0));
            SimulatedJob job =
                    new SimulatedJob(ranks, fromEach(ranks, 3000), FaultPlan.NONE, 1, shape)
                            .run(LIMIT_NS)
                            .assertAllComplete();
            assertNothingWasAskedFor(job);
            assertThat(job.lastCompletionNs() - QuietJob.CALL_NS - 5_000_000_000L)
                    .isLessThan(10_000_000);
        }
    }

    private static List<Step> mixed(RandomStream random, int ranks) {
        List<Step> script = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int bytes = random.nextInt(1 << random.nextInt(16));
            boolean barrier = random.chance(0.05);
            Algorithm[] all = Algorithm.values();
            Algorithm algorithm =
                    random.chance(0.8) ? Algorithm.ONCE : all[random.nextInt(all.length)];
            script.add(barrier ? Step.BARRIER : new Step(random.nextInt(ranks), bytes, algorithm));
        }
        return script;
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void everyRankGetsEveryByte(Trouble trouble) {
        Seeds.forEach(
                30,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "many roots");
                    int ranks = 2 + random.nextInt(15);
                    FaultPlan faults = trouble.plan(random, ranks);
                    Shape shape =
                            Shape.fastEthernet()
                                    .callingTogether(1 + random.nextInt(ranks + 3))
                                    .thinking(rank -> random.nextInt(3_000_000));
                    new SimulatedJob(ranks, mixed(random, ranks), faults, seed, shape)
                            .run(LIMIT_NS)
                            .assertAllComplete();
                });
    }

    /** By unicast each root waits for its turn, as the order shows what was lost. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void inAnyAlgorithm(Algorithm algorithm) {
        int ranks = 9;
        List<Step> script =
                IntStream.range(0, 3 * ranks)
                        .mapToObj(i -> new Step((5 * i) % ranks, 20_000, algorithm))
                        .toList();
        Shape shape = QuietJob.shape().withWindow(2048).callingTogether(ranks);
        assertNothingWasAskedFor(QuietJob.run(ranks, script, shape, 1));
    }
}
