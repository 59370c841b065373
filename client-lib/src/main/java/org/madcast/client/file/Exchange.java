package org.madcast.client.file;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.madcast.client.Communicator;
import org.madcast.client.Parts;

/**
 * Messages whose size only their sender knows, over a communicator. A first broadcast of fixed size
 * carries the length and, of most messages, everything; a second one carries the rest.
 */
final class Exchange {

    /** Fits one datagram of an Ethernet frame. */
    private static final int FIRST_BYTES = 1024;

    private static final int ROOM = FIRST_BYTES - Integer.BYTES;
    private static final int MAX_MESSAGE_BYTES = 32 << 20;

    private final Communicator communicator;

    Exchange(Communicator communicator) {
        this.communicator = communicator;
    }

    int rank() {
        return communicator.rank();
    }

    int size() {
        return communicator.size();
    }

    /** Broadcasts this message from this rank. */
    void send(byte[] message) {
        if (message.length > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException(message.length + " bytes are too many");
        }
        byte[] first = new byte[FIRST_BYTES];
        ByteBuffer.wrap(first)
                .putInt(message.length)
                .put(message, 0, Math.min(message.length, ROOM));
        communicator.bcast(first, rank());
        if (message.length > ROOM) {
            communicator.bcast(MemorySegment.ofArray(message).asSlice(ROOM), rank());
        }
    }

    /**
     * Receives a message of that rank.
     *
     * @throws ProtocolException when it cannot be a message
     */
    byte[] receive(int root) throws ProtocolException {
        byte[] first = new byte[FIRST_BYTES];
        communicator.bcast(first, root);
        int length = ByteBuffer.wrap(first).getInt();
        if (length < 0 || length > MAX_MESSAGE_BYTES) {
            throw new ProtocolException("rank " + root + " sends " + length + " bytes");
        }
        byte[] message = Arrays.copyOfRange(first, Integer.BYTES, Integer.BYTES + length);
        if (length > ROOM) {
            communicator.bcast(MemorySegment.ofArray(message).asSlice(ROOM), root);
        }
        return message;
    }

    /** Takes one message of each rank, in the order of ranks. */
    interface Taking {
        void take(int rank, byte[] message) throws ProtocolException;
    }

    /**
     * Every rank's message to all ranks. A collective operation.
     *
     * @param taking called on every rank, for each rank's message
     */
    void allgather(byte[] mine, Taking taking) throws ProtocolException {
        long[] lengths = new long[size()];
        communicator.allgather(
                MemorySegment.ofArray(new long[] {mine.length}), MemorySegment.ofArray(lengths));
        MemorySegment all = room(lengths);
        communicator.allgatherv(MemorySegment.ofArray(mine), all, Parts.packed(lengths));
        takeAll(all, lengths, taking);
    }

    /**
     * Every rank's message to one rank. A collective operation.
     *
     * @param taking called at the root, for each rank's message
     */
    void gather(byte[] mine, int root, Taking taking) throws ProtocolException {
        long[] lengths = new long[size()];
        communicator.gather(
                MemorySegment.ofArray(new long[] {mine.length}),
                MemorySegment.ofArray(lengths),
                root);
        MemorySegment all = rank() == root ? room(lengths) : MemorySegment.NULL;
        communicator.gatherv(MemorySegment.ofArray(mine), all, Parts.packed(lengths), root);
        if (rank() == root) {
            takeAll(all, lengths, taking);
        }
    }

    private static MemorySegment room(long... lengths) throws ProtocolException {
        for (int rank = 0; rank < lengths.length; rank++) {
            if (lengths[rank] < 0 || lengths[rank] > MAX_MESSAGE_BYTES) {
                throw new ProtocolException("rank " + rank + " sends " + lengths[rank] + " bytes");
            }
        }
        return Arena.ofAuto().allocate(Arrays.stream(lengths).sum());
    }

    private static void takeAll(MemorySegment all, long[] lengths, Taking taking)
            throws ProtocolException {
        long at = 0;
        for (int rank = 0; rank < lengths.length; rank++) {
            taking.take(rank, all.asSlice(at, lengths[rank]).toArray(ValueLayout.JAVA_BYTE));
            at += lengths[rank];
        }
    }

    /** Returns when all ranks have come here. */
    void barrier() {
        communicator.barrier();
    }

    /** Broadcasts the length of the first piece; 0 says that none comes. */
    void sendLength(int length) {
        communicator.bcast(ByteBuffer.allocate(Integer.BYTES).putInt(0, length).array(), rank());
    }

    /** Receives the length of the first piece. */
    int receiveLength(int root, int most) throws ProtocolException {
        byte[] bytes = new byte[Integer.BYTES];
        communicator.bcast(bytes, root);
        return length(bytes, 0, root, most);
    }

    private static int length(byte[] bytes, int at, int root, int most) throws ProtocolException {
        int length = ByteBuffer.wrap(bytes).getInt(at);
        if (length < 0 || length > most) {
            throw new ProtocolException("rank " + root + " sends a piece of " + length + " bytes");
        }
        return length;
    }

    /** Broadcasts {@code bytes} bytes, in place. */
    void piece(byte[] bytes, int length, int root) {
        communicator.bcast(MemorySegment.ofArray(bytes).asSlice(0, length), root);
    }

    /**
     * Receives a piece and, behind it, the length of the next one.
     *
     * @return that length; 0 when no more comes
     */
    int receivePiece(byte[] bytes, int length, int root, int most) throws ProtocolException {
        piece(bytes, length + PiecePipe.TRAILER_BYTES, root);
        return length(bytes, length, root, most);
    }
}
