package org.madcast.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.madcast.agent.terminal.Units;
import org.madcast.measure.bench.MeasuredCall;

/**
 * One way in which Open MPI broadcasts, or makes another collective call.
 *
 * @param number of the call's {@code coll_tuned_..._algorithm}; 0 leaves the choice to Open MPI
 * @param segmentBytes 0 does not cut the message
 */
record MpiWay(String name, int number, int segmentBytes) {

    /** The algorithms of the component "tuned" in Open MPI 4.1. */
    enum Tuned {
        /** What Open MPI chooses by itself. */
        DEFAULT(0, false),
        /** The root sends to each. */
        LINEAR(1, false),
        /** Several chains side by side. */
        CHAIN(2, true),
        /** One chain. */
        PIPELINE(3, true),
        /** Halves of the message through two binary trees. */
        SPLIT_BINARY(4, true),
        /** A binary tree. */
        BINARY(5, true),
        /** A binomial tree. */
        BINOMIAL(6, true),
        /** A tree of radix 4. */
        KNOMIAL(7, true),
        /** Scatter, then a gathering in a hypercube. */
        SCATTER_ALLGATHER(8, false),
        /** Scatter, then a gathering in a ring. */
        SCATTER_ALLGATHER_RING(9, false);

        private final int number;
        private final boolean segmented;

        Tuned(int number, boolean segmented) {
            this.number = number;
            this.segmented = segmented;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** True when it cuts the message into segments. */
        boolean isSegmented() {
            return segmented;
        }
    }

    /** An algorithm with a segment; 0 does not cut the message. */
    static MpiWay of(Tuned algorithm, int segmentBytes) {
        String name =
                segmentBytes == 0
                        ? algorithm.label()
                        : algorithm.label() + "/" + Units.size(segmentBytes).replace(" ", "");
        return new MpiWay(name, algorithm.number, segmentBytes);
    }

    /** Open MPI's own choice for a call, and each of its algorithms. */
    static List<MpiWay> of(MeasuredCall call) {
        List<MpiWay> ways = new ArrayList<>();
        ways.add(new MpiWay(call.label(), 0, 0));
        List<String> algorithms = algorithms(call);
        for (int i = 0; i < algorithms.size(); i++) {
            if (!algorithms.get(i).isEmpty()) {
                ways.add(new MpiWay(call.label() + "/" + algorithms.get(i), i + 1, 0));
            }
        }
        return ways;
    }

    /** By their number, from 1; those for two ranks, or for segments, are left out. */
    private static List<String> algorithms(MeasuredCall call) {
        return switch (call) {
            case BARRIER ->
                    List.of("linear", "double_ring", "recursive_doubling", "bruck", "", "tree");
            case GATHER -> List.of("linear", "binomial", "linear_sync");
            case SCATTER -> List.of("linear", "binomial");
            case ALLGATHER -> List.of("linear", "bruck", "recursive_doubling", "ring", "neighbor");
            case ALLTOALL -> List.of("linear", "pairwise", "modified_bruck", "linear_sync");
            case REDUCE ->
                    List.of(
                            "linear",
                            "chain",
                            "pipeline",
                            "binary",
                            "binomial",
                            "in_order_binary",
                            "rabenseifner");
            case ALLREDUCE ->
                    List.of(
                            "linear",
                            "nonoverlapping",
                            "recursive_doubling",
                            "ring",
                            "",
                            "rabenseifner");
            case REDUCE_SCATTER ->
                    List.of("linear", "recursive_doubling", "recursive_halving", "butterfly");
            case SCAN, BCAST_TURNS, IBCAST, PINGPONG -> List.of();
        };
    }

    /** The way of that name. */
    static MpiWay parse(String name) {
        Optional<MeasuredCall> call = MeasuredCall.of(name);
        if (call.isPresent()) {
            return of(call.get()).stream()
                    .filter(way -> way.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
        Tuned algorithm = Tuned.valueOf(algorithmOf(name).toUpperCase(Locale.ROOT));
        int slash = name.indexOf('/');
        return of(algorithm, slash < 0 ? 0 : (int) Units.sizeBytes(name.substring(slash + 1)));
    }

    /** The name of the algorithm in the name of a way. */
    static String algorithmOf(String name) {
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }

    /** As the rank program reads it. */
    String argument() {
        return name + "=" + number + ":" + segmentBytes;
    }
}
