package mpi;

import java.nio.Buffer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Grid;

/**
 * Collective calls between the neighbours of a topology. Neighbours that are PROC_NULL have their
 * place in the buffers, and nothing goes there or comes from there.
 */
abstract class CommNeighbors extends CommCollectiveRequests {

    CommNeighbors(@Nullable CommState state) {
        super(state);
    }

    /** Null when the communicator has no topology. */
    @Nullable Topology topology() {
        return null;
    }

    private org.madcast.client.Topology neighbourhood() {
        CommState open = state();
        Topology known = topology();
        if (known == null) {
            throw new MPIException(ErrorClass.TOPOLOGY, "the communicator has no topology");
        }
        return known.of(open.all());
    }

    /** What goes to the destination at a place, and a part from each source. */
    private CollectiveCall exchange(
            org.madcast.client.Topology all, IntFunction<Payload> sent, Blocks received) {
        Exchange call = new Exchange(state().all());
        int[] to = all.destinations();
        for (int place = 0; place < to.length; place++) {
            if (to[place] != Grid.NOBODY) {
                call.to(to[place], sent.apply(place).memory());
            }
        }
        int[] from = all.sources();
        for (int place : all.receiveOrder()) {
            call.from(from[place], received.payload(place));
        }
        return call.call();
    }

    /** The same data for each destination. */
    private CollectiveCall allgather(Place sent, Side received) {
        org.madcast.client.Topology all = neighbourhood();
        Payload same = sent.sent();
        return exchange(all, _ -> same, received.blocks(all.sources().length, true));
    }

    private CollectiveCall alltoall(Side sent, Side received) {
        org.madcast.client.Topology all = neighbourhood();
        Blocks parts = sent.blocks(all.destinations().length, false);
        return exchange(all, parts::payload, received.blocks(all.sources().length, true));
    }

    /** This rank's data to each neighbour, and one part from each (MPI_Neighbor_allgather). */
    public void neighborAllGather(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allgather(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Place(recvbuf, 0, recvcount, recvtype)));
    }

    /**
     * Begins: this rank's data to each neighbour, and one part from each (MPI_Ineighbor_allgather).
     */
    public Request iNeighborAllGather(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return later(() ->
                allgather(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Place(direct(recvbuf), 0, recvcount, recvtype)));
    }

    /** As neighborAllGather, with parts at displacements (MPI_Neighbor_allgatherv). */
    public void neighborAllGatherv(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                allgather(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Places(recvbuf, 0, recvcount, displs, recvtype)));
    }

    /** Begins: as neighborAllGather, with parts at displacements (MPI_Ineighbor_allgatherv). */
    public Request iNeighborAllGatherv(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int[] recvcount,
            int[] displs,
            Datatype recvtype)
            throws MPIException {
        return later(() ->
                allgather(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Places(direct(recvbuf), 0, recvcount, displs, recvtype)));
    }

    /** A part of this rank's data to each neighbour, and one from each (MPI_Neighbor_alltoall). */
    public void neighborAllToAll(
            Object sendbuf,
            int sendcount,
            Datatype sendtype,
            Object recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        now(() ->
                alltoall(
                        new Place(sendbuf, 0, sendcount, sendtype),
                        new Place(recvbuf, 0, recvcount, recvtype)));
    }

    /**
     * Begins: a part of this rank's data to each neighbour, and one from each
     * (MPI_Ineighbor_alltoall).
     */
    public Request iNeighborAllToAll(
            Buffer sendbuf,
            int sendcount,
            Datatype sendtype,
            Buffer recvbuf,
            int recvcount,
            Datatype recvtype)
            throws MPIException {
        return later(() ->
                alltoall(
                        new Place(direct(sendbuf), 0, sendcount, sendtype),
                        new Place(direct(recvbuf), 0, recvcount, recvtype)));
    }

    /** As neighborAllToAll, with parts at displacements (MPI_Neighbor_alltoallv). */
    public void neighborAllToAllv(
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
                alltoall(
                        new Places(sendbuf, 0, sendcount, sdispls, sendtype),
                        new Places(recvbuf, 0, recvcount, rdispls, recvtype)));
    }

    /** Begins: as neighborAllToAll, with parts at displacements (MPI_Ineighbor_alltoallv). */
    public Request iNeighborAllToAllv(
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
                alltoall(
                        new Places(direct(sendbuf), 0, sendcount, sdispls, sendtype),
                        new Places(direct(recvbuf), 0, recvcount, rdispls, recvtype)));
    }
}
