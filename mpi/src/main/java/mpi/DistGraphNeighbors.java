package mpi;

import java.util.Objects;

/** This rank's edges of a distributed graph (MPI_Dist_graph_neighbors). */
public final class DistGraphNeighbors {

    private final Topology.Distributed graph;

    DistGraphNeighbors(Topology.Distributed graph) {
        this.graph = graph;
    }

    /** How many edges come in. */
    public int getInDegree() {
        return graph.from().length;
    }

    /** How many edges go out. */
    public int getOutDegree() {
        return graph.to().length;
    }

    /** Whether the edges have weights. */
    public boolean isWeighted() {
        return graph.fromWeights() != null;
    }

    /** Where an edge comes from. */
    public int getSource(int i) {
        return graph.from()[i];
    }

    /** The weight of an edge that comes in. */
    public int getSourceWeight(int i) {
        return weights(graph.fromWeights())[i];
    }

    /** Where an edge goes. */
    public int getDestination(int i) {
        return graph.to()[i];
    }

    /** The weight of an edge that goes out. */
    public int getDestinationWeight(int i) {
        return weights(graph.toWeights())[i];
    }

    private static int[] weights(int @org.jspecify.annotations.Nullable [] weights) {
        if (weights == null) {
            throw new MPIException(ErrorClass.TOPOLOGY, "the graph has no weights");
        }
        return Objects.requireNonNull(weights);
    }
}
