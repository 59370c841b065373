package org.madcast.client.file;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;

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
     * Every rank says something to all.
     *
     * @param mine what this rank says, or null when it is {@code silent}
     * @param silent the rank that says nothing, or -1
     */
    void gather(byte @Nullable [] mine, int silent, Taking taking) throws ProtocolException {
        for (int rank = 0; rank < size(); rank++) {
            if (rank == silent) {
                continue;
            }
            if (rank == rank() && mine != null) {
                send(mine);
                taking.take(rank, mine);
            } else {
                taking.take(rank, receive(rank));
            }
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
