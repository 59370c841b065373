package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;
import org.madcast.client.CollectiveSelection;
import org.madcast.client.ReduceOperation;
import org.madcast.client.schedule.Counts;
import org.madcast.client.schedule.Exchanges;
import org.madcast.client.schedule.Halving;
import org.madcast.client.schedule.Reductions;
import org.madcast.client.schedule.Rooted;
import org.madcast.client.schedule.Schedule;

/**
 * Which schedule serves a collective operation of a rank: what the selection table says for what
 * all ranks know alike, which is their number, the operation and a length.
 */
final class ScheduleChoice {

    /** With how many ranks each one exchanges in a round of a barrier. */
    private static final int WAYS = 3;

    /** The most memory for the parts of all ranks, of which one is to be made. */
    private static final long MOST_PARTS_BYTES = 1L << 30;

    private final MessageGroup group;
    private final boolean hasEngine;
    private final BooleanSupplier multicast;

    /**
     * For a communicator.
     *
     * @param hasEngine whether a broadcast engine carries its barriers
     * @param multicast whether parts may go by multicast
     */
    ScheduleChoice(MessageGroup group, boolean hasEngine, BooleanSupplier multicast) {
        this.group = group;
        this.hasEngine = hasEngine;
        this.multicast = multicast;
    }

    private int size() {
        return group.size();
    }

    private int rank() {
        return group.self();
    }

    CollectiveSelection select(CollectiveOperation operation, long bytes) {
        return select(operation, bytes, _ -> true);
    }

    private CollectiveSelection select(
            CollectiveOperation operation, long bytes, Predicate<CollectiveAlgorithm> canServe) {
        boolean parts = multicast.getAsBoolean();
        boolean column = operation == CollectiveOperation.BARRIER ? hasEngine : parts;
        Predicate<CollectiveAlgorithm> allowed = it -> parts || it != CollectiveAlgorithm.MULTICAST;
        return group.world()
                .table()
                .select(operation, column, size(), bytes, canServe.and(allowed));
    }

    private CollectiveAlgorithm algorithm(CollectiveOperation operation, long bytes) {
        return select(operation, bytes).algorithm();
    }

    Schedule barrier(CollectiveAlgorithm algorithm) {
        return algorithm == CollectiveAlgorithm.TREE
                ? Rooted.treeBarrier(size(), rank())
                : Rooted.dissemination(size(), rank(), WAYS);
    }

    Schedule gather(int root, long bytesOfARank) {
        Counts counts = Counts.even(size(), bytesOfARank);
        return algorithm(CollectiveOperation.GATHER, bytesOfARank) == CollectiveAlgorithm.TREE
                ? Rooted.binomialGather(rank(), root, counts)
                : Rooted.linearGather(rank(), root, counts);
    }

    Schedule scatter(int root, long bytesOfARank) {
        Counts counts = Counts.even(size(), bytesOfARank);
        return algorithm(CollectiveOperation.SCATTER, bytesOfARank) == CollectiveAlgorithm.TREE
                ? Rooted.binomialScatter(rank(), root, counts)
                : Rooted.linearScatter(rank(), root, counts);
    }

    /** By messages. */
    Schedule allgather(Counts counts) {
        return switch (algorithm(CollectiveOperation.ALLGATHER, counts.total())) {
            case BRUCK -> Exchanges.bruckAllgather(rank(), counts);
            case LINEAR -> Exchanges.linearAllgather(rank(), counts);
            default -> group.ring().allgather(rank(), counts);
        };
    }

    Schedule alltoall(long part) {
        Counts counts = Counts.even(size(), part);
        return switch (algorithm(CollectiveOperation.ALLTOALL, part)) {
            case BRUCK -> Exchanges.bruckAlltoall(size(), rank(), part);
            case LINEAR -> Exchanges.linearAlltoall(rank(), counts, counts);
            default -> Exchanges.pairwiseAlltoall(rank(), counts, counts);
        };
    }

    Schedule alltoallv(Counts sent, Counts received) {
        return algorithm(CollectiveOperation.ALLTOALLV, 0) == CollectiveAlgorithm.LINEAR
                ? Exchanges.linearAlltoall(rank(), sent, received)
                : Exchanges.pairwiseAlltoall(rank(), sent, received);
    }

    Schedule reduce(int root, MemorySegment data, ReduceOperation operation) {
        long count = data.byteSize() / operation.elementBytes();
        return reducing(CollectiveOperation.REDUCE, data, operation) == CollectiveAlgorithm.HALVING
                ? Halving.reduce(size(), rank(), root, count)
                : Reductions.treeReduce(size(), rank(), root, count, operation.commutes());
    }

    /** By messages. */
    Schedule allreduce(MemorySegment data, ReduceOperation operation) {
        long count = data.byteSize() / operation.elementBytes();
        return switch (reducing(CollectiveOperation.ALLREDUCE, data, operation)) {
            case RING -> group.ring().allreduce(rank(), count);
            case HALVING -> Halving.allreduce(size(), rank(), count);
            case TREE -> Reductions.treeAllreduce(size(), rank(), count);
            default -> Reductions.doublingAllreduce(size(), rank(), count);
        };
    }

    Schedule reduceScatter(Counts parts, MemorySegment data, ReduceOperation operation) {
        return switch (reducing(CollectiveOperation.REDUCE_SCATTER, data, operation)) {
            case RING -> group.ring().reduceScatter(rank(), parts);
            case HALVING -> Halving.reduceScatter(rank(), parts);
            default -> Reductions.linearReduceScatter(rank(), parts);
        };
    }

    /** Rings and halves take the parts in another order, and need one for each rank. */
    CollectiveAlgorithm reducing(
            CollectiveOperation call, MemorySegment data, ReduceOperation operation) {
        long count = data.byteSize() / operation.elementBytes();
        boolean inParts =
                operation.commutes()
                        && (count >= size() || call == CollectiveOperation.REDUCE_SCATTER);
        boolean fits = data.byteSize() <= MOST_PARTS_BYTES / size();
        return select(
                        call,
                        data.byteSize(),
                        algorithm ->
                                switch (algorithm) {
                                    case RING, HALVING -> inParts;
                                    case MULTICAST -> fits;
                                    default -> true;
                                })
                .algorithm();
    }
}
