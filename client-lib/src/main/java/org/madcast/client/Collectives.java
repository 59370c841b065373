package org.madcast.client;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Collective operations besides the broadcast. Each exists in three forms, as in MPI: one that
 * returns when this rank's part is done, one that begins ({@code i...}) and returns a future, and
 * one whose arguments are fixed and that is started again and again ({@code ...Init}).
 *
 * <p>All ranks of the communicator make the same collective calls in the same order, and may make
 * several before the first has ended. A call returns when this rank's part is done; only the
 * barrier and what needs data of all ranks say anything about the others.
 *
 * <p><b>Buffers.</b> As of {@link Messages}. All lengths are in bytes; reductions count elements of
 * their operation. Buffers must not overlap but where it says so ("may be", MPI_IN_PLACE).
 *
 * <p><b>Errors.</b> A wrong argument is an {@link IllegalArgumentException} before anything is
 * sent. When ranks make different calls, every rank ends with a {@link MismatchException} that
 * names both; when a rank is lost, with {@link RankLostException}. After either every later
 * collective call of the communicator ends in the same way. What the operation of a reduction
 * throws ends the call with an {@link OperationException} on every rank whose result depends on it,
 * and no other call.
 */
public interface Collectives {

    /** A barrier: a run of it ends when every rank has called it. (MPI_Barrier_init) */
    Collective barrierInit();

    /** Begins a barrier (MPI_Ibarrier): the future ends when every rank has called it. */
    default CompletableFuture<Void> ibarrier() {
        return barrierInit().start();
    }

    /**
     * Every rank's data, one behind the other by rank, at the root. (MPI_Gather_init)
     *
     * @param data of the same length on every rank; at the root it may be its part of {@code
     *     gathered}
     * @param gathered as long as the data of all ranks; used at the root only
     */
    Collective gatherInit(MemorySegment data, MemorySegment gathered, int root);

    /**
     * Every rank's data, one behind the other by rank, at the root. (MPI_Gather; see {@link
     * #gatherInit})
     */
    default void gather(MemorySegment data, MemorySegment gathered, int root) {
        gatherInit(data, gathered, root).run();
    }

    /** Begins (MPI_Igather; see {@link #gatherInit}). */
    default CompletableFuture<Void> igather(MemorySegment data, MemorySegment gathered, int root) {
        return gatherInit(data, gathered, root).start();
    }

    /**
     * Every rank's data at the root, each in its part. (MPI_Gatherv_init)
     *
     * @param parts where each rank's data goes; used at the root only
     */
    Collective gathervInit(MemorySegment data, MemorySegment gathered, Parts parts, int root);

    /** Every rank's data at the root, each in its part. (MPI_Gatherv; see {@link #gathervInit}) */
    default void gatherv(MemorySegment data, MemorySegment gathered, Parts parts, int root) {
        gathervInit(data, gathered, parts, root).run();
    }

    /** Begins (MPI_Igatherv; see {@link #gathervInit}). */
    default CompletableFuture<Void> igatherv(
            MemorySegment data, MemorySegment gathered, Parts parts, int root) {
        return gathervInit(data, gathered, parts, root).start();
    }

    /**
     * To every rank its part of the root's data. (MPI_Scatter_init)
     *
     * @param data as long as the parts of all ranks; used at the root only
     * @param part of the same length on every rank; at the root it may be its part of {@code data}
     */
    Collective scatterInit(MemorySegment data, MemorySegment part, int root);

    /** To every rank its part of the root's data. (MPI_Scatter; see {@link #scatterInit}) */
    default void scatter(MemorySegment data, MemorySegment part, int root) {
        scatterInit(data, part, root).run();
    }

    /** Begins (MPI_Iscatter; see {@link #scatterInit}). */
    default CompletableFuture<Void> iscatter(MemorySegment data, MemorySegment part, int root) {
        return scatterInit(data, part, root).start();
    }

    /**
     * To every rank its part of the root's data. (MPI_Scatterv_init)
     *
     * @param parts which part each rank gets; used at the root only
     */
    Collective scattervInit(MemorySegment data, Parts parts, MemorySegment part, int root);

    /** To every rank its part of the root's data. (MPI_Scatterv; see {@link #scattervInit}) */
    default void scatterv(MemorySegment data, Parts parts, MemorySegment part, int root) {
        scattervInit(data, parts, part, root).run();
    }

    /** Begins (MPI_Iscatterv; see {@link #scattervInit}). */
    default CompletableFuture<Void> iscatterv(
            MemorySegment data, Parts parts, MemorySegment part, int root) {
        return scattervInit(data, parts, part, root).start();
    }

    /**
     * Every rank's data, one behind the other by rank, at every rank. (MPI_Allgather_init)
     *
     * @param data of the same length on every rank; may be this rank's part of {@code gathered}
     * @param gathered as long as the data of all ranks
     */
    Collective allgatherInit(MemorySegment data, MemorySegment gathered);

    /**
     * Every rank's data, one behind the other by rank, at every rank. (MPI_Allgather; see {@link
     * #allgatherInit})
     */
    default void allgather(MemorySegment data, MemorySegment gathered) {
        allgatherInit(data, gathered).run();
    }

    /** Begins (MPI_Iallgather; see {@link #allgatherInit}). */
    default CompletableFuture<Void> iallgather(MemorySegment data, MemorySegment gathered) {
        return allgatherInit(data, gathered).start();
    }

    /**
     * Every rank's data at every rank, each in its part. (MPI_Allgatherv_init)
     *
     * @param data may be this rank's part of {@code gathered}
     * @param parts where each rank's data goes; the counts are the same on every rank
     */
    Collective allgathervInit(MemorySegment data, MemorySegment gathered, Parts parts);

    /**
     * Every rank's data at every rank, each in its part. (MPI_Allgatherv; see {@link
     * #allgathervInit})
     */
    default void allgatherv(MemorySegment data, MemorySegment gathered, Parts parts) {
        allgathervInit(data, gathered, parts).run();
    }

    /** Begins (MPI_Iallgatherv; see {@link #allgathervInit}). */
    default CompletableFuture<Void> iallgatherv(
            MemorySegment data, MemorySegment gathered, Parts parts) {
        return allgathervInit(data, gathered, parts).start();
    }

    /**
     * To every rank a part of this rank's data, and from every rank a part of its data.
     * (MPI_Alltoall_init)
     *
     * @param data as many parts of equal length as there are ranks, by rank
     * @param received as long as {@code data}
     */
    Collective alltoallInit(MemorySegment data, MemorySegment received);

    /**
     * To every rank a part of this rank's data, and from every rank a part of its data.
     * (MPI_Alltoall; see {@link #alltoallInit})
     */
    default void alltoall(MemorySegment data, MemorySegment received) {
        alltoallInit(data, received).run();
    }

    /** Begins (MPI_Ialltoall; see {@link #alltoallInit}). */
    default CompletableFuture<Void> ialltoall(MemorySegment data, MemorySegment received) {
        return alltoallInit(data, received).start();
    }

    /**
     * To every rank a part of this rank's data, and from every rank a part of its data.
     * (MPI_Alltoallv and MPI_Alltoallw_init)
     *
     * @param sent which part goes to which rank
     * @param receivedParts where what each rank sends goes; as long as that rank's part for this
     *     one
     */
    Collective alltoallvInit(
            MemorySegment data, Parts sent, MemorySegment received, Parts receivedParts);

    /**
     * To every rank a part of this rank's data, and from every rank a part of its data.
     * (MPI_Alltoallv and MPI_Alltoallw; see {@link #alltoallvInit})
     */
    default void alltoallv(
            MemorySegment data, Parts sent, MemorySegment received, Parts receivedParts) {
        alltoallvInit(data, sent, received, receivedParts).run();
    }

    /** Begins (MPI_Ialltoallv; see {@link #alltoallvInit}). */
    default CompletableFuture<Void> ialltoallv(
            MemorySegment data, Parts sent, MemorySegment received, Parts receivedParts) {
        return alltoallvInit(data, sent, received, receivedParts).start();
    }

    /**
     * Messages to some ranks, and from some ranks, each in memory of its own: nothing goes to or
     * comes from the others. A rank may occur more than once; its messages match in their order.
     * ({@link Topology} makes MPI's collectives between neighbours of it; MPI has none for ranks
     * that are no neighbours.)
     *
     * @param sent what goes to which ranks
     * @param received where what comes from which ranks goes; these overlap neither each other nor
     *     what is sent
     */
    Collective exchangeInit(List<Edge> sent, List<Edge> received);

    /** Runs to its end; see {@link #exchangeInit}. */
    default void exchange(List<Edge> sent, List<Edge> received) {
        exchangeInit(sent, received).run();
    }

    /** Begins; see {@link #exchangeInit}. */
    default CompletableFuture<Void> iexchange(List<Edge> sent, List<Edge> received) {
        return exchangeInit(sent, received).start();
    }

    /**
     * The data of all ranks combined, element by element, at the root. (MPI_Reduce_init)
     *
     * @param data of the same length on every rank; at the root it may be {@code result}
     * @param result as long as {@code data}; used at the root only
     */
    Collective reduceInit(
            MemorySegment data, MemorySegment result, ReduceOperation operation, int root);

    /**
     * The data of all ranks combined, element by element, at the root. (MPI_Reduce; see {@link
     * #reduceInit})
     */
    default void reduce(
            MemorySegment data, MemorySegment result, ReduceOperation operation, int root) {
        reduceInit(data, result, operation, root).run();
    }

    /** Begins (MPI_Ireduce; see {@link #reduceInit}). */
    default CompletableFuture<Void> ireduce(
            MemorySegment data, MemorySegment result, ReduceOperation operation, int root) {
        return reduceInit(data, result, operation, root).start();
    }

    /**
     * The data of all ranks combined, element by element, at every rank; to the last bit the same.
     * (MPI_Allreduce_init)
     *
     * @param data of the same length on every rank; may be {@code result}
     * @param result as long as {@code data}
     */
    Collective allreduceInit(MemorySegment data, MemorySegment result, ReduceOperation operation);

    /**
     * The data of all ranks combined, element by element, at every rank; to the last bit the same.
     * (MPI_Allreduce; see {@link #allreduceInit})
     */
    default void allreduce(MemorySegment data, MemorySegment result, ReduceOperation operation) {
        allreduceInit(data, result, operation).run();
    }

    /** Begins (MPI_Iallreduce; see {@link #allreduceInit}). */
    default CompletableFuture<Void> iallreduce(
            MemorySegment data, MemorySegment result, ReduceOperation operation) {
        return allreduceInit(data, result, operation).start();
    }

    /**
     * The data of all ranks combined, element by element; every rank gets its part of the result.
     * (MPI_Reduce_scatter and MPI_Reduce_scatter_block_init)
     *
     * @param data of the same length on every rank
     * @param part as long as this rank's part
     * @param counts how many elements of the result each rank gets; none for equally many
     */
    Collective reduceScatterInit(
            MemorySegment data, MemorySegment part, ReduceOperation operation, long... counts);

    /**
     * The data of all ranks combined, element by element; every rank gets its part of the result.
     * (MPI_Reduce_scatter and MPI_Reduce_scatter_block; see {@link #reduceScatterInit})
     */
    default void reduceScatter(
            MemorySegment data, MemorySegment part, ReduceOperation operation, long... counts) {
        reduceScatterInit(data, part, operation, counts).run();
    }

    /** Begins (MPI_Ireduce_scatter; see {@link #reduceScatterInit}). */
    default CompletableFuture<Void> ireduceScatter(
            MemorySegment data, MemorySegment part, ReduceOperation operation, long... counts) {
        return reduceScatterInit(data, part, operation, counts).start();
    }

    /**
     * The data of the ranks from 0 to this one combined, element by element. (MPI_Scan_init)
     *
     * @param data of the same length on every rank; may be {@code result}
     * @param result as long as {@code data}
     */
    Collective scanInit(MemorySegment data, MemorySegment result, ReduceOperation operation);

    /**
     * The data of the ranks from 0 to this one combined, element by element. (MPI_Scan; see {@link
     * #scanInit})
     */
    default void scan(MemorySegment data, MemorySegment result, ReduceOperation operation) {
        scanInit(data, result, operation).run();
    }

    /** Begins (MPI_Iscan; see {@link #scanInit}). */
    default CompletableFuture<Void> iscan(
            MemorySegment data, MemorySegment result, ReduceOperation operation) {
        return scanInit(data, result, operation).start();
    }

    /**
     * The data of the ranks below this one combined, element by element; at rank 0 nothing.
     * (MPI_Exscan_init)
     *
     * @param data of the same length on every rank; may be {@code result}
     * @param result as long as {@code data}; not changed at rank 0
     */
    Collective exscanInit(MemorySegment data, MemorySegment result, ReduceOperation operation);

    /**
     * The data of the ranks below this one combined, element by element; at rank 0 nothing.
     * (MPI_Exscan; see {@link #exscanInit})
     */
    default void exscan(MemorySegment data, MemorySegment result, ReduceOperation operation) {
        exscanInit(data, result, operation).run();
    }

    /** Begins (MPI_Iexscan; see {@link #exscanInit}). */
    default CompletableFuture<Void> iexscan(
            MemorySegment data, MemorySegment result, ReduceOperation operation) {
        return exscanInit(data, result, operation).start();
    }
}
