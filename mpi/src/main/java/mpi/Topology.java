package mpi;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.Grid;
import org.madcast.client.Topology.Link;

/** MPI's kinds of topologies, which become one of the client library. */
sealed interface Topology {

    /** What getTopology returns. */
    int kind();

    /** The neighbours of these ranks. */
    org.madcast.client.Topology of(Communicator ranks);

    /** What a call returns, or its refusal of an argument with MPI's error class. */
    static <T> T or(ErrorClass wrong, Supplier<T> call) {
        try {
            return call.get();
        } catch (IllegalArgumentException refused) {
            throw new MPIException(wrong, String.valueOf(refused.getMessage()), refused);
        }
    }

    /** A grid. */
    record Cartesian(Grid grid) implements Topology {

        /** A grid that has room in a communicator of this size. */
        static Cartesian of(int[] dims, boolean[] periods, int size) {
            Grid grid = or(ErrorClass.DIMS, () -> new Grid(dims, periods));
            if (grid.size() > size) {
                throw new MPIException(
                        ErrorClass.DIMS,
                        "a grid of %s has more places than the %d ranks"
                                .formatted(Arrays.toString(dims), size));
            }
            return new Cartesian(grid);
        }

        int[] coordinates(int rank) {
            return or(ErrorClass.RANK, () -> grid.coordinates(rank));
        }

        /** The rank at a distance, or PROC_NULL beyond an edge. */
        private int neighbour(int rank, int direction, long distance) {
            int found = or(ErrorClass.DIMS, () -> grid.neighbour(rank, direction, distance));
            return found == Grid.NOBODY ? MPI.PROC_NULL : found;
        }

        ShiftParms shift(int rank, int direction, int distance) {
            return new ShiftParms(
                    neighbour(rank, direction, -(long) distance),
                    neighbour(rank, direction, distance));
        }

        /** The grid of the dimensions that remain. */
        Cartesian sub(boolean[] remain) {
            int[] dims = grid.dims();
            boolean[] periods = grid.periods();
            int kept = 0;
            for (int i = 0; i < dims.length; i++) {
                if (remain[i]) {
                    dims[kept] = dims[i];
                    periods[kept++] = periods[i];
                }
            }
            return new Cartesian(new Grid(Arrays.copyOf(dims, kept), Arrays.copyOf(periods, kept)));
        }

        /** A number for the part of the grid that a rank falls into. */
        int partOf(int rank, boolean[] remain) {
            int[] dims = grid.dims();
            if (remain.length < dims.length) {
                throw new MPIException(
                        ErrorClass.DIMS,
                        "%d values for %d dimensions".formatted(remain.length, dims.length));
            }
            int[] coordinates = coordinates(rank);
            int part = 0;
            for (int i = 0; i < dims.length; i++) {
                part = remain[i] ? part : part * dims[i] + coordinates[i];
            }
            return part;
        }

        /** Divides nodes among the dimensions that are 0. */
        static void divide(int nodes, int[] dims) {
            int[] made = or(ErrorClass.DIMS, () -> Grid.divide(nodes, dims));
            System.arraycopy(made, 0, dims, 0, dims.length);
        }

        @Override
        public int kind() {
            return MPI.CART;
        }

        /** New numbers of ranks that put neighbours near each other. */
        int[] numbers(Communicator ranks) {
            return org.madcast.client.Topology.numbers(ranks, grid);
        }

        @Override
        public org.madcast.client.Topology of(Communicator ranks) {
            return org.madcast.client.Topology.of(ranks, grid);
        }
    }

    /** A graph that all ranks know. */
    @SuppressWarnings("ArrayRecordComponent") // copies, which nothing changes
    record Graph(int[] index, int[] edges) implements Topology {

        public Graph {
            index = index.clone();
            edges = edges.clone();
        }

        static Graph of(int[] index, int[] edges, int size) {
            if (index.length > size) {
                throw new MPIException(
                        ErrorClass.TOPOLOGY,
                        "a graph of %d nodes for %d ranks".formatted(index.length, size));
            }
            int before = 0;
            for (int end : index) {
                if (end < before || end > edges.length) {
                    throw new MPIException(
                            ErrorClass.TOPOLOGY,
                            "index %s must not decrease, and ends at the %d edges"
                                    .formatted(Arrays.toString(index), edges.length));
                }
                before = end;
            }
            for (int node : edges) {
                if (node < 0 || node >= index.length) {
                    throw new MPIException(
                            ErrorClass.TOPOLOGY,
                            "an edge to node %d of %d nodes".formatted(node, index.length));
                }
            }
            return new Graph(index, edges);
        }

        int[] neighbours(int rank) {
            if (rank < 0 || rank >= index.length) {
                throw new MPIException(
                        ErrorClass.RANK,
                        "rank %d is outside 0 to %d".formatted(rank, index.length - 1));
            }
            return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
        }

        @Override
        public int kind() {
            return MPI.GRAPH;
        }

        /** New numbers of ranks that put neighbours near each other. */
        int[] numbers(Communicator ranks) {
            List<Link> links = new ArrayList<>();
            for (int node = 0; node < index.length; node++) {
                for (int other : neighbours(node)) {
                    links.add(new Link(node, other, 1));
                }
            }
            return ranks.numbers(links);
        }

        @Override
        public org.madcast.client.Topology of(Communicator ranks) {
            int[] both = neighbours(ranks.rank());
            return org.madcast.client.Topology.of(ranks, both, both);
        }
    }

    /** A graph of which each rank knows its own edges; weights are null when there are none. */
    @SuppressWarnings("ArrayRecordComponent") // copies, which nothing changes
    record Distributed(
            int[] from, int @Nullable [] fromWeights, int[] to, int @Nullable [] toWeights)
            implements Topology {

        static Distributed of(
                int[] from,
                int @Nullable [] fromWeights,
                int[] to,
                int @Nullable [] toWeights,
                int size) {
            checkRanks("source", from, size);
            checkRanks("destination", to, size);
            checkWeights("source", from, fromWeights);
            checkWeights("destination", to, toWeights);
            return new Distributed(
                    from.clone(),
                    fromWeights == null ? null : fromWeights.clone(),
                    to.clone(),
                    toWeights == null ? null : toWeights.clone());
        }

        static void checkRanks(String what, int[] ranks, int size) {
            for (int rank : ranks) {
                if (rank < 0 || rank >= size) {
                    throw new MPIException(
                            ErrorClass.RANK,
                            "%s %d is outside 0 to %d".formatted(what, rank, size - 1));
                }
            }
        }

        static void checkWeights(String what, int[] ranks, int @Nullable [] weights) {
            if (weights == null) {
                return;
            }
            if (weights.length != ranks.length || Arrays.stream(weights).anyMatch(it -> it < 0)) {
                throw new MPIException(
                        ErrorClass.ARG,
                        "the weights of %d %ss are %s; as many are needed, none negative"
                                .formatted(ranks.length, what, Arrays.toString(weights)));
            }
        }

        /** Its edges as numbers, which {@link #parse} reads. */
        int[] words() {
            int[][] lists = {
                from,
                fromWeights == null ? new int[0] : fromWeights,
                to,
                toWeights == null ? new int[0] : toWeights
            };
            IntStream lengths = IntStream.of(from.length, fromWeights == null ? 0 : 1);
            IntStream more = IntStream.of(to.length, toWeights == null ? 0 : 1);
            return Stream.concat(Stream.of(lengths, more), Arrays.stream(lists).map(Arrays::stream))
                    .flatMapToInt(it -> it)
                    .toArray();
        }

        /** The edges of several nodes, whose numbers follow each other. */
        static List<Distributed> parse(int[] words) {
            List<Distributed> nodes = new ArrayList<>();
            IntBuffer rest = IntBuffer.wrap(words);
            while (rest.hasRemaining()) {
                int sources = rest.get();
                boolean sourceWeights = rest.get() != 0;
                int destinations = rest.get();
                boolean destinationWeights = rest.get() != 0;
                nodes.add(
                        new Distributed(
                                next(rest, sources),
                                sourceWeights ? next(rest, sources) : null,
                                next(rest, destinations),
                                destinationWeights ? next(rest, destinations) : null));
            }
            return nodes;
        }

        private static int[] next(IntBuffer words, int count) {
            int[] taken = new int[count];
            words.get(taken);
            return taken;
        }

        /** New numbers of ranks, by the edges of all nodes. */
        static int[] numbers(Communicator ranks, List<Distributed> nodes) {
            List<Link> links = new ArrayList<>();
            for (int node = 0; node < nodes.size(); node++) {
                Distributed each = nodes.get(node);
                for (int i = 0; i < each.to.length; i++) {
                    int weight = each.toWeights == null ? 1 : each.toWeights[i];
                    if (weight > 0) {
                        links.add(new Link(node, each.to[i], weight));
                    }
                }
            }
            return ranks.numbers(links);
        }

        @Override
        public int kind() {
            return MPI.DIST_GRAPH;
        }

        @Override
        public org.madcast.client.Topology of(Communicator ranks) {
            return org.madcast.client.Topology.of(ranks, from, to);
        }
    }
}
