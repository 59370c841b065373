package mpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
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

    private Exchange exchange() {
        return new Exchange(both);
    }

    private Exchange toAll(MemorySegment message) {
        Exchange call = exchange();
        for (int peer = 0; peer < peers; peer++) {
            call.to(firstPeer + peer, message);
        }
        return call;
    }

    private Exchange toOne(MemorySegment message, int peer) {
        Exchange call = exchange();
        call.to(firstPeer + peer, message);
        return call;
    }

    private Exchange toEach(Blocks blocks) {
        Exchange call = exchange();
        for (int peer = 0; peer < peers; peer++) {
            call.to(firstPeer + peer, blocks.payload(peer).memory());
        }
        return call;
    }

    private CollectiveCall fromEach(Exchange call, Blocks blocks) {
        for (int peer = 0; peer < peers; peer++) {
            call.from(firstPeer + peer, blocks.payload(peer));
        }
        return call.call();
    }

    @Override
    public CollectiveCall barrier() {
        return CollectiveCall.of(new CollectiveCall.TwoWays(both::ibarrier, both::barrier));
    }

    @Override
    public CollectiveCall bcast(@Nullable Payload sent, @Nullable Payload received, int root) {
        if (sent != null) {
            return toAll(sent.memory()).call();
        }
        Exchange call = exchange();
        if (received != null) {
            call.from(firstPeer + root, received);
        }
        return call.call();
    }

    @Override
    public CollectiveCall gather(
            @Nullable Payload sent, @Nullable Blocks received, int root, boolean even) {
        if (received != null) {
            return fromEach(exchange(), received);
        }
        return (sent == null ? exchange() : toOne(sent.memory(), root)).call();
    }

    @Override
    public CollectiveCall scatter(
            @Nullable Blocks sent, @Nullable Payload received, int root, boolean even) {
        return sent != null ? toEach(sent).call() : bcast(null, received, root);
    }

    @Override
    public CollectiveCall allgather(@Nullable Payload sent, Blocks received, boolean even) {
        if (sent == null) {
            throw new MPIException(
                    ErrorClass.COMM,
                    "an intercommunicator has no form of it without a send buffer");
        }
        return fromEach(toAll(sent.memory()), received);
    }

    @Override
    public CollectiveCall alltoall(Blocks sent, Blocks received, boolean even) {
        return fromEach(toEach(sent), received);
    }

    @Override
    public CollectiveCall reduce(@Nullable Reduction reduction, int root) {
        if (reduction == null) {
            return exchange().call();
        }
        return root == MPI.ROOT
                ? combined(
                        exchange(), reduction, reduction.output().byteSize(), 0, Integer.MAX_VALUE)
                : toOne(message(reduction), root).call();
    }

    /** What this rank contributes. */
    private static MemorySegment message(Reduction reduction) {
        return reduction.isObjects() ? Payload.write(reduction.objects()) : reduction.input();
    }

    /**
     * The call in which the contributions of all peers come and, combined in the order of their
     * ranks, are stored.
     *
     * @param bytes the length of each; of objects each message tells its own
     * @param from the first element of the result that is stored
     * @param count how many elements are, at most
     */
    private CollectiveCall combined(
            Exchange call, Reduction reduction, long bytes, int from, int count) {
        MemorySegment[] all = new MemorySegment[peers];
        for (int peer = 0; peer < peers; peer++) {
            int its = peer;
            if (reduction.isObjects()) {
                call.from(firstPeer + peer, length -> all[its] = Payload.allocate(length));
            } else {
                all[peer] = Payload.allocate(bytes);
                call.from(firstPeer + peer, all[peer]);
            }
        }
        ReduceOperation operation = reduction.isObjects() ? null : reduction.operation();
        return call.call(() -> {
            if (operation == null) {
                storeObjects(reduction, List.of(all), from, count);
            } else {
                store(reduction, operation, all, from, count);
            }
        });
    }

    private static void storeObjects(
            Reduction reduction, List<MemorySegment> all, int from, int count) {
        @Nullable Object[] result = ObjectCollectives.combined(all, reduction, 0, all.size());
        int to = (int) Math.min(result.length, (long) from + count);
        reduction.resultPayload().storeObjects(Arrays.copyOfRange(result, from, to));
    }

    private static void store(
            Reduction reduction,
            ReduceOperation operation,
            MemorySegment[] all,
            int from,
            int count) {
        MemorySegment result = all[all.length - 1];
        for (int peer = all.length - 2; peer >= 0 && result.byteSize() > 0; peer--) {
            operation.combine(all[peer], result);
        }
        long start = from * (long) operation.elementBytes();
        long bytes = Math.min(result.byteSize() - start, count * (long) operation.elementBytes());
        if (bytes > 0) {
            reduction.resultPayload().storeFirst(result.asSlice(start, bytes));
        }
    }

    @Override
    public CollectiveCall allreduce(Reduction reduction) {
        MemorySegment data = message(reduction);
        return combined(toAll(data), reduction, data.byteSize(), 0, Integer.MAX_VALUE);
    }

    @Override
    public CollectiveCall reduceScatter(Reduction reduction, int[] counts) {
        MemorySegment data = message(reduction);
        int from = Arrays.stream(counts).limit(localRank).sum();
        return combined(toAll(data), reduction, data.byteSize(), from, counts[localRank]);
    }
}
