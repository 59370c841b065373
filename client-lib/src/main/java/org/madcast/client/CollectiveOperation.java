package org.madcast.client;

import static org.madcast.client.CollectiveAlgorithm.BRUCK;
import static org.madcast.client.CollectiveAlgorithm.DISSEMINATION;
import static org.madcast.client.CollectiveAlgorithm.DOUBLING;
import static org.madcast.client.CollectiveAlgorithm.HALVING;
import static org.madcast.client.CollectiveAlgorithm.LINEAR;
import static org.madcast.client.CollectiveAlgorithm.MULTICAST;
import static org.madcast.client.CollectiveAlgorithm.PAIRWISE;
import static org.madcast.client.CollectiveAlgorithm.RING;
import static org.madcast.client.CollectiveAlgorithm.TREE;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A collective operation that several algorithms can serve. Which one does is said by the selection
 * table, from the number of ranks and a number of bytes that all ranks know.
 */
public enum CollectiveOperation {
    /** MPI_Barrier; its number of bytes is 0. */
    BARRIER(TREE, MULTICAST, DISSEMINATION),

    /** MPI_Gather, by the bytes of one rank's part. Parts of their own lengths go linearly. */
    GATHER(LINEAR, TREE),

    /** MPI_Scatter, by the bytes of one rank's part. Parts of their own lengths go linearly. */
    SCATTER(LINEAR, TREE),

    /** MPI_Allgather and MPI_Allgatherv, by the bytes of all parts together. */
    ALLGATHER(RING, MULTICAST, BRUCK, LINEAR),

    /** MPI_Alltoall, by the bytes from one rank to another. */
    ALLTOALL(PAIRWISE, LINEAR, BRUCK),

    /** MPI_Alltoallv; its number of bytes is 0. */
    ALLTOALLV(PAIRWISE, LINEAR),

    /** MPI_Reduce, by the bytes of one rank's data. */
    REDUCE(TREE, HALVING),

    /** MPI_Allreduce, by the bytes of one rank's data. */
    ALLREDUCE(DOUBLING, TREE, MULTICAST, RING, HALVING),

    /** MPI_Reduce_scatter and MPI_Reduce_scatter_block, by the bytes of one rank's data. */
    REDUCE_SCATTER(LINEAR, HALVING, RING);

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<CollectiveAlgorithm> algorithms;

    CollectiveOperation(CollectiveAlgorithm... algorithms) {
        this.algorithms = List.of(algorithms);
    }

    /** What can serve it; the first one always can. */
    public List<CollectiveAlgorithm> algorithms() {
        return algorithms;
    }

    /**
     * Its algorithm with this label.
     *
     * @throws IllegalArgumentException when it has none, with the labels of those that it has
     */
    public CollectiveAlgorithm algorithm(String label) {
        return algorithms.stream()
                .filter(it -> it.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(notOne(label)));
    }

    private String notOne(String label) {
        String labels =
                algorithms.stream()
                        .map(CollectiveAlgorithm::label)
                        .collect(Collectors.joining(", "));
        return "%s has the algorithms %s, not '%s'".formatted(label(), labels, label);
    }

    /** Its name in the selection table and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The operation with this label, if there is one. */
    public static Optional<CollectiveOperation> of(String label) {
        return Arrays.stream(values()).filter(it -> it.label().equals(label)).findFirst();
    }
}
