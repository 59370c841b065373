package org.madcast.simulator.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.madcast.client.schedule.Counts;
import org.madcast.client.schedule.Exchanges;
import org.madcast.client.schedule.Halving;
import org.madcast.client.schedule.Reductions;
import org.madcast.client.schedule.Rooted;
import org.madcast.client.schedule.Schedule;
import org.madcast.simulator.ProcessorCosts;

class CollectiveModelTest {

    private static final double COMBINE_NS = 0.25;
    private static final CableNetwork NETWORK =
            new CableNetwork(1_000_000_000, 5_000, new ProcessorCosts(20_000, 2_000, 0.5));
    private static final CollectiveModel MODEL = new CollectiveModel(NETWORK, COMBINE_NS);

    /** What the library runs; counts are bytes here. */
    private static Schedule schedule(ModelledAlgorithm algorithm, int ranks, int rank, long bytes) {
        Counts parts = Counts.even(ranks, bytes);
        Counts shares = Counts.even(ranks, bytes / ranks);
        return switch (algorithm) {
            case DISSEMINATION -> Rooted.dissemination(ranks, rank, 3);
            case TREE_BARRIER -> Rooted.treeBarrier(ranks, rank);
            case LINEAR_GATHER -> Rooted.linearGather(rank, 0, parts);
            case BINOMIAL_GATHER -> Rooted.binomialGather(rank, 0, parts);
            case LINEAR_SCATTER -> Rooted.linearScatter(rank, 0, parts);
            case BINOMIAL_SCATTER -> Rooted.binomialScatter(rank, 0, parts);
            case BRUCK_ALLGATHER -> Exchanges.bruckAllgather(rank, parts);
            case RING_ALLGATHER -> Exchanges.ringAllgather(rank, parts);
            case BRUCK_ALLTOALL -> Exchanges.bruckAlltoall(ranks, rank, bytes);
            case PAIRWISE_ALLTOALL -> Exchanges.pairwiseAlltoall(rank, parts, parts);
            case TREE_REDUCE -> Reductions.treeReduce(ranks, rank, 0, bytes, true);
            case HALVING_REDUCE -> Halving.reduce(ranks, rank, 0, bytes);
            case DOUBLING_ALLREDUCE -> Reductions.doublingAllreduce(ranks, rank, bytes);
            case RING_ALLREDUCE -> Reductions.ringAllreduce(ranks, rank, bytes);
            case HALVING_REDUCE_SCATTER -> Halving.reduceScatter(rank, shares);
            case RING_REDUCE_SCATTER -> Reductions.ringReduceScatter(rank, shares);
            case DOUBLING_SCAN -> Reductions.scan(ranks, rank, bytes);
            case TURNS_ALLGATHER -> throw new IllegalArgumentException("it has no schedule");
        };
    }

    /** The schedules that ship, run step by step on cables that carry one message at a time. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "TURNS_ALLGATHER")
    void itPredictsWhatTheSchedulesTake(ModelledAlgorithm algorithm) {
        SoftAssertions all = new SoftAssertions();
        for (int ranks : List.of(2, 4, 5, 16, 23)) {
            for (int bytes : List.of(4_096, 65_536)) {
                int even = bytes / ranks * ranks;
                List<Schedule> schedules =
                        IntStream.range(0, ranks)
                                .mapToObj(rank -> schedule(algorithm, ranks, rank, even))
                                .toList();
                double run = new ScheduleTimes(MODEL, COMBINE_NS, schedules).ns();
                all.assertThat(MODEL.ns(algorithm, ranks, even) - NETWORK.callNs())
                        .as("%s, %d ranks, %d bytes", algorithm, ranks, even)
                        .isCloseTo(run, withinPercentage(20));
            }
        }
        all.assertAll();
    }

    @Test
    void byMulticastEachRankTakesItsTurn() {
        double one = MODEL.ns(ModelledAlgorithm.TURNS_ALLGATHER, 16, 65_536);
        double ring = MODEL.ns(ModelledAlgorithm.RING_ALLGATHER, 16, 65_536);
        assertThat(one / ring).isBetween(1.0, 1.2);
    }

    @Test
    void shortVectorsAreExchangedWholeAndLongOnesInParts() {
        assertThat(MODEL.predict(Operation.ALLREDUCE, 16, 64).getFirst().algorithm())
                .isEqualTo(ModelledAlgorithm.DOUBLING_ALLREDUCE);
        assertThat(MODEL.predict(Operation.ALLREDUCE, 16, 1 << 22).getFirst().algorithm())
                .isEqualTo(ModelledAlgorithm.RING_ALLREDUCE);
    }
}
