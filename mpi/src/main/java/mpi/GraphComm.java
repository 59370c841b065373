package mpi;

import org.jspecify.annotations.Nullable;

/** A communicator with the topology of a graph, distributed or not (Open MPI). */
public class GraphComm extends Intracomm {

    private final Topology topology;

    GraphComm(@Nullable CommState state, Topology topology) {
        super(state);
        this.topology = topology;
    }

    @Override
    GraphComm with(CommState made) {
        return new GraphComm(made, topology);
    }

    @Override
    Topology topology() {
        return topology;
    }

    /** A duplicate with the same topology (MPI_Comm_dup). */
    @Override
    public GraphComm clone() {
        return (GraphComm) super.clone();
    }

    @Override
    public GraphComm dup() throws MPIException {
        return (GraphComm) super.dup();
    }

    @Override
    public GraphComm iDup() throws MPIException {
        return (GraphComm) super.iDup();
    }

    @Override
    public GraphComm dupWithInfo(Info info) throws MPIException {
        return (GraphComm) super.dupWithInfo(info);
    }

    /** The graph as it was made (MPI_Graph_get). */
    public GraphParms getDims() throws MPIException {
        try {
            return new GraphParms(graph());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The neighbours of a rank (MPI_Graph_neighbors). */
    public int[] getNeighbors(int rank) throws MPIException {
        try {
            return graph().neighbours(rank);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** This rank's edges of a distributed graph (MPI_Dist_graph_neighbors). */
    public DistGraphNeighbors getDistGraphNeighbors() throws MPIException {
        try {
            if (topology instanceof Topology.Distributed distributed) {
                return new DistGraphNeighbors(distributed);
            }
            throw new MPIException(ErrorClass.TOPOLOGY, "the topology is no distributed graph");
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The place that a graph would give this process, or UNDEFINED (MPI_Graph_map). */
    public int map(int[] index, int[] edges) throws MPIException {
        try {
            Topology.Graph graph = Topology.Graph.of(index, edges, state().all().size());
            return mapped(index.length, graph::numbers);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private Topology.Graph graph() {
        if (topology instanceof Topology.Graph graph) {
            return graph;
        }
        throw new MPIException(
                ErrorClass.TOPOLOGY, "a distributed graph: each rank knows its own edges only");
    }
}
