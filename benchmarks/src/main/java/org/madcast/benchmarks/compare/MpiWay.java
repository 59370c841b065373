package org.madcast.benchmarks.compare;

import java.util.Locale;
import org.madcast.agent.terminal.Units;

/**
 * One way in which Open MPI broadcasts.
 *
 * @param number of {@code coll_tuned_bcast_algorithm}; 0 leaves the choice to Open MPI
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

    /** The way of that name. */
    static MpiWay parse(String name) {
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
