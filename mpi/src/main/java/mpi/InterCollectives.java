package mpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.client.Parts;
import org.madcast.client.ReduceOperation;

/**
 * Collective calls between two groups. Each is one exchange among the ranks of both groups, in
 * which every rank knows what it sends to and receives from the other group, and nothing goes to
 * its own. So a rank need not know which rank of its own group is the root.
 */
final class InterCollectives implements CollectiveMaker {

    private final Communicator both;
    private final int firstPeer;
    private final int peers;
    private final int localRank;

    InterCollectives(CommState state) {
        this.both = state.all();
        this.peers = state.peers();
        this.firstPeer = state.inAll("rank", 0);
        this.localRank = state.local().rank();
    }

    /** What goes to the ranks of the other group, or comes from them. */
    private record Side(MemorySegment memory, Parts parts) {}

    private Side nothing() {
        return new Side(Payload.EMPTY, Parts.packed(new long[both.size()]));
    }

    /** The same data for all peers, or for one of them. */
    private Side same(MemorySegment data, int fromPeer, int toPeer) {
        long[] counts = new long[both.size()];
        Arrays.fill(counts, firstPeer + fromPeer, firstPeer + toPeer, data.byteSize());
        return new Side(data, new Parts(counts, new long[both.size()]));
    }

    private Side toAll(MemorySegment data) {
        return same(data, 0, peers);
    }

    private Side toOne(MemorySegment data, int peer) {
        return same(data, peer, peer + 1);
    }

    private Side each(Blocks blocks) {
        checkNoObjects(blocks.isObjects());
        long[] counts = new long[both.size()];
        long[] places = new long[both.size()];
        Parts parts = blocks.parts();
        System.arraycopy(parts.counts(), 0, counts, firstPeer, peers);
        System.arraycopy(parts.displacements(), 0, places, firstPeer, peers);
        return new Side(blocks.memory(), new Parts(counts, places));
    }

    /** Room for data of one length from each peer. */
    private Side room(long bytes) {
        long[] counts = new long[both.size()];
        Arrays.fill(counts, firstPeer, firstPeer + peers, bytes);
        return new Side(Payload.allocate(bytes * peers), Parts.packed(counts));
    }

    private CollectiveCall exchange(Side out, Side in, Runnable store) {
        return new CollectiveCall(
                both.alltoallvInit(out.memory, out.parts, in.memory, in.parts), store);
    }

    private static void checkNoObjects(boolean objects) {
        if (objects) {
            throw new MPIException(
                    ErrorClass.UNSUPPORTED_OPERATION,
                    "collective calls of an intercommunicator do not take objects");
        }
    }

    private static MemorySegment memory(Payload payload) {
        checkNoObjects(payload.isObjects());
        return payload.memory();
    }

    private CollectiveCall idle() {
        return exchange(nothing(), nothing(), () -> {});
    }

    @Override
    public CollectiveCall barrier() {
        return CollectiveCall.of(new CollectiveCall.TwoWays(both::ibarrier, both::barrier));
    }

    @Override
    public CollectiveCall bcast(@Nullable Payload sent, @Nullable Payload received, int root) {
        if (sent != null) {
            return exchange(toAll(memory(sent)), nothing(), () -> {});
        }
        if (received != null) {
            return exchange(
                    nothing(),
                    toOne(memory(received), root),
                    () -> received.arrived(received.size()));
        }
        return idle();
    }

    @Override
    public CollectiveCall gather(
            @Nullable Payload sent, @Nullable Blocks received, int root, boolean even) {
        if (received != null) {
            return exchange(nothing(), each(received), received::arrived);
        }
        return sent == null ? idle() : exchange(toOne(memory(sent), root), nothing(), () -> {});
    }

    @Override
    public CollectiveCall scatter(
            @Nullable Blocks sent, @Nullable Payload received, int root, boolean even) {
        return sent != null
                ? exchange(each(sent), nothing(), () -> {})
                : bcast(null, received, root);
    }

    @Override
    public CollectiveCall allgather(@Nullable Payload sent, Blocks received, boolean even) {
        if (sent == null) {
            throw new MPIException(
                    ErrorClass.COMM,
                    "an intercommunicator has no form of it without a send buffer");
        }
        return exchange(toAll(memory(sent)), each(received), received::arrived);
    }

    @Override
    public CollectiveCall alltoall(Blocks sent, Blocks received, boolean even) {
        return exchange(each(sent), each(received), received::arrived);
    }

    @Override
    public CollectiveCall reduce(@Nullable Reduction reduction, int root) {
        if (reduction == null) {
            return idle();
        }
        checkNoObjects(reduction.isObjects());
        ReduceOperation operation = reduction.operation();
        if (root != MPI.ROOT) {
            return exchange(toOne(reduction.input(), root), nothing(), () -> {});
        }
        MemorySegment result = reduction.output();
        Side in = room(result.byteSize());
        return exchange(
                nothing(),
                in,
                () -> {
                    result.copyFrom(combined(in.memory, operation));
                    reduction.arrived();
                });
    }

    /** The contributions of all peers, combined in the order of their ranks. */
    private MemorySegment combined(MemorySegment all, ReduceOperation operation) {
        long bytes = all.byteSize() / peers;
        MemorySegment result = all.asSlice((peers - 1) * bytes, bytes);
        for (int peer = peers - 2; peer >= 0 && bytes > 0; peer--) {
            operation.combine(all.asSlice(peer * bytes, bytes), result);
        }
        return result;
    }

    @Override
    public CollectiveCall allreduce(Reduction reduction) {
        checkNoObjects(reduction.isObjects());
        ReduceOperation operation = reduction.operation();
        MemorySegment data = reduction.input();
        MemorySegment sent = reduction.isInPlace() ? copy(data) : data;
        Side in = room(data.byteSize());
        return exchange(
                toAll(sent),
                in,
                () -> {
                    reduction.output().copyFrom(combined(in.memory, operation));
                    reduction.arrived();
                });
    }

    private static MemorySegment copy(MemorySegment data) {
        return Payload.allocate(data.byteSize()).copyFrom(data);
    }

    @Override
    public CollectiveCall reduceScatter(Reduction reduction, int[] counts) {
        checkNoObjects(reduction.isObjects());
        ReduceOperation operation = reduction.operation();
        MemorySegment data = reduction.input();
        Side in = room(data.byteSize());
        long bytes = operation.elementBytes();
        long from = Arrays.stream(counts).limit(localRank).asLongStream().sum() * bytes;
        return exchange(
                toAll(reduction.isInPlace() ? copy(data) : data),
                in,
                () -> {
                    MemorySegment result = combined(in.memory, operation);
                    reduction
                            .resultPayload()
                            .storeFirst(result.asSlice(from, counts[localRank] * bytes));
                });
    }
}
