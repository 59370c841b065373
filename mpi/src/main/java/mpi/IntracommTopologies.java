package mpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.Parts;

/**
 * How communicators with a topology are made. Where ranks may be reordered and the switches between
 * them are known, they get the numbers that put neighbours near each other; else they keep their
 * order.
 */
abstract class IntracommTopologies extends IntracommCollectives {

    IntracommTopologies(@Nullable CommState state) {
        super(state);
    }

    private Optional<CommState> part(int colour, int key) {
        CommState parent = state();
        return parent.all().split(colour, key).map(parent::part);
    }

    /** The ranks that the topology has room for, in the order of their new numbers. */
    private Optional<CommState> first(int count, boolean reorder, Numbering numbering) {
        int number = number(reorder, numbering);
        return part(number < count ? 0 : -1, number);
    }

    /** New numbers of the ranks of a communicator. */
    interface Numbering {
        int[] of(Communicator ranks);
    }

    /** This rank's new number. */
    private int number(boolean reorder, Numbering numbering) {
        Communicator ranks = state().all();
        return reorder ? numbering.of(ranks)[ranks.rank()] : ranks.rank();
    }

    /** The ranks in the same part of the grid. */
    final CommState subState(Topology.Cartesian grid, boolean[] remain) {
        return part(grid.partOf(state().all().rank(), remain), 0).orElseThrow();
    }

    /** This rank's number in a topology, if that has room for it. */
    final int mapped(int places, Numbering numbering) {
        int number = number(true, numbering);
        return number < places ? number : MPI.UNDEFINED;
    }

    /**
     * A communicator with the topology of a grid; a collective call. Ranks beyond the grid get a
     * null communicator (MPI_Cart_create).
     */
    public CartComm createCart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
        try {
            Topology.Cartesian grid = Topology.Cartesian.of(dims, periods, state().all().size());
            return new CartComm(
                    first(grid.grid().size(), reorder, grid::numbers).orElse(null), grid);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #createCart}; ranks beyond the grid get {@code null} (MPI_Cart_create). */
    public @Nullable Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder)
            throws MPIException {
        try {
            Topology.Cartesian grid = Topology.Cartesian.of(dims, periods, state().all().size());
            return first(grid.grid().size(), reorder, grid::numbers)
                    .map(it -> new Cartcomm(it, grid))
                    .orElse(null);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * A communicator with the topology of a graph; a collective call. Ranks beyond the graph get a
     * null communicator (MPI_Graph_create).
     *
     * @param index where each node's edges end
     * @param edges the neighbours of all nodes, one node after the other
     */
    public GraphComm createGraph(int[] index, int[] edges, boolean reorder) throws MPIException {
        try {
            Topology.Graph graph = Topology.Graph.of(index, edges, state().all().size());
            return new GraphComm(first(index.length, reorder, graph::numbers).orElse(null), graph);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** As {@link #createGraph}; ranks beyond the graph get {@code null} (MPI_Graph_create). */
    public @Nullable Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) {
        try {
            Topology.Graph graph = Topology.Graph.of(index, edges, state().all().size());
            return first(index.length, reorder, graph::numbers)
                    .map(it -> new Graphcomm(it, graph))
                    .orElse(null);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * A communicator with the topology of a graph, of which each rank names its own edges; a
     * collective call (MPI_Dist_graph_create_adjacent).
     */
    public GraphComm createDistGraphAdjacent(
            int[] sources,
            int[] sourceWeights,
            int[] destinations,
            int[] destWeights,
            Info info,
            boolean reorder)
            throws MPIException {
        try {
            return distributed(sources, sourceWeights, destinations, destWeights, reorder);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The same without weights (MPI_Dist_graph_create_adjacent). */
    public GraphComm createDistGraphAdjacent(
            int[] sources, int[] destinations, Info info, boolean reorder) throws MPIException {
        try {
            return distributed(sources, null, destinations, null, reorder);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private GraphComm distributed(
            int[] from,
            int @Nullable [] fromWeights,
            int[] to,
            int @Nullable [] toWeights,
            boolean reorder) {
        Communicator ranks = state().all();
        Topology.Distributed own =
                Topology.Distributed.of(from, fromWeights, to, toWeights, ranks.size());
        if (!reorder || !ranks.knowsSwitches()) {
            return new GraphComm(part(0, 0).orElseThrow(), own);
        }
        List<Topology.Distributed> nodes =
                Topology.Distributed.parse(everyRanks(ranks, own.words()));
        int number = Topology.Distributed.numbers(ranks, nodes)[ranks.rank()];
        return new GraphComm(part(0, number).orElseThrow(), nodes.get(number));
    }

    /**
     * A communicator with the topology of a graph, of which each rank names any edges; a collective
     * call (MPI_Dist_graph_create).
     *
     * @param sources the nodes whose edges this rank names
     * @param degrees how many edges of each
     * @param destinations where the edges go, one source after the other
     * @param weights the weights of these edges
     */
    public GraphComm createDistGraph(
            int[] sources,
            int[] degrees,
            int[] destinations,
            int[] weights,
            Info info,
            boolean reorder)
            throws MPIException {
        try {
            return general(sources, degrees, destinations, weights, reorder);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The same without weights (MPI_Dist_graph_create). */
    public GraphComm createDistGraph(
            int[] sources, int[] degrees, int[] destinations, Info info, boolean reorder)
            throws MPIException {
        try {
            return general(sources, degrees, destinations, null, reorder);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private GraphComm general(
            int[] sources,
            int[] degrees,
            int[] destinations,
            int @Nullable [] weights,
            boolean reorder) {
        Communicator ranks = state().all();
        Topology.Distributed.checkRanks("source", sources, ranks.size());
        Topology.Distributed.checkRanks("destination", destinations, ranks.size());
        Topology.Distributed.checkWeights("destination", destinations, weights);
        if (degrees.length != sources.length
                || Arrays.stream(degrees).anyMatch(it -> it < 0)
                || Arrays.stream(degrees).asLongStream().sum() != destinations.length) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "the degrees of %d sources are %s, and there are %d destinations"
                            .formatted(
                                    sources.length, Arrays.toString(degrees), destinations.length));
        }
        int[] mine = new int[3 * destinations.length];
        for (int source = 0, edge = 0; source < sources.length; source++) {
            for (int i = 0; i < degrees[source]; i++, edge++) {
                mine[3 * edge] = sources[source];
                mine[3 * edge + 1] = destinations[edge];
                mine[3 * edge + 2] = weights == null ? 0 : weights[edge];
            }
        }
        int[] all = everyRanks(ranks, mine);
        int[][] in = edges(all, 1, 0, ranks.rank());
        int[][] out = edges(all, 0, 1, ranks.rank());
        return weights == null
                ? distributed(in[0], null, out[0], null, reorder)
                : distributed(in[0], in[1], out[0], out[1], reorder);
    }

    private static int[] everyRanks(Communicator ranks, int[] mine) {
        long[] lengths = new long[ranks.size()];
        long[] own = {(long) mine.length * Integer.BYTES};
        ranks.allgather(MemorySegment.ofArray(own), MemorySegment.ofArray(lengths));
        int[] all = new int[(int) (Arrays.stream(lengths).sum() / Integer.BYTES)];
        ranks.allgatherv(
                MemorySegment.ofArray(mine), MemorySegment.ofArray(all), Parts.packed(lengths));
        return all;
    }

    /** The other ends and the weights of the edges that have this rank at one end. */
    private static int[][] edges(int[] all, int here, int there, int rank) {
        int[][] found = new int[2][all.length / 3];
        int count = 0;
        for (int edge = 0; edge < all.length; edge += 3) {
            if (all[edge + here] == rank) {
                found[0][count] = all[edge + there];
                found[1][count++] = all[edge + 2];
            }
        }
        return new int[][] {Arrays.copyOf(found[0], count), Arrays.copyOf(found[1], count)};
    }
}
