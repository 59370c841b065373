package org.madcast.simulator;

import java.util.List;
import java.util.stream.IntStream;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;
import org.madcast.client.internal.SelectionTables;
import org.madcast.client.schedule.Counts;
import org.madcast.client.schedule.Exchanges;
import org.madcast.client.schedule.Halving;
import org.madcast.client.schedule.Reductions;
import org.madcast.client.schedule.Ring;
import org.madcast.client.schedule.Rooted;
import org.madcast.client.schedule.Schedule;

/**
 * A collective operation and the algorithm that carries it out. Sizes are those of a rank's part,
 * or vector, as {@code madcast bench} has them; sums are of doubles, and the root is rank 0.
 *
 * @param barrierWays how many ranks each notifies in a round of a barrier by dissemination
 */
public record SimulatedWay(
        CollectiveOperation operation, CollectiveAlgorithm algorithm, int barrierWays) {

    private static final int ROOT = 0;

    /** What the library has. */
    private static final int BARRIER_WAYS = 3;

    private static final long DOUBLE_BYTES = 8;

    /** The operations that can be simulated. */
    public static final List<CollectiveOperation> OPERATIONS =
            List.of(
                    CollectiveOperation.BARRIER,
                    CollectiveOperation.GATHER,
                    CollectiveOperation.SCATTER,
                    CollectiveOperation.ALLGATHER,
                    CollectiveOperation.ALLTOALL,
                    CollectiveOperation.REDUCE,
                    CollectiveOperation.ALLREDUCE,
                    CollectiveOperation.REDUCE_SCATTER);

    /** As the library carries it out. */
    public SimulatedWay(CollectiveOperation operation, CollectiveAlgorithm algorithm) {
        this(operation, algorithm, BARRIER_WAYS);
    }

    /** A barrier by dissemination in which each rank notifies this number of others in a round. */
    public static SimulatedWay disseminationBarrier(int ways) {
        if (ways < 1) {
            throw new IllegalArgumentException("a barrier of %d ways".formatted(ways));
        }
        return new SimulatedWay(
                CollectiveOperation.BARRIER, CollectiveAlgorithm.DISSEMINATION, ways);
    }

    /** With the algorithm that the library selects where multicast works. */
    public static SimulatedWay selected(CollectiveOperation operation, int ranks, long bytes) {
        long known =
                switch (operation) {
                    case ALLGATHER, REDUCE_SCATTER -> bytes * ranks;
                    case BARRIER, ALLTOALLV -> 0;
                    default -> bytes;
                };
        boolean inParts =
                bytes / DOUBLE_BYTES >= ranks || operation == CollectiveOperation.REDUCE_SCATTER;
        CollectiveAlgorithm algorithm =
                SelectionTables.of(BroadcastParameters.defaults())
                        .select(
                                operation,
                                true,
                                ranks,
                                known,
                                it -> inParts || !isSum(operation) || !needsParts(it))
                        .algorithm();
        return new SimulatedWay(operation, algorithm);
    }

    private static boolean needsParts(CollectiveAlgorithm algorithm) {
        return algorithm == CollectiveAlgorithm.RING || algorithm == CollectiveAlgorithm.HALVING;
    }

    private static boolean isSum(CollectiveOperation operation) {
        return switch (operation) {
            case REDUCE, ALLREDUCE, REDUCE_SCATTER -> true;
            default -> false;
        };
    }

    /** Whether each rank multicasts, rather than sends messages. */
    boolean isMulticast() {
        return algorithm == CollectiveAlgorithm.MULTICAST;
    }

    long elementBytes() {
        return isSum(operation) ? DOUBLE_BYTES : 1;
    }

    /** What a rank does, by messages. */
    Schedule schedule(int ranks, int rank, long bytes) {
        long count = Math.ceilDiv(bytes, elementBytes());
        Counts parts = Counts.even(ranks, count);
        Ring ring = new Ring(IntStream.range(0, ranks).toArray());
        return switch (operation) {
            case BARRIER ->
                    algorithm == CollectiveAlgorithm.TREE
                            ? Rooted.treeBarrier(ranks, rank)
                            : Rooted.dissemination(ranks, rank, barrierWays);
            case GATHER ->
                    algorithm == CollectiveAlgorithm.TREE
                            ? Rooted.binomialGather(rank, ROOT, parts)
                            : Rooted.linearGather(rank, ROOT, parts);
            case SCATTER ->
                    algorithm == CollectiveAlgorithm.TREE
                            ? Rooted.binomialScatter(rank, ROOT, parts)
                            : Rooted.linearScatter(rank, ROOT, parts);
            case ALLGATHER ->
                    switch (algorithm) {
                        case BRUCK -> Exchanges.bruckAllgather(rank, parts);
                        case LINEAR -> Exchanges.linearAllgather(rank, parts);
                        default -> ring.allgather(rank, parts);
                    };
            case ALLTOALL ->
                    switch (algorithm) {
                        case BRUCK -> Exchanges.bruckAlltoall(ranks, rank, count);
                        case LINEAR -> Exchanges.linearAlltoall(rank, parts, parts);
                        default -> Exchanges.pairwiseAlltoall(rank, parts, parts);
                    };
            case REDUCE ->
                    algorithm == CollectiveAlgorithm.HALVING
                            ? Halving.reduce(ranks, rank, ROOT, count)
                            : Reductions.treeReduce(ranks, rank, ROOT, count, true);
            case ALLREDUCE ->
                    switch (algorithm) {
                        case RING -> ring.allreduce(rank, count);
                        case HALVING -> Halving.allreduce(ranks, rank, count);
                        case TREE -> Reductions.treeAllreduce(ranks, rank, count);
                        default -> Reductions.doublingAllreduce(ranks, rank, count);
                    };
            case REDUCE_SCATTER ->
                    switch (algorithm) {
                        case RING -> ring.reduceScatter(rank, parts);
                        case HALVING -> Halving.reduceScatter(rank, parts);
                        default -> Reductions.linearReduceScatter(rank, parts);
                    };
            case ALLTOALLV ->
                    throw new IllegalArgumentException("its lengths are each program's own");
        };
    }
}
