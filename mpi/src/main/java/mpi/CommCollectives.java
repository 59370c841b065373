package mpi;

import org.jspecify.annotations.Nullable;

/** The blocking collective calls of Open MPI. A form without a send buffer works in place. */
abstract class CommCollectives extends CommCollectiveCalls {

    CommCollectives(@Nullable CommState state) {
        super(state);
    }

    /** Returns when every rank has called it (MPI_Barrier). */
    public void barrier() throws MPIException {
        now(() -> barrierCall());
    }

    /** The root's data, at every rank (MPI_Bcast). */
    public void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
        now(() -> bcastCall(new Place(buf, 0, count, type), root));
    }

    /** Every rank's data at the root, in the order of ranks (MPI_Gather). */
    public void gather(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                gatherCall(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Place(recvbuf, 0, recvcount, recvtype),
                        root));
    }

    /** Every rank's data at the root, in the order of ranks; in place at the root (MPI_Gather). */
    public void gather(Object buf, int count, Datatype type, int root) throws MPIException {
        now(() -> gatherCall(new Place(buf, 0, count, type), root));
    }

    /** Every rank's data at the root, each at its displacement (MPI_Gatherv). */
    public void gatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                gathervCall(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Places(recvbuf, 0, recvcount, displs, recvtype),
                        root));
    }

    /**
     * Every rank's data at the root, each at its displacement; at a root that works in place
     * (MPI_Gatherv).
     */
    public void gatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
            throws MPIException {
        now(() -> gathervCall(null, new Places(recvbuf, 0, recvcount, displs, recvtype), root));
    }

    /**
     * Every rank's data at the root, each at its displacement; at a rank that only sends
     * (MPI_Gatherv).
     */
    public void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root)
            throws MPIException {
        now(() -> gathervCall(new Place(sendbuf, 0, sendcount, sendtype), null, root));
    }

    /** To every rank its part of the root's data (MPI_Scatter). */
    public void scatter(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                scatterCall(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Place(recvbuf, 0, recvcount, recvtype),
                        root));
    }

    /** To every rank its part of the root's data; in place at the root (MPI_Scatter). */
    public void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
        now(() -> scatterCall(new Place(buf, 0, count, type), root));
    }

    /** To every rank its part of the root's data, each from its displacement (MPI_Scatterv). */
    public void scatterv(
            Object sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                scattervCall(
                        new Places(sendbuf, 0, sendcount, displs, sendtype),
                        new Place(recvbuf, 0, recvcount, recvtype),
                        root));
    }

    /**
     * To every rank its part of the root's data, each from its displacement; at a root that works
     * in place (MPI_Scatterv).
     */
    public void scatterv(Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
            throws MPIException {
        now(() -> scattervCall(new Places(sendbuf, 0, sendcount, displs, sendtype), null, root));
    }

    /**
     * To every rank its part of the root's data, each from its displacement; at a rank that only
     * receives (MPI_Scatterv).
     */
    public void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root)
            throws MPIException {
        now(() -> scattervCall(null, new Place(recvbuf, 0, recvcount, recvtype), root));
    }

    /** Every rank's data at every rank, in the order of ranks (MPI_Allgather). */
    public void allGather(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allGatherCall(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Place(recvbuf, 0, recvcount, recvtype)));
    }

    /** Every rank's data at every rank, in the order of ranks; in place (MPI_Allgather). */
    public void allGather(Object buf, int count, Datatype type) throws MPIException {
        now(() -> allGatherCall(null, new Place(buf, 0, count, type)));
    }

    /** Every rank's data at every rank, each at its displacement (MPI_Allgatherv). */
    public void allGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allGathervCall(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Places(recvbuf, 0, recvcount, displs, recvtype)));
    }

    /** Every rank's data at every rank, each at its displacement; in place (MPI_Allgatherv). */
    public void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
            throws MPIException {
        now(() -> allGathervCall(null, new Places(recvbuf, 0, recvcount, displs, recvtype)));
    }

    /** A part of this rank's data to every rank, and one from every rank (MPI_Alltoall). */
    public void allToAll(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allToAllCall(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Place(recvbuf, 0, recvcount, recvtype)));
    }

    /** As allToAll, with parts at displacements (MPI_Alltoallv). */
    public void allToAllv(
            Object sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allToAllvCall(
                        new Places(sendbuf, 0, sendcount, sdispls, sendtype),
                        new Places(recvbuf, 0, recvcount, rdispls, recvtype)));
    }

    /** As allToAllv, with a type for each rank and displacements in bytes (MPI_Alltoallw). */
    public void allToAllw(
            Object sendBuf,
            int[] sendCount,
            int[] sDispls,
            Datatype[] sendTypes,
            Object recvBuf,
            int[] recvCount,
            int[] rDispls,
            Datatype[] recvTypes)
            throws MPIException {
        now(() ->
                allToAllwCall(
                        sendBuf, sendCount, sDispls, sendTypes, recvBuf, recvCount, rDispls,
                        recvTypes));
    }

    /** The data of all ranks combined, at the root (MPI_Reduce). */
    public void reduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        now(() ->
                reduceCall(
                        new Place(sendbuf, 0, count, type),
                        new Place(recvbuf, 0, count, type),
                        op,
                        root));
    }

    /** The data of all ranks combined, at the root; in place at the root (MPI_Reduce). */
    public void reduce(Object buf, int count, Datatype type, Op op, int root) throws MPIException {
        now(() -> reduceCall(new Place(buf, 0, count, type), op, root));
    }

    /** The data of all ranks combined, at every rank (MPI_Allreduce). */
    public void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        now(() ->
                allReduceCall(
                        new Place(sendbuf, 0, count, type),
                        new Place(recvbuf, 0, count, type),
                        op));
    }

    /** The data of all ranks combined, at every rank; in place (MPI_Allreduce). */
    public void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
        now(() -> allReduceCall(null, new Place(buf, 0, count, type), op));
    }

    /** The data of all ranks combined; every rank gets its part (MPI_Reduce_scatter). */
    public void reduceScatter(
            Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op)
            throws MPIException {
        now(() -> reduceScatterCall(sendbuf, 0, recvbuf, 0, recvcounts, type, op, false));
    }

    /** The data of all ranks combined; every rank gets its part; in place (MPI_Reduce_scatter). */
    public void reduceScatter(Object buf, int[] counts, Datatype type, Op op) throws MPIException {
        now(() -> reduceScatterCall(null, 0, buf, 0, counts, type, op, true));
    }

    /** The data of all ranks combined; every rank gets an equal part (MPI_Reduce_scatter_block). */
    public void reduceScatterBlock(
            Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op)
            throws MPIException {
        now(() -> reduceScatterBlockCall(sendbuf, recvbuf, recvcount, type, op, false));
    }

    /**
     * The data of all ranks combined; every rank gets an equal part; in place
     * (MPI_Reduce_scatter_block).
     */
    public void reduceScatterBlock(Object buf, int count, Datatype type, Op op)
            throws MPIException {
        now(() -> reduceScatterBlockCall(null, buf, count, type, op, true));
    }

    /**
     * Sets each element of {@code inOutBuf} to that of {@code inBuf} combined with it
     * (MPI_Reduce_local).
     */
    public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op)
            throws MPIException {
        try {
            Reduction.local(inBuf, inOutBuf, count, type, op);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }
}
