package mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.Parts;
import org.madcast.mpi.object.ObjectCodec;
import org.madcast.mpi.object.ObjectException;

/**
 * Collective calls of objects: the ranks first exchange how long each message is, then the
 * messages.
 */
final class ObjectCollectives {

    private final Communicator ranks;

    ObjectCollectives(Communicator ranks) {
        this.ranks = ranks;
    }

    private static MemorySegment of(long[] lengths) {
        return MemorySegment.ofArray(lengths);
    }

    void bcast(Payload data, int root) {
        boolean sends = ranks.rank() == root;
        long[] length = {sends ? data.memory().byteSize() : 0};
        ranks.bcast(of(length), root);
        MemorySegment message = sends ? data.memory() : data.memoryFor(length[0]);
        ranks.bcast(message, root);
        if (!sends) {
            data.arrived(length[0]);
        }
    }

    void gather(@Nullable Payload sent, @Nullable Blocks received, int root) {
        MemorySegment own = sent == null ? Payload.EMPTY : sent.memory();
        long[] length = {own.byteSize()};
        long[] lengths = new long[ranks.size()];
        ranks.gather(of(length), of(lengths), root);
        MemorySegment all = Payload.allocate(Arrays.stream(lengths).sum());
        ranks.gatherv(own, all, Parts.packed(lengths), root);
        if (received != null) {
            store(all, lengths, received, sent == null ? root : -1);
        }
    }

    /** Stores each rank's objects, but for those that are in place already. */
    private static void store(MemorySegment all, long[] lengths, Blocks received, int inPlace) {
        long at = 0;
        for (int rank = 0; rank < lengths.length; rank++) {
            if (rank != inPlace) {
                Payload payload = received.payload(rank);
                payload.memoryFor(lengths[rank]).copyFrom(all.asSlice(at, lengths[rank]));
                payload.arrived(lengths[rank]);
            }
            at += lengths[rank];
        }
    }

    void scatter(@Nullable Blocks sent, @Nullable Payload received, int root) {
        long[] lengths = new long[ranks.size()];
        MemorySegment all = Payload.EMPTY;
        if (sent != null) {
            all = packed(sent, lengths);
        }
        long[] length = {0};
        ranks.scatter(of(lengths), of(length), root);
        MemorySegment own =
                received == null ? Payload.allocate(length[0]) : received.memoryFor(length[0]);
        ranks.scatterv(all, Parts.packed(lengths), own, root);
        if (received != null) {
            received.arrived(length[0]);
        }
    }

    private static MemorySegment packed(Blocks sent, long[] lengths) {
        Arrays.setAll(lengths, rank -> sent.payload(rank).memory().byteSize());
        MemorySegment all = Payload.allocate(Arrays.stream(lengths).sum());
        long at = 0;
        for (int rank = 0; rank < lengths.length; rank++) {
            all.asSlice(at, lengths[rank]).copyFrom(sent.payload(rank).memory());
            at += lengths[rank];
        }
        return all;
    }

    void allgather(@Nullable Payload sent, Blocks received) {
        int self = ranks.rank();
        MemorySegment own =
                sent == null
                        ? MemorySegment.ofArray(write(received.payload(self).readObjects()))
                        : sent.memory();
        long[] lengths = new long[ranks.size()];
        MemorySegment all = gatherEverywhere(own, lengths);
        store(all, lengths, received, sent == null ? self : -1);
    }

    private MemorySegment gatherEverywhere(MemorySegment own, long[] lengths) {
        ranks.allgather(of(new long[] {own.byteSize()}), of(lengths));
        MemorySegment all = Payload.allocate(Arrays.stream(lengths).sum());
        ranks.allgatherv(own, all, Parts.packed(lengths));
        return all;
    }

    void alltoall(Blocks sent, Blocks received) {
        long[] lengths = new long[ranks.size()];
        MemorySegment out = packed(sent, lengths);
        long[] back = new long[ranks.size()];
        ranks.alltoall(of(lengths), of(back));
        MemorySegment in = Payload.allocate(Arrays.stream(back).sum());
        ranks.alltoallv(out, Parts.packed(lengths), in, Parts.packed(back));
        store(in, back, received, -1);
    }

    private static byte[] write(@Nullable Object[] objects) {
        try {
            return ObjectCodec.write(objects);
        } catch (ObjectException wrong) {
            throw new MPIException(ErrorClass.TYPE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** Every rank's objects, from one up to another, combined in the order of ranks. */
    private @Nullable Object[] combined(Reduction all, int from, int to) {
        MemorySegment own = MemorySegment.ofArray(write(all.objects()));
        long[] lengths = new long[ranks.size()];
        MemorySegment messages = gatherEverywhere(own, lengths);
        @Nullable Object[] result = new Object[0];
        for (int rank = to - 1; rank >= from; rank--) {
            long at = Arrays.stream(lengths).limit(rank).sum();
            byte[] message = messages.asSlice(at, lengths[rank]).toArray(ValueLayout.JAVA_BYTE);
            @Nullable Object[] its = read(message);
            if (rank == to - 1) {
                result = its;
            } else {
                all.op().onObjects(its, result, result.length, all.type());
            }
        }
        return result;
    }

    private static @Nullable Object[] read(byte[] message) {
        try {
            return ObjectCodec.read(message);
        } catch (ObjectException wrong) {
            throw new MPIException(ErrorClass.TYPE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    void reduce(Reduction all, int root) {
        @Nullable Object[] result = combined(all, 0, ranks.rank() == root ? ranks.size() : 0);
        if (ranks.rank() == root) {
            all.resultPayload().storeObjects(result);
        }
    }

    void allreduce(Reduction all) {
        all.resultPayload().storeObjects(combined(all, 0, ranks.size()));
    }

    void reduceScatter(Reduction all, int[] counts) {
        @Nullable Object[] result = combined(all, 0, ranks.size());
        int from = Arrays.stream(counts).limit(ranks.rank()).sum();
        @Nullable Object[] own = Arrays.copyOfRange(result, from, from + counts[ranks.rank()]);
        all.resultPayload().storeObjects(own);
    }

    /** The objects of the lower ranks, and of this one if so, combined. */
    void scan(Reduction all, boolean inclusive) {
        int to = ranks.rank() + (inclusive ? 1 : 0);
        @Nullable Object[] result = combined(all, 0, to);
        if (to > 0) {
            all.resultPayload().storeObjects(result);
        }
    }
}
