package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/**
 * Messages and collective operations on typed arrays, or parts of them: {@link Messages} and {@link
 * Collectives} with {@link Elements} in place of memory. Lengths and counts are in elements, and
 * what a reduction adds or compares follows from the array's type.
 *
 * <pre>{@code
 * double[] sum = {own};
 * communicator.allreduce(Elements.of(sum), Elements.of(sum), ReduceOperation.Kind.SUM);
 * }</pre>
 *
 * <p>Buffers, threads and errors are those of the operation on memory. Nothing is copied. What is
 * received in a collective operation must be of the type of what is sent, or it is an {@link
 * IllegalArgumentException} before anything is sent; a message may be received as any type.
 */
public interface ArrayOperations extends BroadcastSite, Messages, Collectives {

    /** As {@link Messages#send(MemorySegment, int, int)} (MPI_Send). */
    default void send(Elements data, int destination, int tag) {
        send(data.memory(), destination, tag);
    }

    /** As {@link Messages#ssend(MemorySegment, int, int)} (MPI_Ssend). */
    default void ssend(Elements data, int destination, int tag) {
        ssend(data.memory(), destination, tag);
    }

    /** As {@link Messages#recv(MemorySegment, int, int)} (MPI_Recv). */
    default MessageStatus recv(Elements buffer, int source, int tag) {
        return recv(buffer.memory(), source, tag);
    }

    /** As {@link Messages#isend(MemorySegment, int, int)} (MPI_Isend). */
    default CompletableFuture<MessageStatus> isend(Elements data, int destination, int tag) {
        return isend(data.memory(), destination, tag);
    }

    /** As {@link Messages#irecv(MemorySegment, int, int)} (MPI_Irecv). */
    default CompletableFuture<MessageStatus> irecv(Elements buffer, int source, int tag) {
        return irecv(buffer.memory(), source, tag);
    }

    /** As {@link Messages#sendRecv} on memory (MPI_Sendrecv). */
    default MessageStatus sendRecv(
            Elements data,
            int destination,
            int sendTag,
            Elements buffer,
            int source,
            int receiveTag) {
        return sendRecv(data.memory(), destination, sendTag, buffer.memory(), source, receiveTag);
    }

    /** As {@link BroadcastSite#bcast(MemorySegment, int)} (MPI_Bcast). */
    default void bcast(Elements message, int root) {
        bcast(message.memory(), root);
    }

    /** As {@link BroadcastSite#ibcast(MemorySegment, int)} (MPI_Ibcast). */
    default CompletableFuture<Void> ibcast(Elements message, int root) {
        return ibcast(message.memory(), root);
    }

    /**
     * Every rank's data, one behind the other by rank, at the root. (MPI_Gather; see {@link
     * #gatherInit})
     */
    default void gather(Elements data, Elements gathered, int root) {
        data.checkSameType(gathered);
        gatherInit(data.memory(), gathered.memory(), root).run();
    }

    /** Begins (MPI_Igather; see {@link #gather(Elements, Elements, int)}). */
    default CompletableFuture<Void> igather(Elements data, Elements gathered, int root) {
        data.checkSameType(gathered);
        return gatherInit(data.memory(), gathered.memory(), root).start();
    }

    /**
     * Every rank's data, {@code counts} by rank, packed at the root. (MPI_Gatherv; see {@link
     * #gathervInit})
     */
    default void gatherv(Elements data, Elements gathered, int[] counts, int root) {
        data.checkSameType(gathered);
        gathervInit(data.memory(), gathered.memory(), data.packed(counts), root).run();
    }

    /** Begins (MPI_Igatherv; see {@link #gatherv(Elements, Elements, int[], int)}). */
    default CompletableFuture<Void> igatherv(
            Elements data, Elements gathered, int[] counts, int root) {
        data.checkSameType(gathered);
        return gathervInit(data.memory(), gathered.memory(), data.packed(counts), root).start();
    }

    /** To every rank its part of the root's data. (MPI_Scatter; see {@link #scatterInit}) */
    default void scatter(Elements data, Elements part, int root) {
        data.checkSameType(part);
        scatterInit(data.memory(), part.memory(), root).run();
    }

    /** Begins (MPI_Iscatter; see {@link #scatter(Elements, Elements, int)}). */
    default CompletableFuture<Void> iscatter(Elements data, Elements part, int root) {
        data.checkSameType(part);
        return scatterInit(data.memory(), part.memory(), root).start();
    }

    /**
     * To every rank its {@code counts} of the root's packed data. (MPI_Scatterv; see {@link
     * #scattervInit})
     */
    default void scatterv(Elements data, int[] counts, Elements part, int root) {
        data.checkSameType(part);
        scattervInit(data.memory(), data.packed(counts), part.memory(), root).run();
    }

    /** Begins (MPI_Iscatterv; see {@link #scatterv(Elements, int[], Elements, int)}). */
    default CompletableFuture<Void> iscatterv(
            Elements data, int[] counts, Elements part, int root) {
        data.checkSameType(part);
        return scattervInit(data.memory(), data.packed(counts), part.memory(), root).start();
    }

    /**
     * Every rank's data, one behind the other by rank, at every rank. (MPI_Allgather; see {@link
     * #allgatherInit})
     */
    default void allgather(Elements data, Elements gathered) {
        data.checkSameType(gathered);
        allgatherInit(data.memory(), gathered.memory()).run();
    }

    /** Begins (MPI_Iallgather; see {@link #allgather(Elements, Elements)}). */
    default CompletableFuture<Void> iallgather(Elements data, Elements gathered) {
        data.checkSameType(gathered);
        return allgatherInit(data.memory(), gathered.memory()).start();
    }

    /**
     * Every rank's data, {@code counts} by rank, packed at every rank. (MPI_Allgatherv; see {@link
     * #allgathervInit})
     */
    default void allgatherv(Elements data, Elements gathered, int[] counts) {
        data.checkSameType(gathered);
        allgathervInit(data.memory(), gathered.memory(), data.packed(counts)).run();
    }

    /** Begins (MPI_Iallgatherv; see {@link #allgatherv(Elements, Elements, int[])}). */
    default CompletableFuture<Void> iallgatherv(Elements data, Elements gathered, int[] counts) {
        data.checkSameType(gathered);
        return allgathervInit(data.memory(), gathered.memory(), data.packed(counts)).start();
    }

    /**
     * To every rank a part of this rank's data, and from every rank a part of its. (MPI_Alltoall;
     * see {@link #alltoallInit})
     */
    default void alltoall(Elements data, Elements received) {
        data.checkSameType(received);
        alltoallInit(data.memory(), received.memory()).run();
    }

    /** Begins (MPI_Ialltoall; see {@link #alltoall(Elements, Elements)}). */
    default CompletableFuture<Void> ialltoall(Elements data, Elements received) {
        data.checkSameType(received);
        return alltoallInit(data.memory(), received.memory()).start();
    }

    /**
     * As {@code alltoall}, with packed parts of these lengths. (MPI_Alltoallv; see {@link
     * #alltoallvInit})
     */
    default void alltoallv(Elements data, int[] counts, Elements received, int[] receivedCounts) {
        data.checkSameType(received);
        alltoallvInit(
                        data.memory(),
                        data.packed(counts),
                        received.memory(),
                        data.packed(receivedCounts))
                .run();
    }

    /** Begins (MPI_Ialltoallv; see {@link #alltoallv(Elements, int[], Elements, int[])}). */
    default CompletableFuture<Void> ialltoallv(
            Elements data, int[] counts, Elements received, int[] receivedCounts) {
        data.checkSameType(received);
        return alltoallvInit(
                        data.memory(),
                        data.packed(counts),
                        received.memory(),
                        data.packed(receivedCounts))
                .start();
    }

    /**
     * The data of all ranks combined, element by element, at the root. (MPI_Reduce; see {@link
     * #reduceInit})
     */
    default void reduce(Elements data, Elements result, ReduceOperation.Kind kind, int root) {
        reduceInit(data.memory(), result.memory(), data.operation(kind, result), root).run();
    }

    /** Begins (MPI_Ireduce; see {@link #reduce(Elements, Elements, ReduceOperation.Kind, int)}). */
    default CompletableFuture<Void> ireduce(
            Elements data, Elements result, ReduceOperation.Kind kind, int root) {
        return reduceInit(data.memory(), result.memory(), data.operation(kind, result), root)
                .start();
    }

    /**
     * The data of all ranks combined, element by element, at every rank. (MPI_Allreduce; see {@link
     * #allreduceInit})
     */
    default void allreduce(Elements data, Elements result, ReduceOperation.Kind kind) {
        allreduceInit(data.memory(), result.memory(), data.operation(kind, result)).run();
    }

    /**
     * Begins (MPI_Iallreduce; see {@link #allreduce(Elements, Elements, ReduceOperation.Kind)}).
     */
    default CompletableFuture<Void> iallreduce(
            Elements data, Elements result, ReduceOperation.Kind kind) {
        return allreduceInit(data.memory(), result.memory(), data.operation(kind, result)).start();
    }

    /**
     * The data of all ranks combined; every rank gets its part of the result. (MPI_Reduce_scatter;
     * see {@link #reduceScatterInit})
     */
    default void reduceScatter(
            Elements data, Elements part, ReduceOperation.Kind kind, long... counts) {
        reduceScatterInit(data.memory(), part.memory(), data.operation(kind, part), counts).run();
    }

    /**
     * Begins (MPI_Ireduce_scatter; see {@link #reduceScatter(Elements, Elements,
     * ReduceOperation.Kind, long...)}).
     */
    default CompletableFuture<Void> ireduceScatter(
            Elements data, Elements part, ReduceOperation.Kind kind, long... counts) {
        return reduceScatterInit(data.memory(), part.memory(), data.operation(kind, part), counts)
                .start();
    }

    /** The data of the ranks from 0 to this one combined. (MPI_Scan; see {@link #scanInit}) */
    default void scan(Elements data, Elements result, ReduceOperation.Kind kind) {
        scanInit(data.memory(), result.memory(), data.operation(kind, result)).run();
    }

    /** Begins (MPI_Iscan; see {@link #scan(Elements, Elements, ReduceOperation.Kind)}). */
    default CompletableFuture<Void> iscan(
            Elements data, Elements result, ReduceOperation.Kind kind) {
        return scanInit(data.memory(), result.memory(), data.operation(kind, result)).start();
    }

    /**
     * The data of the ranks below this one combined; at rank 0 nothing. (MPI_Exscan; see {@link
     * #exscanInit})
     */
    default void exscan(Elements data, Elements result, ReduceOperation.Kind kind) {
        exscanInit(data.memory(), result.memory(), data.operation(kind, result)).run();
    }

    /** Begins (MPI_Iexscan; see {@link #exscan(Elements, Elements, ReduceOperation.Kind)}). */
    default CompletableFuture<Void> iexscan(
            Elements data, Elements result, ReduceOperation.Kind kind) {
        return exscanInit(data.memory(), result.memory(), data.operation(kind, result)).start();
    }
}
