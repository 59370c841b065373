package org.madcast.client.message;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Carrier.Frame;
import org.madcast.client.message.Carrier.Landing;

/**
 * The frames of one TCP connection whose ends have recognised each other: out of a queue into the
 * socket, and out of the socket into the memory where they belong. Used under the endpoint's lock.
 *
 * <p>Bytes pass through buffers that all connections of the carrier share, since only one of them
 * reads or writes at a time; what a connection keeps between two turns is part of a header, or of a
 * record when it is sealed.
 */
final class Connection {

    private static final int LONG_REST_BYTES = 8 << 10;

    /** A fraction of the smallest receive buffer, so that the sender never has to wait. */
    private static final int MOST_GATHERED_BYTES = 16 << 10;

    private static final long SHORTEST_GATHERING_NS = 100_000;
    private static final long LONGEST_GATHERING_NS = 500_000;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final int peer;
    private final Carrier.Events events;
    private final ArrayDeque<Frame> queue = new ArrayDeque<>();
    private final ByteBuffer header = ByteBuffer.allocate(FrameHeader.BYTES);
    private final @Nullable StreamSeal seal;
    private final @Nullable StreamSeal opener;

    /** Sealed records that the socket has not taken yet, and a part of a record that has come. */
    private final ByteBuffer sealedOut;

    private final ByteBuffer sealedIn;
    private final ByteBuffer opened;

    /** How many bytes of the queue's first frame, header included, are out. */
    private long written;

    private @Nullable FrameHeader current;
    private @Nullable Landing landing;
    private int bodyDone;
    private long bodySinceNs;

    /**
     * Frames to and from a peer.
     *
     * @param keys of this end's direction and the other's; null for a connection that is not sealed
     */
    Connection(
            SocketChannel channel,
            SelectionKey key,
            int peer,
            Carrier.Events events,
            byte @Nullable [][] keys) {
        this.channel = channel;
        this.key = key;
        this.peer = peer;
        this.events = events;
        this.seal = keys == null ? null : StreamSeal.sealing(keys[0]);
        this.opener = keys == null ? null : StreamSeal.opening(keys[1]);
        this.sealedOut = ByteBuffer.allocate(keys == null ? 0 : StreamSeal.RECORD_BYTES).flip();
        this.sealedIn = ByteBuffer.allocate(keys == null ? 0 : StreamSeal.RECORD_BYTES);
        this.opened = ByteBuffer.allocate(keys == null ? 0 : StreamSeal.PLAIN_BYTES);
    }

    /** Queues a frame and sends what the socket takes. */
    void send(Frame frame, ByteBuffer shared) throws IOException {
        queue.add(frame);
        if (queue.size() == 1 || !wantsWrite()) {
            flush(shared);
        }
    }

    /** Whether the socket took less than there was. */
    boolean wantsWrite() {
        return (key.interestOps() & SelectionKey.OP_WRITE) != 0;
    }

    /** Sends what the socket takes, and asks to be called again when it takes more. */
    void flush(ByteBuffer shared) throws IOException {
        boolean more = true;
        while (more && (sealedOut.hasRemaining() || !queue.isEmpty())) {
            more = seal == null ? writePlain(shared) : writeSealed(seal, shared);
        }
        int ops = more ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    private boolean writePlain(ByteBuffer shared) throws IOException {
        shared.clear();
        fill(shared);
        int bytes = shared.flip().remaining();
        int taken = channel.write(shared);
        advance(taken);
        return taken == bytes;
    }

    private boolean writeSealed(StreamSeal sealing, ByteBuffer shared) throws IOException {
        if (!sealedOut.hasRemaining()) {
            shared.clear().limit(StreamSeal.PLAIN_BYTES);
            fill(shared);
            int bytes = shared.flip().remaining();
            sealedOut.clear();
            sealing.seal(shared, sealedOut);
            sealedOut.flip();
            advance(bytes);
        }
        channel.write(sealedOut);
        return !sealedOut.hasRemaining();
    }

    /** Copies what the queue has next. */
    private void fill(ByteBuffer out) {
        long skip = written;
        for (Frame frame : queue) {
            if (skip < FrameHeader.BYTES) {
                header(frame, (int) skip, out);
                skip = FrameHeader.BYTES;
            }
            long offset = skip - FrameHeader.BYTES;
            int bytes = (int) Math.min(out.remaining(), frame.header().bodyBytes() - offset);
            MemorySegment.copy(
                    frame.body(), offset, MemorySegment.ofBuffer(out), 0, Math.max(bytes, 0));
            out.position(out.position() + bytes);
            skip = 0;
            if (!out.hasRemaining()) {
                return;
            }
        }
    }

    private static void header(Frame frame, int skip, ByteBuffer out) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameHeader.BYTES);
        frame.header().write(bytes);
        bytes.flip().position(skip);
        bytes.limit(Math.min(bytes.limit(), skip + out.remaining()));
        out.put(bytes);
    }

    /** Notes that more bytes of the queue have been written. */
    private void advance(int bytes) {
        written += bytes;
        while (!queue.isEmpty()) {
            Frame first = queue.getFirst();
            int whole = FrameHeader.BYTES + first.header().bodyBytes();
            if (written < whole) {
                return;
            }
            written -= whole;
            queue.removeFirst();
            events.onSent(peer, first);
        }
    }

    /**
     * Takes what has come.
     *
     * @return false when the peer has closed the connection
     * @throws IOException when the connection broke, or brings what no rank sends
     */
    boolean read(ByteBuffer shared) throws IOException {
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
        while (in.hasRemaining()) {
            FrameHeader frame = current;
            Landing to = landing;
            if (frame == null || to == null) {
                readHeader(in);
            } else {
                readBody(frame, to, in);
            }
        }
    }

    private void readHeader(ByteBuffer in) throws IOException {
        int bytes = Math.min(header.remaining(), in.remaining());
        header.put(in.slice(in.position(), bytes));
        in.position(in.position() + bytes);
        if (header.hasRemaining()) {
            return;
        }
        FrameHeader read = FrameHeader.read(header.flip());
        header.clear();
        if (read == null) {
            throw new IOException("a frame that no rank sends");
        }
        Landing to = events.onFrame(peer, read);
        if (read.bodyBytes() > 0) {
            current = read;
            landing = to;
            bodyDone = 0;
            bodySinceNs = System.nanoTime();
        }
    }

    private void readBody(FrameHeader frame, Landing to, ByteBuffer in) {
        int bytes = Math.min(frame.bodyBytes() - bodyDone, in.remaining());
        long room = Math.min(bytes, to.target().byteSize() - bodyDone);
        if (room > 0) {
            MemorySegment.copy(MemorySegment.ofBuffer(in), 0, to.target(), bodyDone, room);
        }
        in.position(in.position() + bytes);
        bodyDone += bytes;
        if (bodyDone == frame.bodyBytes()) {
            current = null;
            landing = null;
            events.onBody(peer, to);
        }
    }

    /** Whether a part of a body has come, and the rest is long. */
    boolean isLongBodyArriving() {
        return current != null && current.bodyBytes() - bodyDone >= LONG_REST_BYTES;
    }

    /**
     * How long to let bytes gather before the next read: each wake-up costs more than the packet
     * that it takes. Half of the time that the rest of the body needs at the rate at which it has
     * come, but at most {@link #LONGEST_GATHERING_NS} and the time of {@link #MOST_GATHERED_BYTES};
     * 0 where that is too short to sleep.
     */
    long gatherNs(long nowNs) {
        if (current == null || bodyDone == 0) {
            return 0;
        }
        long bytes = Math.min((current.bodyBytes() - bodyDone) / 2, MOST_GATHERED_BYTES);
        long ns = bytes * Math.max(0, nowNs - bodySinceNs) / bodyDone;
        return ns < SHORTEST_GATHERING_NS ? 0 : Math.min(ns, LONGEST_GATHERING_NS);
    }

    boolean isIdle() {
        return queue.isEmpty() && !sealedOut.hasRemaining();
    }
}
