package org.madcast.client.message;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.madcast.client.message.Carrier.Frame;
import org.madcast.client.message.Carrier.Landing;

/**
 * The frames to and from one peer as two streams of bytes, whatever carries them. Pure: no socket
 * or clock; used under the endpoint's lock.
 */
final class FrameStream {

    private final int peer;
    private final Carrier.Events events;
    private final ByteBuffer header = ByteBuffer.allocate(FrameHeader.BYTES);

    private final ArrayDeque<Frame> queue = new ArrayDeque<>();

    /** How many bytes of the queue's first frame, header included, are out. */
    private long written;

    private @Nullable FrameHeader current;
    private @Nullable Landing landing;
    private int bodyDone;
    private long bodies;

    FrameStream(int peer, Carrier.Events events) {
        this.peer = peer;
        this.events = events;
    }

    /** Queues a frame. */
    void add(Frame frame) {
        queue.add(frame);
    }

    /** How many frames are queued, the one included that is partly out. */
    int queued() {
        return queue.size();
    }

    /** Copies what the queue has next; {@link #advance} says how much of it is out. */
    void fill(ByteBuffer out) {
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

    /** Notes that more bytes of the queue are out. */
    void advance(int bytes) {
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
     * Takes bytes that have come.
     *
     * @throws IOException when they are none that a rank sends
     */
    void take(ByteBuffer in) throws IOException {
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
            bodies++;
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

    /** How many bodies have begun to come. */
    long bodies() {
        return bodies;
    }

    /** How much of the body has come that arrives at present; 0 when there is none. */
    int bodyDone() {
        return current == null ? 0 : bodyDone;
    }

    /** How much of that body is still to come. */
    int bodyLeft() {
        return current == null ? 0 : current.bodyBytes() - bodyDone;
    }
}
