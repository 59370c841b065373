package mpi;

/** A graph as it was made (MPI_Graph_get). */
public final class GraphParms {

    /** Where each node's edges end in {@link #edges}. */
    public int[] index;

    /** The neighbours of all nodes, one node after the other. */
    public int[] edges;

    GraphParms(Topology.Graph graph) {
        this.index = graph.index().clone();
        this.edges = graph.edges().clone();
    }

    /** How many nodes the graph has. */
    public int getIndexCount() {
        return index.length;
    }

    /** Where a node's edges end. */
    public int getIndex(int i) {
        return index[i];
    }

    /** How many edges the graph has. */
    public int getEdgeCount() {
        return edges.length;
    }

    /** The node at the end of an edge. */
    public int getEdge(int i) {
        return edges[i];
    }
}
