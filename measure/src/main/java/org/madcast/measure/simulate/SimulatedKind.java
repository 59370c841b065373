package org.madcast.measure.simulate;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;
import org.madcast.measure.bench.MeasuredWay;
import org.madcast.simulator.SimulatedWay;

/** What is simulated: a broadcast with an algorithm, or another collective operation. */
sealed interface SimulatedKind {

    /** A broadcast from rank 0. */
    record Broadcast(Algorithm algorithm) implements SimulatedKind {
        @Override
        public String label() {
            return algorithm.label();
        }
    }

    /**
     * Another collective operation.
     *
     * @param label as the user wrote it
     * @param algorithm null for what the library selects
     */
    record Collective(
            String label, CollectiveOperation operation, @Nullable CollectiveAlgorithm algorithm)
            implements SimulatedKind {

        /** The operation with the algorithm that serves this many ranks and bytes. */
        SimulatedWay way(int ranks, int bytes) {
            return algorithm == null
                    ? SimulatedWay.selected(operation, ranks, bytes)
                    : new SimulatedWay(operation, algorithm);
        }
    }

    /** The name of its rows. */
    String label();

    /**
     * The operation that is written so: its name, or that, a slash and an algorithm's.
     *
     * @throws IllegalArgumentException when there is none, or it cannot be simulated
     */
    static SimulatedKind collective(String written) {
        MeasuredWay way = MeasuredWay.of(written);
        CollectiveOperation operation =
                SimulatedWay.OPERATIONS.stream()
                        .filter(it -> it.label().equals(way.call().label()))
                        .findFirst()
                        .orElseThrow(() -> notOne(written));
        return new Collective(way.label(), operation, way.algorithm());
    }

    private static IllegalArgumentException notOne(String written) {
        return new IllegalArgumentException(
                SimulatedWay.OPERATIONS.stream()
                        .map(CollectiveOperation::label)
                        .collect(
                                Collectors.joining(
                                        ", ",
                                        "--collective simulates ",
                                        ", not '" + written + "'")));
    }
}
