package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.Parts;

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

    private Topology neighbourhood() {
        CommState _ = state();
        Topology known = topology();
        if (known == null) {
            throw new MPIException(ErrorClass.TOPOLOGY, "the communicator has no topology");
        }
        return known;
    }

    private int[] sources() {
        return neighbourhood().sources(state().all().rank());
    }

    private int[] destinations() {
        return neighbourhood().destinations(state().all().rank());
    }

    /** One rank's parts, one behind the other in memory. */
    private static final class Packed {
        private final List<Payload> order = new ArrayList<>();
        private final long[] bytes;
        private final MemorySegment memory;

        Packed(int size, int[] neighbours, Blocks blocks, List<Integer> places) {
            bytes = new long[size];
            long total = 0;
            for (int place : places) {
                Payload payload = blocks.payload(place);
                if (payload.isObjects()) {
                    throw new MPIException(
                            ErrorClass.UNSUPPORTED_OPERATION,
                            "collective calls between neighbours do not take objects");
                }
                order.add(payload);
                bytes[neighbours[place]] += payload.size();
                total += payload.size();
            }
            memory = Payload.allocate(total);
        }

        Parts parts() {
            return Parts.packed(bytes);
        }

        Packed filled() {
            long at = 0;
            for (Payload each : order) {
                if (each.size() > 0) {
                    each.pack(memory.asSlice(at, each.size()));
                }
                at += each.size();
            }
            return this;
        }

        void store() {
            long at = 0;
            for (Payload each : order) {
                if (each.size() > 0) {
                    each.unpack(memory.asSlice(at, each.size()));
                }
                at += each.size();
            }
        }
    }

    /** The places of neighbours that exist, by rank; those of one rank by the sender's order. */
    private static List<Integer> ordered(int[] neighbours, Comparator<Integer> ofOneRank) {
        return IntStream.range(0, neighbours.length)
                .boxed()
                .filter(place -> neighbours[place] != MPI.PROC_NULL)
                .sorted(
                        Comparator.<Integer>comparingInt(at -> neighbours[at])
                                .thenComparing(ofOneRank))
                .toList();
    }

    private CollectiveCall exchange(Blocks sent, Blocks received) {
        Communicator ranks = state().all();
        Topology all = neighbourhood();
        int[] to = destinations();
        int[] from = sources();
        Packed out =
                new Packed(ranks.size(), to, sent, ordered(to, Comparator.naturalOrder())).filled();
        Packed in =
                new Packed(
                        ranks.size(),
                        from,
                        received,
                        ordered(from, Comparator.comparingInt(all::placeAtSource)));
        int self = ranks.rank();
        if (out.bytes[self] != in.bytes[self]) {
            throw new MPIException(
                    ErrorClass.COUNT,
                    "rank %d sends itself %d bytes, but receives %d"
                            .formatted(self, out.bytes[self], in.bytes[self]));
        }
        return new CollectiveCall(
                ranks.alltoallvInit(out.memory, out.parts(), in.memory, in.parts()), in::store);
    }

    /** The same data for each destination. */
    private Blocks same(@Nullable Object buffer, int count, Datatype type) {
        int degree = destinations().length;
        int[] counts = new int[degree];
        java.util.Arrays.fill(counts, count);
        return Blocks.uneven(buffer, 0, counts, new int[degree], type, degree, false);
    }

    private Blocks incoming(Place place) {
        return place.blocks(sources().length, true);
    }

    private Blocks incoming(Places places) {
        return places.blocks(sources().length, true);
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
                exchange(
                        same(sendbuf, sendcount, sendtype),
                        incoming(new Place(recvbuf, 0, recvcount, recvtype))));
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
                exchange(
                        same(direct(sendbuf), sendcount, sendtype),
                        incoming(new Place(direct(recvbuf), 0, recvcount, recvtype))));
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
                exchange(
                        same(sendbuf, sendcount, sendtype),
                        incoming(new Places(recvbuf, 0, recvcount, displs, recvtype))));
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
                exchange(
                        same(direct(sendbuf), sendcount, sendtype),
                        incoming(new Places(direct(recvbuf), 0, recvcount, displs, recvtype))));
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
                exchange(
                        new Place(sendbuf, 0, sendcount, sendtype)
                                .blocks(destinations().length, false),
                        incoming(new Place(recvbuf, 0, recvcount, recvtype))));
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
                exchange(
                        new Place(direct(sendbuf), 0, sendcount, sendtype)
                                .blocks(destinations().length, false),
                        incoming(new Place(direct(recvbuf), 0, recvcount, recvtype))));
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
                exchange(
                        new Places(sendbuf, 0, sendcount, sdispls, sendtype)
                                .blocks(destinations().length, false),
                        incoming(new Places(recvbuf, 0, recvcount, rdispls, recvtype))));
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
                exchange(
                        new Places(direct(sendbuf), 0, sendcount, sdispls, sendtype)
                                .blocks(destinations().length, false),
                        incoming(new Places(direct(recvbuf), 0, recvcount, rdispls, recvtype))));
    }
}
