package org.madcast.simulator.model;

/** Collective operations other than broadcasts. Sizes are those of each rank's part, or vector. */
public enum Operation {
    /** No rank goes on before all have arrived. */
    BARRIER,
    /** The root gets a part of each rank. */
    GATHER,
    /** Each rank gets a part of the root's. */
    SCATTER,
    /** Each rank gets the part of each. */
    ALLGATHER,
    /** Each rank gets a part from each. */
    ALLTOALL,
    /** The root gets the ranks' vectors combined. */
    REDUCE,
    /** Each rank gets the ranks' vectors combined. */
    ALLREDUCE,
    /** Each rank gets a part of the ranks' vectors combined. */
    REDUCE_SCATTER,
    /** Each rank gets the vectors of the ranks up to itself combined. */
    SCAN
}
