package org.madcast.client.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Carrier.Frame;

/**
 * The frames of one TCP connection whose ends have recognised each other: out of a queue into the
 * socket, and out of the socket into the memory where they belong. Used under the endpoint's lock.
 *
 * <p>Bytes pass through buffers that all connections of the carrier share, since only one of them
 * reads or writes at a time; what a connection keeps between two turns is part of a header, or of a
 * record when it is sealed.
 */
final class SocketConnection implements Connection {

    private static final int LONG_REST_BYTES = 8 << 10;

    /** A fraction of the smallest receive buffer, so that the sender never has to wait. */
    private static final int MOST_GATHERED_BYTES = 16 << 10;

    private static final long SHORTEST_GATHERING_NS = 100_000;
    private static final long LONGEST_GATHERING_NS = 500_000;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final FrameStream frames;
    private final @Nullable StreamSeal seal;
    private final @Nullable StreamSeal opener;

    /** Sealed records that the socket has not taken yet, and a part of a record that has come. */
    private final ByteBuffer sealedOut;

    private final ByteBuffer sealedIn;
    private final ByteBuffer opened;

    private long bodySinceNs;

    /**
     * Frames to and from a peer.
     *
     * @param keys of this end's direction and the other's; null for a connection that is not sealed
     */
    private SocketConnection(
            SocketChannel channel,
            SelectionKey key,
            int peer,
            Carrier.Events events,
            byte @Nullable [][] keys) {
        this.channel = channel;
        this.key = key;
        this.frames = new FrameStream(peer, events);
        this.seal = keys == null ? null : StreamSeal.sealing(keys[0]);
        this.opener = keys == null ? null : StreamSeal.opening(keys[1]);
        this.sealedOut = ByteBuffer.allocate(keys == null ? 0 : StreamSeal.RECORD_BYTES).flip();
        this.sealedIn = ByteBuffer.allocate(keys == null ? 0 : StreamSeal.RECORD_BYTES);
        this.opened = ByteBuffer.allocate(keys == null ? 0 : StreamSeal.PLAIN_BYTES);
    }

    /** The connection of two ends that have recognised each other. */
    static SocketConnection of(
            PendingConnection ends, int peer, Carrier.Events events, boolean seals) {
        boolean connected = ends.wanted != null;
        Handshake handshake = ends.handshake();
        byte[][] keys =
                seals ? new byte[][] {handshake.key(connected), handshake.key(!connected)} : null;
        return new SocketConnection(ends.channel, ends.key, peer, events, keys);
    }

    @Override
    public void send(Frame frame, ByteBuffer shared) throws IOException {
        frames.add(frame);
        if (frames.queued() == 1 || !wantsWrite()) {
            flush(shared);
        }
    }

    @Override
    public boolean wantsWrite() {
        return (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    }

    /** Sends what the socket takes, and asks to be called again when it takes more. */
    @Override
    public void flush(ByteBuffer shared) throws IOException {
        boolean more = true;
        while (more && (sealedOut.hasRemaining() || frames.queued() > 0)) {
            more = seal == null ? writePlain(shared) : writeSealed(seal, shared);
        }
        int ops = more ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    private boolean writePlain(ByteBuffer shared) throws IOException {
        shared.clear();
        frames.fill(shared);
        int bytes = shared.flip().remaining();
        int taken = channel.write(shared);
        frames.advance(taken);
        return taken == bytes;
    }

    private boolean writeSealed(StreamSeal sealing, ByteBuffer shared) throws IOException {
        if (!sealedOut.hasRemaining()) {
            shared.clear().limit(StreamSeal.PLAIN_BYTES);
            frames.fill(shared);
            int bytes = shared.flip().remaining();
            sealedOut.clear();
            sealing.seal(shared, sealedOut);
            sealedOut.flip();
            frames.advance(bytes);
        }
        channel.write(sealedOut);
        return !sealedOut.hasRemaining();
    }

    @Override
    public boolean read(ByteBuffer shared) throws IOException {
        int count;
        do {
            shared.clear();
            count = channel.read(shared);
            shared.flip();
            take(shared);
        } while (count == shared.capacity());
        return count >= 0;
    }

    /** Takes bytes as they come from the socket. */
    void take(ByteBuffer in) throws IOException {
        if (opener == null) {
            consume(in);
            return;
        }
        while (in.hasRemaining()) {
            int wanted = recordBytes() - sealedIn.position();
            int bytes = Math.min(wanted, in.remaining());
            sealedIn.put(in.slice(in.position(), bytes));
            in.position(in.position() + bytes);
            if (sealedIn.position() > StreamSeal.LENGTH_BYTES
                    && sealedIn.position() == recordBytes()) {
                open(opener);
            }
        }
    }

    /** Until its length is there a record has just that. */
    private int recordBytes() throws IOException {
        if (sealedIn.position() < StreamSeal.LENGTH_BYTES) {
            return StreamSeal.LENGTH_BYTES;
        }
        int bytes = sealedIn.getInt(0);
        if (bytes <= StreamSeal.TAG_BYTES
                || bytes > StreamSeal.PLAIN_BYTES + StreamSeal.TAG_BYTES) {
            throw new IOException("a sealed record of " + bytes + " bytes");
        }
        return StreamSeal.LENGTH_BYTES + bytes;
    }

    private void open(StreamSeal opening) throws IOException {
        try {
            opened.clear();
            opening.open(sealedIn.flip().position(StreamSeal.LENGTH_BYTES), opened);
            sealedIn.clear();
            consume(opened.flip());
        } catch (GeneralSecurityException forged) {
            throw new IOException("a record was changed on its way", forged);
        }
    }

    private void consume(ByteBuffer in) throws IOException {
        long before = frames.bodies();
        frames.take(in);
        if (frames.bodies() != before) {
            bodySinceNs = System.nanoTime();
        }
    }

    /** Whether a part of a body has come, and the rest is long. */
    @Override
    public boolean isLongBodyArriving() {
        return frames.bodyLeft() >= LONG_REST_BYTES;
    }

    /**
     * How long to let bytes gather before the next read: each wake-up costs more than the packet
     * that it takes. Half of the time that the rest of the body needs at the rate at which it has
     * come, but at most {@link #LONGEST_GATHERING_NS} and the time of {@link #MOST_GATHERED_BYTES};
     * 0 where that is too short to sleep.
     */
    @Override
    public long gatherNs(long nowNs) {
        int bodyDone = frames.bodyDone();
        if (bodyDone == 0) {
            return 0;
        }
        long bytes = Math.min(frames.bodyLeft() / 2, MOST_GATHERED_BYTES);
        long ns = bytes * Math.max(0, nowNs - bodySinceNs) / bodyDone;
        return ns < SHORTEST_GATHERING_NS ? 0 : Math.min(ns, LONGEST_GATHERING_NS);
    }

    @Override
    public boolean isIdle() {
        return frames.queued() == 0 && !sealedOut.hasRemaining();
    }
}
