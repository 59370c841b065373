package mpi;

import org.jspecify.annotations.Nullable;

/** A communicator with the topology of a graph (mpiJava). */
public class Graphcomm extends Intracomm {

    private final Topology.Graph topology;

    Graphcomm(@Nullable CommState state, Topology.Graph topology) {
        super(state);
        this.topology = topology;
    }

    @Override
    Graphcomm with(CommState made) {
        return new Graphcomm(made, topology);
    }

    @Override
    Topology topology() {
        return topology;
    }

    /** A duplicate with the same topology (MPI_Comm_dup). */
    @Override
    public Graphcomm clone() {
        return (Graphcomm) super.clone();
    }

    /** The graph as it was made (MPI_Graph_get). */
    public GraphParms Get() throws MPIException {
        try {
            return new GraphParms(topology);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The neighbours of a rank (MPI_Graph_neighbors). */
    public int[] Neighbours(int rank) throws MPIException {
        try {
            return topology.neighbours(rank);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The place that a graph would give this process, or UNDEFINED (MPI_Graph_map). */
    public int Map(int[] index, int[] edges) throws MPIException {
        try {
            Topology.Graph graph = Topology.Graph.of(index, edges, state().all().size());
            return mapped(index.length, graph::numbers);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}
