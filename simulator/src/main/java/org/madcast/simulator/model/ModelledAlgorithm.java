package org.madcast.simulator.model;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The algorithms by which the library carries out collective operations over messages. */
public enum ModelledAlgorithm {
    /** Barrier, three notices a round (seed 004, section II.3.1). */
    DISSEMINATION(Operation.BARRIER),
    /** Barrier, up a binomial tree and down again. */
    TREE_BARRIER(Operation.BARRIER),
    /** Gather, each rank to the root. */
    LINEAR_GATHER(Operation.GATHER),
    /** Gather, up a binomial tree. */
    BINOMIAL_GATHER(Operation.GATHER),
    /** Scatter, from the root to each rank. */
    LINEAR_SCATTER(Operation.SCATTER),
    /** Scatter, down a binomial tree. */
    BINOMIAL_SCATTER(Operation.SCATTER),
    /** Allgather, twice as much each round. */
    BRUCK_ALLGATHER(Operation.ALLGATHER),
    /** Allgather, around a ring. */
    RING_ALLGATHER(Operation.ALLGATHER),
    /** Allgather, each rank broadcasts by multicast. */
    TURNS_ALLGATHER(Operation.ALLGATHER),
    /** Alltoall, half of all parts each round. */
    BRUCK_ALLTOALL(Operation.ALLTOALL),
    /** Alltoall, one partner a round. */
    PAIRWISE_ALLTOALL(Operation.ALLTOALL),
    /** Reduce, up a binomial tree. */
    TREE_REDUCE(Operation.REDUCE),
    /** Reduce, halves are exchanged and the parts gathered. */
    HALVING_REDUCE(Operation.REDUCE),
    /** Allreduce, whole vectors are exchanged. */
    DOUBLING_ALLREDUCE(Operation.ALLREDUCE),
    /** Allreduce, parts go around a ring twice. */
    RING_ALLREDUCE(Operation.ALLREDUCE),
    /** Reduce-scatter, halves are exchanged. */
    HALVING_REDUCE_SCATTER(Operation.REDUCE_SCATTER),
    /** Reduce-scatter, parts go around a ring. */
    RING_REDUCE_SCATTER(Operation.REDUCE_SCATTER),
    /** Scan, over twice the distance each round. */
    DOUBLING_SCAN(Operation.SCAN);

    private final Operation operation;

    ModelledAlgorithm(Operation operation) {
        this.operation = operation;
    }

    /** What it does. */
    public Operation operation() {
        return operation;
    }

    /** Its name in tables. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Those of an operation. */
    public static List<ModelledAlgorithm> of(Operation operation) {
        return Stream.of(values()).filter(it -> it.operation == operation).toList();
    }
}
