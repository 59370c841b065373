package org.madcast.client;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collective operations on messages whose lengths only their senders know, such as serialised
 * objects. Each is two collective calls of a communicator: one of the lengths, then one of the
 * messages. While other threads call, too, use a {@link Communicator#dup} for it.
 *
 * <p>Messages are of any length, and only read. What is returned is memory of the caller's own, the
 * parts of one block. Errors are those of {@link Collectives}.
 */
public final class ByteMessages {

    private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);
    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ObjectOperations ranks;

    /** Those of the ranks of a communicator. */
    public ByteMessages(Communicator ranks) {
        this((ObjectOperations) ranks);
    }

    ByteMessages(ObjectOperations ranks) {
        this.ranks = ranks;
    }

    /** Memory for a message: a Java array while one can be so long. */
    static MemorySegment allocate(long bytes) {
        return bytes <= LONGEST_ARRAY
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    private static MemorySegment of(long[] lengths) {
        return MemorySegment.ofArray(lengths);
    }

    private static MemorySegment room(long[] lengths) {
        return allocate(Arrays.stream(lengths).sum());
    }

    private static List<MemorySegment> parts(MemorySegment all, long[] lengths) {
        List<MemorySegment> parts = new ArrayList<>(lengths.length);
        long at = 0;
        for (long length : lengths) {
            parts.add(all.asSlice(at, length));
            at += length;
        }
        return Collections.unmodifiableList(parts);
    }

    private static MemorySegment packed(List<MemorySegment> messages, long[] lengths) {
        Arrays.setAll(lengths, rank -> messages.get(rank).byteSize());
        MemorySegment all = room(lengths);
        long at = 0;
        for (MemorySegment each : messages) {
            MemorySegment.copy(each, 0, all, at, each.byteSize());
            at += each.byteSize();
        }
        return all;
    }

    /** One message for each rank; at the root of an operation, or at every rank. */
    private void check(@Nullable List<?> messages) {
        if (messages == null || messages.size() != ranks.size()) {
            throw new IllegalArgumentException(
                    "%s messages for %d ranks"
                            .formatted(messages == null ? "no" : messages.size(), ranks.size()));
        }
    }

    /**
     * The root's message at every rank (two MPI_Bcast).
     *
     * @param message used at the root only
     * @return the message; at the root the one given
     * @throws IllegalArgumentException also when the root has no message
     */
    public MemorySegment bcast(@Nullable MemorySegment message, int root) {
        boolean sends = ranks.rank() == root;
        if (sends && message == null) {
            throw new IllegalArgumentException("the message is null at root " + root);
        }
        long[] length = {sends && message != null ? message.byteSize() : 0};
        ranks.bcast(of(length), root);
        MemorySegment whole = sends && message != null ? message : allocate(length[0]);
        ranks.bcast(whole, root);
        return whole;
    }

    /**
     * Every rank's message at the root (MPI_Gather of the lengths and MPI_Gatherv).
     *
     * @return the messages by rank; empty on every other rank
     */
    public List<MemorySegment> gather(MemorySegment message, int root) {
        long[] lengths = new long[ranks.size()];
        ranks.gather(of(new long[] {message.byteSize()}), of(lengths), root);
        MemorySegment all = room(lengths);
        ranks.gatherv(message, all, Parts.packed(lengths), root);
        return ranks.rank() == root ? parts(all, lengths) : List.of();
    }

    /**
     * To every rank its message of the root's (MPI_Scatter of the lengths and MPI_Scatterv).
     *
     * @param messages by rank; used at the root only
     * @return this rank's
     * @throws IllegalArgumentException also when the root has not one for each rank
     */
    public MemorySegment scatter(@Nullable List<MemorySegment> messages, int root) {
        long[] lengths = new long[ranks.size()];
        MemorySegment all = EMPTY;
        if (ranks.rank() == root) {
            check(messages);
            all = packed(messages == null ? List.of() : messages, lengths);
        }
        long[] length = {0};
        ranks.scatter(of(lengths), of(length), root);
        MemorySegment own = allocate(length[0]);
        ranks.scatterv(all, Parts.packed(lengths), own, root);
        return own;
    }

    /**
     * Every rank's message at every rank (MPI_Allgather of the lengths and MPI_Allgatherv).
     *
     * @return the messages by rank
     */
    public List<MemorySegment> allgather(MemorySegment message) {
        long[] lengths = new long[ranks.size()];
        ranks.allgather(of(new long[] {message.byteSize()}), of(lengths));
        MemorySegment all = room(lengths);
        ranks.allgatherv(message, all, Parts.packed(lengths));
        return parts(all, lengths);
    }

    /**
     * A message to every rank and one from every rank (MPI_Alltoall of the lengths and
     * MPI_Alltoallv).
     *
     * @param messages by the rank that they go to, this one among them
     * @return the messages by the rank that they come from
     * @throws IllegalArgumentException also when there is not one for each rank
     */
    public List<MemorySegment> alltoall(List<MemorySegment> messages) {
        check(messages);
        long[] lengths = new long[ranks.size()];
        MemorySegment out = packed(messages, lengths);
        long[] back = new long[ranks.size()];
        ranks.alltoall(of(lengths), of(back));
        MemorySegment in = room(back);
        ranks.alltoallv(out, Parts.packed(lengths), in, Parts.packed(back));
        return parts(in, back);
    }
}
