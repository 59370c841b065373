package mpi;

import java.nio.Buffer;
import org.jspecify.annotations.Nullable;

/** The scans, and mpiJava's collective calls. */
abstract class IntracommCollectives extends Comm {

    IntracommCollectives(@Nullable CommState state) {
        super(state);
    }

    /** The data of the ranks up to this one combined (MPI_Scan). */
    public void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        now(() ->
                scanCall(
                        new Place(sendbuf, 0, count, type),
                        new Place(recvbuf, 0, count, type),
                        op,
                        true));
    }

    /** The data of the ranks up to this one combined; in place (MPI_Scan). */
    public void scan(Object recvbuf, int count, Datatype type, Op op) throws MPIException {
        now(() -> scanCall(null, new Place(recvbuf, 0, count, type), op, true));
    }

    /** Begins: the data of the ranks up to this one combined (MPI_Iscan). */
    public Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        return later(() ->
                scanCall(
                        new Place(direct(sendbuf), 0, count, type),
                        new Place(direct(recvbuf), 0, count, type),
                        op,
                        true));
    }

    /** Begins: the data of the ranks up to this one combined; in place (MPI_Iscan). */
    public Request iScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return later(() -> scanCall(null, new Place(direct(buf), 0, count, type), op, true));
    }

    /** The data of the ranks below this one combined; nothing at rank 0 (MPI_Exscan). */
    public void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        now(() ->
                scanCall(
                        new Place(sendbuf, 0, count, type),
                        new Place(recvbuf, 0, count, type),
                        op,
                        false));
    }

    /** The data of the ranks below this one combined; nothing at rank 0; in place (MPI_Exscan). */
    public void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
        now(() -> scanCall(null, new Place(buf, 0, count, type), op, false));
    }

    /** Begins: the data of the ranks below this one combined; nothing at rank 0 (MPI_Iexscan). */
    public Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
            throws MPIException {
        return later(() ->
                scanCall(
                        new Place(direct(sendbuf), 0, count, type),
                        new Place(direct(recvbuf), 0, count, type),
                        op,
                        false));
    }

    /**
     * Begins: the data of the ranks below this one combined; nothing at rank 0; in place
     * (MPI_Iexscan).
     */
    public Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
        return later(() -> scanCall(null, new Place(direct(buf), 0, count, type), op, false));
    }

    /** Returns when every rank has called it (MPI_Barrier). */
    public void Barrier() throws MPIException {
        now(() -> barrierCall());
    }

    /** The root's data, at every rank (MPI_Bcast). */
    public void Bcast(Object buf, int offset, int count, Datatype type, int root)
            throws MPIException {
        now(() -> bcastCall(new Place(buf, offset, count, type), root));
    }

    /** Every rank's data at the root, in the order of ranks (MPI_Gather). */
    public void Gather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                gatherCall(
                        new Place(sendbuf, sendoffset, sendcount, sendtype),
                        new Place(recvbuf, recvoffset, recvcount, recvtype),
                        root));
    }

    /** Every rank's data at the root, each at its displacement (MPI_Gatherv). */
    public void Gatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                gathervCall(
                        new Place(sendbuf, sendoffset, sendcount, sendtype),
                        new Places(recvbuf, recvoffset, recvcount, displs, recvtype),
                        root));
    }

    /** To every rank its part of the root's data (MPI_Scatter). */
    public void Scatter(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                scatterCall(
                        new Place(sendbuf, sendoffset, sendcount, sendtype),
                        new Place(recvbuf, recvoffset, recvcount, recvtype),
                        root));
    }

    /** To every rank its part of the root's data, each from its displacement (MPI_Scatterv). */
    public void Scatterv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] displs,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root)
            throws MPIException {
        now(() ->
                scattervCall(
                        new Places(sendbuf, sendoffset, sendcount, displs, sendtype),
                        new Place(recvbuf, recvoffset, recvcount, recvtype),
                        root));
    }

    /** Every rank's data at every rank, in the order of ranks (MPI_Allgather). */
    public void Allgather(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allGatherCall(
                        new Place(sendbuf, sendoffset, sendcount, sendtype),
                        new Place(recvbuf, recvoffset, recvcount, recvtype)));
    }

    /** Every rank's data at every rank, each at its displacement (MPI_Allgatherv). */
    public void Allgatherv(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allGathervCall(
                        new Place(sendbuf, sendoffset, sendcount, sendtype),
                        new Places(recvbuf, recvoffset, recvcount, displs, recvtype)));
    }

    /** A part of this rank's data to every rank, and one from every rank (MPI_Alltoall). */
    public void Alltoall(
            Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allToAllCall(
                        new Place(sendbuf, sendoffset, sendcount, sendtype),
                        new Place(recvbuf, recvoffset, recvcount, recvtype)));
    }

    /** As Alltoall, with parts at displacements (MPI_Alltoallv). */
    public void Alltoallv(
            Object sendbuf,
            int sendoffset,
            int[] sendcount,
            int[] sdispls,
            Datatype sendtype,
            Object recvbuf,
            int recvoffset,
            int[] recvcount,
            int[] rdispls,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allToAllvCall(
                        new Places(sendbuf, sendoffset, sendcount, sdispls, sendtype),
                        new Places(recvbuf, recvoffset, recvcount, rdispls, recvtype)));
    }

    /** The data of all ranks combined, at the root (MPI_Reduce). */
    public void Reduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op,
            int root)
            throws MPIException {
        now(() ->
                reduceCall(
                        new Place(sendbuf, sendoffset, count, datatype),
                        new Place(recvbuf, recvoffset, count, datatype),
                        op,
                        root));
    }

    /** The data of all ranks combined, at every rank (MPI_Allreduce). */
    public void Allreduce(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op)
            throws MPIException {
        now(() ->
                allReduceCall(
                        new Place(sendbuf, sendoffset, count, datatype),
                        new Place(recvbuf, recvoffset, count, datatype),
                        op));
    }

    /** The data of all ranks combined; every rank gets its part (MPI_Reduce_scatter). */
    public void Reduce_scatter(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            Datatype datatype,
            Op op)
            throws MPIException {
        now(() ->
                reduceScatterCall(
                        sendbuf, sendoffset, recvbuf, recvoffset, recvcounts, datatype, op, false));
    }

    /** The data of the ranks up to this one combined (MPI_Scan). */
    public void Scan(
            Object sendbuf,
            int sendoffset,
            Object recvbuf,
            int recvoffset,
            int count,
            Datatype datatype,
            Op op)
            throws MPIException {
        now(() ->
                scanCall(
                        new Place(sendbuf, sendoffset, count, datatype),
                        new Place(recvbuf, recvoffset, count, datatype),
                        op,
                        true));
    }
}
