package org.madcast.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;

/** Collective calls on simulated hosts, by messages and by multicast. */
class SimulatedCallTest {

    private static final long MBIT_100 = 100_000_000;
    private static final int KIB_64 = 64 * 1024;
    private static final int MIB = 1 << 20;
    private static final CableModel CABLES = new CableModel(5_000, 0, false);
    private static final ProcessorCosts COSTS = new ProcessorCosts(20_000, 2_000, 0.5);

    /** What a byte of a message takes on a cable: frames of 1538 bytes carry 1448. */
    private static final double NS_PER_BYTE = 1538.0 / 1448 * 8e9 / MBIT_100;

    private static JobSettings settings(int ranks, int switches, long skewNs) {
        JobNetwork network = JobNetwork.uniform(ranks, MBIT_100, switches, MBIT_100, false, CABLES);
        return new JobSettings(network, 0, skewNs, COSTS, 0, 1);
    }

    private static Outcome run(
            int ranks, CollectiveOperation operation, CollectiveAlgorithm algorithm, int bytes) {
        return SimulatedCall.run(
                settings(ranks, 1, 0), new SimulatedWay(operation, algorithm), bytes);
    }

    private static Stream<SimulatedWay> ways() {
        return SimulatedWay.OPERATIONS.stream()
                .flatMap(it -> it.algorithms().stream().map(how -> new SimulatedWay(it, how)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void everyWayEndsOnAllRanksOverSeveralSwitches(SimulatedWay way) {
        for (int ranks : List.of(2, 3, 8, 13)) {
            for (int bytes : List.of(0, 1, 5_000, 100_000)) {
                Outcome outcome = SimulatedCall.run(settings(ranks, 2, 1_000_000), way, bytes);
                assertThat(outcome.firstNs()).isPositive();
                assertThat(outcome.lastNs()).isGreaterThanOrEqualTo(outcome.firstNs());
                assertThat(outcome.skewNs()).isEqualTo(outcome.lastNs() - outcome.firstNs());
                assertThat(outcome.meanNs()).isLessThanOrEqualTo((double) outcome.lastNs());
            }
        }
    }

    /** Each rank sends 7/8 of the vector, and then again. */
    @Test
    void aRingTakesWhatItsCablesNeed() {
        Outcome ring = run(8, CollectiveOperation.ALLREDUCE, CollectiveAlgorithm.RING, MIB);
        assertThat(ring.lastNs() / (2 * 7.0 / 8 * MIB * NS_PER_BYTE)).isBetween(1.0, 1.1);
        assertThat((double) ring.rootTxBytes()).isBetween(1.75 * MIB, 1.9 * MIB);
    }

    /** 4 rounds, 2, and 1 of 15 messages, which go out one by one. */
    @Test
    void someWaysMakeABarrierQuickerAndTooManySlower() {
        double one = barrier(1);
        double three = barrier(3);
        assertThat(three).isBetween(0.5 * one, 0.9 * one);
        assertThat(barrier(15)).isGreaterThan(three);
        assertThatIllegalArgumentException().isThrownBy(() -> SimulatedWay.disseminationBarrier(0));
    }

    private static double barrier(int ways) {
        SimulatedWay way = SimulatedWay.disseminationBarrier(ways);
        return SimulatedCall.run(settings(16, 1, 0), way, 0).lastNs();
    }

    @Test
    void pairsTakeWhatTheirCablesNeed() {
        Outcome pairs = run(8, CollectiveOperation.ALLTOALL, CollectiveAlgorithm.PAIRWISE, KIB_64);
        assertThat(pairs.lastNs() / (7 * KIB_64 * NS_PER_BYTE)).isBetween(1.0, 1.15);
    }

    /** All send at once, and the root's cable carries one after the other. */
    @Test
    void theCableOfTheRootIsWhatAGatherWaitsFor() {
        Outcome gather = run(8, CollectiveOperation.GATHER, CollectiveAlgorithm.LINEAR, KIB_64);
        assertThat(gather.lastNs() / (7 * KIB_64 * NS_PER_BYTE)).isBetween(1.0, 1.05);
    }

    /** Through a ring each part passes each rank's cable; by multicast it passes it once, too. */
    @Test
    void anAllgatherByMulticastTakesAboutWhatARingTakes() {
        Outcome ring = run(8, CollectiveOperation.ALLGATHER, CollectiveAlgorithm.RING, KIB_64);
        Outcome multicast =
                run(8, CollectiveOperation.ALLGATHER, CollectiveAlgorithm.MULTICAST, KIB_64);
        assertThat((double) multicast.lastNs() / ring.lastNs()).isBetween(0.85, 1.15);
        assertThat(multicast.rootTxBytes()).isLessThan(ring.rootTxBytes() / 6);
    }

    @ParameterizedTest
    @EnumSource(
            value = CollectiveAlgorithm.class,
            names = {"TREE", "MULTICAST", "DISSEMINATION"})
    void noBarrierEndsBeforeTheLastRankHasCalled(CollectiveAlgorithm algorithm) {
        long skewNs = 50_000_000;
        SimulatedWay barrier = new SimulatedWay(CollectiveOperation.BARRIER, algorithm);
        Outcome outcome = SimulatedCall.run(settings(16, 1, skewNs), barrier, 0);
        assertThat(outcome.firstNs()).isBetween(skewNs / 2, skewNs + 1_000_000);
        assertThat(outcome.skewNs()).isLessThan(1_000_000);
    }

    @Test
    void theLibrarysTableChooses() {
        assertThat(SimulatedWay.selected(CollectiveOperation.ALLREDUCE, 16, MIB).algorithm())
                .isIn(CollectiveAlgorithm.RING, CollectiveAlgorithm.HALVING);
        assertThat(SimulatedWay.selected(CollectiveOperation.ALLREDUCE, 16, 8).algorithm())
                .isNotIn(CollectiveAlgorithm.RING, CollectiveAlgorithm.HALVING);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        SimulatedWay way =
                new SimulatedWay(CollectiveOperation.ALLTOALL, CollectiveAlgorithm.BRUCK);
        JobSettings settings = settings(13, 2, 500_000);
        Outcome first = SimulatedCall.run(settings, way, 3_000);
        assertThat(SimulatedCall.run(settings, way, 3_000)).isEqualTo(first);
        assertThat(SimulatedCall.run(settings.again(1), way, 3_000)).isNotEqualTo(first);
    }

    @Test
    void lossIsRefused() {
        JobSettings lossy = new JobSettings(settings(4, 1, 0).network(), 1, 0, COSTS, 0, 1);
        SimulatedWay way = SimulatedWay.selected(CollectiveOperation.GATHER, 4, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SimulatedCall.run(lossy, way, 1))
                .withMessageContaining("without loss");
    }
}
