package org.madcast.client.message;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection whose ends have not recognised each other yet. Under the endpoint's lock. */
final class PendingConnection {

    private static final System.Logger LOG = System.getLogger(PendingConnection.class.getName());

    final SocketChannel channel;
    final SelectionKey key;

    /** The rank that this end connects to; null when the other end has connected. */
    final @Nullable Integer wanted;

    private long deadlineNs;
    private @Nullable Handshake handshake;
    private ByteBuffer expected;
    private @Nullable SharedMemory offered;

    PendingConnection(
            SocketChannel channel, Selector selector, @Nullable Integer wanted, long deadlineNs)
            throws IOException {
        this.channel = channel;
        this.wanted = wanted;
        this.deadlineNs = deadlineNs;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        int interest = wanted == null ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
        this.key = channel.register(selector, interest, this);
        this.expected =
                ByteBuffer.allocate(wanted == null ? Handshake.HELLO_BYTES : Handshake.REPLY_BYTES);
    }

    /** The other end closes it, though nothing is wrong. */
    static final class ClosedEarly extends IOException {
        private static final long serialVersionUID = 1;

        private ClosedEarly(@Nullable SocketException reset) {
            super(
                    "it closes every connection before the ends have recognised each other, as a"
                            + " rank with another version of the library does",
                    reset);
        }
    }

    /**
     * Says hello, if it is connected. The selector, which another thread waits at meanwhile, calls
     * a channel ready, too, whose connect has not begun.
     */
    void greet() throws IOException {
        if (channel.finishConnect()) {
            SelectionKey _ = key.interestOps(SelectionKey.OP_READ);
            write(handshake().hello());
        }
    }

    /** When it ends if nothing comes. */
    long deadlineNs() {
        return deadlineNs;
    }

    /** Gives it time in which this process did not listen. */
    void extend(long ns) {
        deadlineNs += ns;
    }

    /** The handshake, once it has begun. */
    Handshake handshake() {
        if (handshake == null) {
            throw new IllegalStateException("the other end has said nothing yet");
        }
        return handshake;
    }

    boolean hasBegun() {
        return handshake != null;
    }

    /** The other end has accepted, and gets the proof later; until then nothing comes. */
    void pause() {
        SelectionKey _ = key.interestOps(0);
    }

    boolean isPaused() {
        return key.isValid() && key.interestOps() == 0;
    }

    /** Whether it is still this object's to read from it. */
    boolean isReadable() {
        return key.isValid() && key.attachment() == this && key.interestOps() != 0;
    }

    /** Begins; from now on the other end's proof is expected, or its reply. */
    void begin(Handshake with) {
        handshake = with;
        if (wanted == null) {
            expected = ByteBuffer.allocate(Handshake.PROOF_BYTES);
        }
    }

    /** Proves this end, and offers memory to the other; its answer to an offer is expected then. */
    void prove(@Nullable SharedMemory offer) throws IOException {
        offered = offer;
        SelectionKey _ = key.interestOps(SelectionKey.OP_READ);
        expected = ByteBuffer.allocate(Handshake.SHARES_BYTES);
        write(handshake().proof(offer != null));
    }

    /** The memory that the other end was offered with the proof. */
    @Nullable SharedMemory offered() {
        return offered;
    }

    /**
     * The memory that both ends have, once they have recognised each other; null when frames go
     * over the connection. Tells the other end what became of its offer.
     *
     * @param shares whether the other end shares this one's memory, or offers its own
     * @param accepts whether this end accepts such an offer
     */
    @Nullable SharedMemory memory(boolean shares, boolean accepts) throws IOException {
        if (offered != null) {
            offered.unlink();
            return shares ? offered : null;
        }
        if (wanted != null || !shares) {
            return null;
        }
        SharedMemory memory = accepts ? SharedMemory.open(handshake().memoryName()) : null;
        if (memory != null) {
            memory.unlink();
        }
        write(new byte[] {(byte) (memory == null ? 0 : 1)});
        return memory;
    }

    /**
     * Reads what there is of the next part.
     *
     * @return how many bytes came
     */
    int read() throws IOException {
        try {
            int count = channel.read(expected);
            if (count < 0) {
                throw new ClosedEarly(null);
            }
            return count;
        } catch (SocketException reset) {
            throw new ClosedEarly(reset);
        }
    }

    /** The next part; null until all of it has come. */
    byte @Nullable [] part() {
        return expected.hasRemaining() ? null : expected.array();
    }

    /** The first four bytes that came; 0 until they have. */
    int magic() {
        return expected.position() >= Integer.BYTES ? expected.getInt(0) : 0;
    }

    /** What has come, for one who takes the connection over; the selector forgets it. */
    ByteBuffer release() {
        key.cancel();
        return expected.flip();
    }

    /** Writes a few bytes, which an empty socket buffer takes at once. */
    void write(byte[] bytes) throws IOException {
        if (channel.write(ByteBuffer.wrap(bytes)) != bytes.length) {
            throw new IOException("the socket does not take " + bytes.length + " bytes");
        }
    }

    void close() {
        if (offered != null) {
            offered.unlink();
        }
        close(key, channel);
    }

    static void close(SelectionKey key, SocketChannel channel) {
        key.cancel();
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            LOG.log(Level.TRACE, "closing a connection", alreadyGone);
        }
    }
}
