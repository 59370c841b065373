package mpi;

import java.nio.Buffer;
import org.jspecify.annotations.Nullable;

/** The non-blocking collective calls of Open MPI, on direct buffers. */
abstract class CommCollectiveRequests extends CommCollectives {

    CommCollectiveRequests(@Nullable CommState state) {
        super(state);
    }

    /** Begins: returns when every rank has called it (MPI_Ibarrier). */
    public Request iBarrier() throws MPIException {
        return later(() -> barrierCall());
    }

    /** Begins: the root's data, at every rank (MPI_Ibcast). */
    public Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return later(() -> bcastCall(new Place(direct(buf), 0, count, type), root));
    }

    /** Begins: every rank's data at the root, in the order of ranks (MPI_Igather). */
    public Request iGather(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return later(() ->
                gatherCall(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Place(direct(recvbuf), 0, recvcount, recvtype),
                        root));
    }

    /**
     * Begins: every rank's data at the root, in the order of ranks; in place at the root
     * (MPI_Igather).
     */
    public Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return later(() -> gatherCall(new Place(direct(buf), 0, count, type), root));
    }

    /** Begins: every rank's data at the root, each at its displacement (MPI_Igatherv). */
    public Request iGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        return later(() ->
                gathervCall(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Places(direct(recvbuf), 0, recvcount, displs, recvtype),
                        root));
    }

    /**
     * Begins: every rank's data at the root, each at its displacement; at a root that works in
     * place (MPI_Igatherv).
     */
    public Request iGatherv(
            Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
            throws MPIException {
        return later(() ->
                gathervCall(
                        null, new Places(direct(recvbuf), 0, recvcount, displs, recvtype), root));
    }

    /**
     * Begins: every rank's data at the root, each at its displacement; at a rank that only sends
     * (MPI_Igatherv).
     */
    public Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root)
            throws MPIException {
        return later(
                () -> gathervCall(new Place(direct(sendbuf), 0, sendcount, sendtype), null, root));
    }

    /** Begins: to every rank its part of the root's data (MPI_Iscatter). */
    public Request iScatter(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return later(() ->
                scatterCall(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Place(direct(recvbuf), 0, recvcount, recvtype),
                        root));
    }

    /** Begins: to every rank its part of the root's data; in place at the root (MPI_Iscatter). */
    public Request iScatter(Buffer buf, int count, Datatype type, int root) throws MPIException {
        return later(() -> scatterCall(new Place(direct(buf), 0, count, type), root));
    }

    /**
     * Begins: to every rank its part of the root's data, each from its displacement
     * (MPI_Iscatterv).
     */
    public Request iScatterv(
            Buffer sendbuf,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        return later(() ->
                scattervCall(
                        new Places(direct(sendbuf), 0, sendcount, displs, sendtype),
                        new Place(direct(recvbuf), 0, recvcount, recvtype),
                        root));
    }

    /**
     * Begins: to every rank its part of the root's data, each from its displacement; at a root that
     * works in place (MPI_Iscatterv).
     */
    public Request iScatterv(
            Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
            throws MPIException {
        return later(() ->
                scattervCall(
                        new Places(direct(sendbuf), 0, sendcount, displs, sendtype), null, root));
    }

    /**
     * Begins: to every rank its part of the root's data, each from its displacement; at a rank that
     * only receives (MPI_Iscatterv).
     */
    public Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root)
            throws MPIException {
        return later(
                () -> scattervCall(null, new Place(direct(recvbuf), 0, recvcount, recvtype), root));
    }

    /** Begins: every rank's data at every rank, in the order of ranks (MPI_Iallgather). */
    public Request iAllGather(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return later(() ->
                allGatherCall(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Place(direct(recvbuf), 0, recvcount, recvtype)));
    }

    /**
     * Begins: every rank's data at every rank, in the order of ranks; in place (MPI_Iallgather).
     */
    public Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
        return later(() -> allGatherCall(null, new Place(direct(buf), 0, count, type)));
    }

    /** Begins: every rank's data at every rank, each at its displacement (MPI_Iallgatherv). */
    public Request iAllGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        return later(() ->
                allGathervCall(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Places(direct(recvbuf), 0, recvcount, displs, recvtype)));
    }

    /**
     * Begins: every rank's data at every rank, each at its displacement; in place
     * (MPI_Iallgatherv).
     */
    public Request iAllGatherv(Buffer buf, int[] count, int[] displs, Datatype type)
            throws MPIException {
        return later(() -> allGathervCall(null, new Places(direct(buf), 0, count, displs, type)));
    }

    /**
     * Begins: a part of this rank's data to every rank, and one from every rank (MPI_Ialltoall).
     */
    public Request iAllToAll(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return later(() ->
                allToAllCall(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Place(direct(recvbuf), 0, recvcount, recvtype)));
    }

    /** Begins: as allToAll, with parts at displacements (MPI_Ialltoallv). */
    public Request iAllToAllv(
            Buffer sendbuf,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        return later(() ->
                allToAllvCall(
                        new Places(direct(sendbuf), 0, sendcount, sdispls, sendtype),
                        new Places(direct(recvbuf), 0, recvcount, rdispls, recvtype)));
    }

    /**
     * Begins: as allToAllv, with a type for each rank and displacements in bytes (MPI_Ialltoallw).
     */
    public Request iAllToAllw(
            Buffer sendBuf,
            int[] sendCount,
            int[] sDispls,
            Datatype[] sendTypes,
            Buffer recvBuf,
            int[] recvCount,
            int[] rDispls,
            Datatype[] recvTypes)
            throws MPIException {
        return later(() ->
                allToAllwCall(
                        direct(sendBuf),
                        sendCount,
                        sDispls,
                        sendTypes,
                        direct(recvBuf),
                        recvCount,
                        rDispls,
                        recvTypes));
    }

    /** Begins: the data of all ranks combined, at the root (MPI_Ireduce). */
    public Request iReduce(
            Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root)
            throws MPIException {
        return later(() ->
                reduceCall(
                        new Place(direct(sendbuf), 0, count, type),
                        new Place(direct(recvbuf), 0, count, type),
                        op,
                        root));
    }

    /** Begins: the data of all ranks combined, at the root; in place at the root (MPI_Ireduce). */
    public Request iReduce(Buffer buf, int count, Datatype type, Op op, int root)
            throws MPIException {
        return later(() -> reduceCall(new Place(direct(buf), 0, count, type), op, root));
    }

    /** Begins: the data of all ranks combined, at every rank (MPI_Iallreduce). */
    public Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        return later(() ->
                allReduceCall(
                        new Place(direct(sendbuf), 0, count, type),
                        new Place(direct(recvbuf), 0, count, type),
                        op));
    }

    /** Begins: the data of all ranks combined, at every rank; in place (MPI_Iallreduce). */
    public Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return later(() -> allReduceCall(null, new Place(direct(buf), 0, count, type), op));
    }

    /** Begins: the data of all ranks combined; every rank gets its part (MPI_Ireduce_scatter). */
    public Request iReduceScatter(
            Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op)
            throws MPIException {
        return later(() ->
                reduceScatterCall(
                        direct(sendbuf), 0, direct(recvbuf), 0, recvcounts, type, op, false));
    }

    /**
     * Begins: the data of all ranks combined; every rank gets its part; in place
     * (MPI_Ireduce_scatter).
     */
    public Request iReduceScatter(Buffer buf, int[] counts, Datatype type, Op op)
            throws MPIException {
        return later(() -> reduceScatterCall(null, 0, direct(buf), 0, counts, type, op, true));
    }

    /**
     * Begins: the data of all ranks combined; every rank gets an equal part
     * (MPI_Ireduce_scatter_block).
     */
    public Request iReduceScatterBlock(
            Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op)
            throws MPIException {
        return later(() ->
                reduceScatterBlockCall(
                        direct(sendbuf), direct(recvbuf), recvcount, type, op, false));
    }

    /**
     * Begins: the data of all ranks combined; every rank gets an equal part; in place
     * (MPI_Ireduce_scatter_block).
     */
    public Request iReduceScatterBlock(Buffer buf, int count, Datatype type, Op op)
            throws MPIException {
        return later(() -> reduceScatterBlockCall(null, direct(buf), count, type, op, true));
    }
}
