package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which ranks of a communicator are neighbours. */
sealed interface Topology {

    /** What getTopology returns. */
    int kind();

    /** The neighbours that a rank receives from, in the order of the receive buffer. */
    int[] sources(int rank);

    /** The neighbours that a rank sends to, in the order of the send buffer. */
    int[] destinations(int rank);

    /**
     * The place among its destinations at which a source has what this rank receives at {@code
     * place}; only the order of equal ranks matters.
     */
    int placeAtSource(int place);

    /** A grid; a dimension may be periodic. Ranks are in row-major order. */
    @SuppressWarnings("ArrayRecordComponent") // copies, which nothing changes
    record Cartesian(int[] dims, boolean[] periods) implements Topology {

        public Cartesian {
            dims = dims.clone();
            periods = periods.clone();
        }

        /** A grid that has room in a communicator of this size. */
        static Cartesian of(int[] dims, boolean[] periods, int size) {
            if (dims.length != periods.length) {
                throw new MPIException(
                        ErrorClass.DIMS,
                        "%d dims, but %d periods".formatted(dims.length, periods.length));
            }
            long product = 1;
            for (int dim : dims) {
                if (dim < 1) {
                    throw new MPIException(
                            ErrorClass.DIMS,
                            "dims are %s; each must be 1 or more".formatted(Arrays.toString(dims)));
                }
                product *= dim;
                if (product > size) {
                    throw new MPIException(
                            ErrorClass.DIMS,
                            "a grid of %s has more places than the %d ranks"
                                    .formatted(Arrays.toString(dims), size));
                }
            }
            return new Cartesian(dims, periods);
        }

        int size() {
            return Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        }

        int[] coordinates(int rank) {
            if (rank < 0 || rank >= size()) {
                throw new MPIException(
                        ErrorClass.RANK, "rank %d is outside 0 to %d".formatted(rank, size() - 1));
            }
            int[] coordinates = new int[dims.length];
            int rest = rank;
            for (int i = dims.length - 1; i >= 0; i--) {
                coordinates[i] = rest % dims[i];
                rest /= dims[i];
            }
            return coordinates;
        }

        int rank(int[] coordinates) {
            if (coordinates.length < dims.length) {
                throw new MPIException(
                        ErrorClass.ARG,
                        "%d coordinates for %d dimensions"
                                .formatted(coordinates.length, dims.length));
            }
            int rank = 0;
            for (int i = 0; i < dims.length; i++) {
                int at = periods[i] ? Math.floorMod(coordinates[i], dims[i]) : coordinates[i];
                if (at < 0 || at >= dims[i]) {
                    throw new MPIException(
                            ErrorClass.ARG,
                            "coordinate %d is %d, outside 0 to %d, and the dimension is not periodic"
                                    .formatted(i, at, dims[i] - 1));
                }
                rank = rank * dims[i] + at;
            }
            return rank;
        }

        /** The rank at a distance, or PROC_NULL beyond an edge. */
        int neighbour(int rank, int direction, int distance) {
            if (direction < 0 || direction >= dims.length) {
                throw new MPIException(
                        ErrorClass.DIMS,
                        "direction %d is outside 0 to %d".formatted(direction, dims.length - 1));
            }
            int[] there = coordinates(rank);
            long at = (long) there[direction] + distance;
            if (!periods[direction] && (at < 0 || at >= dims[direction])) {
                return MPI.PROC_NULL;
            }
            there[direction] = (int) Math.floorMod(at, (long) dims[direction]);
            return rank(there);
        }

        ShiftParms shift(int rank, int direction, int distance) {
            return new ShiftParms(
                    neighbour(rank, direction, -distance), neighbour(rank, direction, distance));
        }

        /** The grid of the dimensions that remain. */
        Cartesian sub(boolean[] remain) {
            int kept = 0;
            int[] newDims = new int[dims.length];
            boolean[] newPeriods = new boolean[dims.length];
            for (int i = 0; i < dims.length; i++) {
                if (remain[i]) {
                    newDims[kept] = dims[i];
                    newPeriods[kept++] = periods[i];
                }
            }
            return new Cartesian(Arrays.copyOf(newDims, kept), Arrays.copyOf(newPeriods, kept));
        }

        /** A number for the part of the grid that a rank falls into. */
        int partOf(int rank, boolean[] remain) {
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

        @Override
        public int kind() {
            return MPI.CART;
        }

        @Override
        public int[] sources(int rank) {
            int[] all = new int[2 * dims.length];
            for (int i = 0; i < dims.length; i++) {
                all[2 * i] = neighbour(rank, i, -1);
                all[2 * i + 1] = neighbour(rank, i, 1);
            }
            return all;
        }

        @Override
        public int[] destinations(int rank) {
            return sources(rank);
        }

        /** What comes from below was sent upwards. */
        @Override
        public int placeAtSource(int place) {
            return place ^ 1;
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

        @Override
        public int[] sources(int rank) {
            return neighbours(rank);
        }

        @Override
        public int[] destinations(int rank) {
            return neighbours(rank);
        }

        @Override
        public int placeAtSource(int place) {
            return place;
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

        @Override
        public int kind() {
            return MPI.DIST_GRAPH;
        }

        @Override
        public int[] sources(int rank) {
            return from;
        }

        @Override
        public int[] destinations(int rank) {
            return to;
        }

        @Override
        public int placeAtSource(int place) {
            return place;
        }
    }

    /**
     * Divides a number of nodes among the dimensions that are 0: as close to each other as
     * possible, in an order that does not increase (MPI_Dims_create).
     */
    static void divide(int nodes, int[] dims) {
        long fixed = 1;
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] < 0) {
                throw new MPIException(
                        ErrorClass.DIMS, "dims[%d] is %d, less than 0".formatted(i, dims[i]));
            }
            if (dims[i] == 0) {
                free.add(i);
            } else {
                fixed *= dims[i];
            }
        }
        if (nodes < 1
                || nodes % fixed != 0
                || (free.isEmpty() && dims.length > 0 && nodes != fixed)) {
            throw new MPIException(
                    ErrorClass.DIMS,
                    "%d nodes cannot be divided among the dimensions %s"
                            .formatted(nodes, Arrays.toString(dims)));
        }
        int rest = (int) (nodes / fixed);
        int largest = rest;
        for (int i = 0; i < free.size(); i++) {
            largest = leastFirst(rest, free.size() - i, largest);
            dims[free.get(i)] = largest;
            rest /= largest;
        }
    }

    /** The least first factor of {@code count} factors that do not increase. */
    private static int leastFirst(int product, int count, int atMost) {
        for (int first = 1; first <= Math.min(product, atMost); first++) {
            if (product % first == 0 && fits(product / first, count - 1, first)) {
                return first;
            }
        }
        return product;
    }

    /** Whether a number has {@code count} factors of at most this size. */
    private static boolean fits(int product, int count, int atMost) {
        if (count == 0 || product == 1) {
            return product == 1;
        }
        for (int factor = Math.min(product, atMost); factor > 1; factor--) {
            if (product % factor == 0 && fits(product / factor, count - 1, factor)) {
                return true;
            }
        }
        return false;
    }
}
