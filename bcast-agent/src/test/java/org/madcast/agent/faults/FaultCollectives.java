package org.madcast.agent.faults;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import org.madcast.client.Communicator;
import org.madcast.client.ElementType;
import org.madcast.client.MessageStatus;
import org.madcast.client.ReduceOperation;

/** One round of every kind of operation, each with a result that every rank can check. */
final class FaultCollectives {

    private static final ReduceOperation SUM = ReduceOperation.sum(ElementType.LONG);

    private final Communicator ranks;
    private final int round;
    private final int bytes;
    private final int root;
    private int wrong;

    private FaultCollectives(Communicator ranks, int round, int bytes) {
        this.ranks = ranks;
        this.round = round;
        this.bytes = bytes;
        this.root = round % ranks.size();
    }

    /**
     * Does a round.
     *
     * @param bytes of a rank's part, a multiple of 8
     * @return how many operations gave a wrong result
     */
    static int round(Communicator ranks, int round, int bytes) {
        FaultCollectives all = new FaultCollectives(ranks, round, bytes);
        all.movesData();
        all.reduces();
        all.sendsMessages();
        ranks.barrier();
        ranks.ibarrier().join();
        return all.wrong;
    }

    private MemorySegment empty(int parts) {
        return MemorySegment.ofArray(new long[parts * bytes / Long.BYTES]);
    }

    /** What a rank contributes: each number tells whose it is, of which round and where. */
    private MemorySegment part(int rank) {
        MemorySegment part = empty(1);
        for (int i = 0; i < bytes / Long.BYTES; i++) {
            part.setAtIndex(ValueLayout.JAVA_LONG, i, number(rank, i));
        }
        return part;
    }

    private long number(int rank, int index) {
        return 1_000_000_007L * rank + 1009L * round + index;
    }

    private MemorySegment allParts() {
        MemorySegment all = empty(ranks.size());
        for (int rank = 0; rank < ranks.size(); rank++) {
            all.asSlice((long) rank * bytes, bytes).copyFrom(part(rank));
        }
        return all;
    }

    /** The sum of what the ranks up to this one contribute. */
    private MemorySegment sum(int upTo) {
        MemorySegment sum = empty(1);
        for (int rank = 0; rank <= upTo; rank++) {
            SUM.combine(part(rank), sum);
        }
        return sum;
    }

    private void check(MemorySegment actual, MemorySegment expected) {
        wrong += actual.mismatch(expected) == -1 ? 0 : 1;
    }

    private void movesData() {
        boolean here = ranks.rank() == root;
        MemorySegment message = here ? part(root) : empty(1);
        ranks.bcast(message, root);
        check(message, part(root));
        MemorySegment gathered = empty(here ? ranks.size() : 0);
        ranks.gather(part(ranks.rank()), gathered, root);
        check(gathered, here ? allParts() : empty(0));
        MemorySegment scattered = empty(1);
        ranks.scatter(here ? allParts() : empty(0), scattered, root);
        check(scattered, part(ranks.rank()));
        MemorySegment all = empty(ranks.size());
        ranks.allgather(part(ranks.rank()), all);
        check(all, allParts());
        MemorySegment received = empty(ranks.size());
        ranks.alltoall(allParts(), received);
        for (int rank = 0; rank < ranks.size(); rank++) {
            check(received.asSlice((long) rank * bytes, bytes), part(ranks.rank()));
        }
    }

    private void reduces() {
        int last = ranks.size() - 1;
        MemorySegment own = part(ranks.rank());
        MemorySegment reduced = empty(1);
        ranks.reduce(own, reduced, SUM, root);
        check(reduced, ranks.rank() == root ? sum(last) : empty(1));
        MemorySegment result = empty(1);
        ranks.allreduce(own, result, SUM);
        check(result, sum(last));
        MemorySegment shortResult = MemorySegment.ofArray(new long[1]);
        ranks.allreduce(own.asSlice(0, Long.BYTES), shortResult, SUM);
        check(shortResult, sum(last).asSlice(0, Long.BYTES));
        MemorySegment before = empty(1);
        ranks.scan(own, before, SUM);
        check(before, sum(ranks.rank()));
        MemorySegment share = empty(1);
        ranks.reduceScatter(allParts(), share, SUM);
        MemorySegment times = empty(1);
        for (int rank = 0; rank <= last; rank++) {
            SUM.combine(own, times);
        }
        check(share, times);
    }

    /** Around the ring of ranks. */
    private void sendsMessages() {
        int size = ranks.size();
        MemorySegment received = empty(1);
        CompletableFuture<MessageStatus> sent =
                ranks.isend(part(ranks.rank()), (ranks.rank() + 1) % size, round);
        int before = (ranks.rank() + size - 1) % size;
        MessageStatus _ = ranks.recv(received, before, round);
        MessageStatus _ = sent.join();
        check(received, part(before));
    }
}
