package org.madcast.simulator.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.simulator.CableModel;
import org.madcast.simulator.JobNetwork;
import org.madcast.simulator.JobSettings;
import org.madcast.simulator.ProcessorCosts;
import org.madcast.simulator.SimulatedJob;

class BroadcastModelTest {

    private static final long MBIT_100 = 100_000_000;
    private static final long GBIT_10 = 10_000_000_000L;
    private static final int KIB = 1024;
    private static final long DELAY_NS = 5_000;
    private static final ProcessorCosts COSTS = new ProcessorCosts(20_000, 4_700, 0.5);
    private static final List<Integer> SIZES = List.of(4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB);

    private static BroadcastModel model(long rate) {
        return new BroadcastModel(new CableNetwork(rate, DELAY_NS, COSTS));
    }

    /** The engines that ship, on the simulated network, are what the formulas are held against. */
    private static void compare(Algorithm algorithm, long rate, List<Integer> ranks) {
        SoftAssertions all = new SoftAssertions();
        for (int size : ranks) {
            JobNetwork network =
                    JobNetwork.uniform(
                            size, rate, 1, rate, false, new CableModel(DELAY_NS, 512 * KIB, false));
            JobSettings settings = new JobSettings(network, 0, 0, COSTS, 0, 1);
            try (SimulatedJob job = new SimulatedJob(settings)) {
                for (int bytes : SIZES) {
                    double simulated = job.broadcast(algorithm, bytes).lastNs();
                    all.assertThat(model(rate).lastNs(algorithm, size, bytes))
                            .as("%s, %d ranks, %d bytes, %d bit/s", algorithm, size, bytes, rate)
                            .isCloseTo(simulated, withinPercentage(20));
                }
            }
        }
        all.assertAll();
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void itPredictsWhatIsSimulatedWhereTheCablesAreSlow(Algorithm algorithm) {
        compare(algorithm, MBIT_100, List.of(2, 3, 8, 21));
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void itPredictsWhatIsSimulatedWhereTheProcessorsAre(Algorithm algorithm) {
        compare(algorithm, GBIT_10, List.of(4, 16));
    }

    /**
     * Where 32 KiB pass at once, and where all hosts share two processors besides. There all ranks
     * of scatter_allgather hand on at the same time, and how they take turns is not modelled.
     */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void itPredictsWhatIsSimulatedAsInTheLab(boolean shared) {
        ProcessorCosts costs = shared ? COSTS.withOverhead(5_000).onShared(2, 20_000) : COSTS;
        BroadcastModel model = new BroadcastModel(CableNetwork.asLab(MBIT_100, DELAY_NS, costs));
        Set<Algorithm> algorithms = EnumSet.allOf(Algorithm.class);
        if (shared) {
            algorithms.remove(Algorithm.SCATTER_ALLGATHER);
        }
        SoftAssertions all = new SoftAssertions();
        for (int size : List.of(4, 8, 16)) {
            JobNetwork network =
                    JobNetwork.uniform(
                            size,
                            MBIT_100,
                            1,
                            MBIT_100,
                            false,
                            new CableModel(DELAY_NS, 3 * KIB * KIB, true));
            JobSettings settings = new JobSettings(network, 0, 0, costs, 0, 1);
            try (SimulatedJob job = new SimulatedJob(settings)) {
                for (Algorithm algorithm : algorithms) {
                    for (int bytes : List.of(64 * KIB, 256 * KIB, 1024 * KIB)) {
                        double simulated = job.broadcast(algorithm, bytes).lastNs();
                        double predicted = model.lastNs(algorithm, size, bytes);
                        all.assertThat(predicted)
                                .as("%s, %d ranks, %d bytes", algorithm, size, bytes)
                                .isCloseTo(simulated, withinPercentage(20));
                    }
                }
            }
        }
        all.assertAll();
    }

    /** Formula 1 of seed 001: (P - 1)(L + g) + (X - 1) g. */
    @Test
    void theChainIsThatOfThePaper() {
        MeasuredNetwork network =
                new MeasuredNetwork(
                        250_000, 0, List.of(new MeasuredNetwork.Line(1, 89_000, 0)), 1024 + 36);
        double ns = new BroadcastModel(network).lastNs(Algorithm.CHAIN, 32, 1 << 20);
        assertThat(ns).isEqualTo(31 * (250_000.0 + 89_000) + 1023 * 89_000.0);
    }

    /** Figure 8 of seed 001: 2 L + 4 g + 2 (X - 1) g for a tree of 7 ranks. */
    @Test
    void theBinaryTreeIsThatOfThePaper() {
        MeasuredNetwork network =
                new MeasuredNetwork(100, 0, List.of(new MeasuredNetwork.Line(1, 10, 0)), 1000 + 36);
        double ns = new BroadcastModel(network).lastNs(Algorithm.BINARY, 7, 5_000);
        assertThat(ns).isEqualTo(2 * 100.0 + 4 * 10 + 2 * 4 * 10);
    }

    @Test
    void theQuickestComesFirst() {
        List<BroadcastModel.Prediction> predictions =
                model(MBIT_100).predict(List.of(Algorithm.values()), 64, 1 << 20);
        assertThat(predictions).hasSize(Algorithm.values().length);
        assertThat(predictions.getFirst().algorithm()).isEqualTo(Algorithm.ONCE);
        assertThat(predictions)
                .isSortedAccordingTo((a, b) -> Double.compare(a.lastNs(), b.lastNs()));
    }

    @Test
    void aRankAloneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> model(MBIT_100).lastNs(Algorithm.ONCE, 1, 16))
                .withMessageContaining("1 ranks");
    }
}
