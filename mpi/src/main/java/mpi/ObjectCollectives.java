package mpi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.ByteMessages;
import org.madcast.client.Communicator;

/** Collective calls of objects: {@link ByteMessages}, since only the sender knows the length. */
final class ObjectCollectives {

    private final Communicator ranks;
    private final ByteMessages messages;

    ObjectCollectives(Communicator ranks) {
        this.ranks = ranks;
        this.messages = new ByteMessages(ranks);
    }

    void bcast(Payload data, int root) {
        boolean sends = ranks.rank() == root;
        MemorySegment message = messages.bcast(sends ? data.memory() : null, root);
        if (!sends) {
            data.take(message);
        }
    }

    void gather(@Nullable Payload sent, @Nullable Blocks received, int root) {
        List<MemorySegment> all =
                messages.gather(sent == null ? Payload.EMPTY : sent.memory(), root);
        if (received != null) {
            store(all, received, sent == null ? root : -1);
        }
    }

    /** Stores each rank's objects, but for those that are in place already. */
    private static void store(List<MemorySegment> all, Blocks received, int inPlace) {
        for (int rank = 0; rank < all.size(); rank++) {
            if (rank != inPlace) {
                received.payload(rank).take(all.get(rank));
            }
        }
    }

    void scatter(@Nullable Blocks sent, @Nullable Payload received, int root) {
        MemorySegment own = messages.scatter(sent == null ? null : each(sent), root);
        if (received != null) {
            received.take(own);
        }
    }

    private List<MemorySegment> each(Blocks sent) {
        return IntStream.range(0, ranks.size())
                .mapToObj(rank -> sent.payload(rank).memory())
                .toList();
    }

    void allgather(@Nullable Payload sent, Blocks received) {
        int self = ranks.rank();
        MemorySegment own =
                sent == null ? Payload.write(received.payload(self).readObjects()) : sent.memory();
        store(messages.allgather(own), received, sent == null ? self : -1);
    }

    void alltoall(Blocks sent, Blocks received) {
        store(messages.alltoall(each(sent)), received, -1);
    }

    /** Objects, from one rank's up to another's, combined in the order of ranks. */
    static @Nullable Object[] combined(
            List<MemorySegment> messages, Reduction all, int from, int to) {
        @Nullable Object[] result = new Object[0];
        for (int rank = to - 1; rank >= from; rank--) {
            @Nullable Object[] its = Payload.read(messages.get(rank));
            if (rank == to - 1) {
                result = its;
            } else {
                all.op().onObjects(its, result, result.length, all.type());
            }
        }
        return result;
    }

    /** The objects of the ranks below one, combined at every rank that wants them. */
    private @Nullable Object[] combined(Reduction all, int to) {
        return combined(messages.allgather(Payload.write(all.objects())), all, 0, to);
    }

    void reduce(Reduction all, int root) {
        List<MemorySegment> each = messages.gather(Payload.write(all.objects()), root);
        if (ranks.rank() == root) {
            all.resultPayload().storeObjects(combined(each, all, 0, ranks.size()));
        }
    }

    void allreduce(Reduction all) {
        all.resultPayload().storeObjects(combined(all, ranks.size()));
    }

    void reduceScatter(Reduction all, int[] counts) {
        @Nullable Object[] result = combined(all, ranks.size());
        int from = Arrays.stream(counts).limit(ranks.rank()).sum();
        @Nullable Object[] own = Arrays.copyOfRange(result, from, from + counts[ranks.rank()]);
        all.resultPayload().storeObjects(own);
    }

    /** The objects of the lower ranks, and of this one if so, combined. */
    void scan(Reduction all, boolean inclusive) {
        int to = ranks.rank() + (inclusive ? 1 : 0);
        @Nullable Object[] result = combined(all, to);
        if (to > 0) {
            all.resultPayload().storeObjects(result);
        }
    }
}
