package mpi;

import org.jspecify.annotations.Nullable;

/** Collective calls between the neighbours of a topology. */
abstract class CommNeighbors extends CommCollectiveRequests {

    CommNeighbors(@Nullable CommState state) {
        super(state);
    }
}
