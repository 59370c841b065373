package org.madcast.client.message;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.madcast.client.message.Carrier.Frame;

/**
 * The frames to and from a rank of this host, through memory that both have mapped. The TCP
 * connection over which they have recognised each other stays: a byte in it wakes a rank that
 * sleeps, and its end says that the other process has ended.
 *
 * <p>{@link #isReady}, {@link #sleep} and {@link #awake} need no lock.
 */
final class SharedConnection implements Connection {

    private static final System.Logger LOG = System.getLogger(SharedConnection.class.getName());

    /** How much is taken before others have their turn. */
    private static final int MOST_AT_ONCE_BYTES = 1 << 18;

    private final SocketChannel bell;
    private final int peer;
    private final SharedRing in;
    private final SharedRing out;
    private final FrameStream frames;
    private boolean flushing;
    private volatile boolean waitsForRoom;

    /** Frames to and from a peer. */
    SharedConnection(
            SocketChannel bell, int peer, Carrier.Events events, SharedRing in, SharedRing out) {
        this.bell = bell;
        this.peer = peer;
        this.in = in;
        this.out = out;
        this.frames = new FrameStream(peer, events);
    }

    /** The other side's rank. */
    int peer() {
        return peer;
    }

    @Override
    public void send(Frame frame, ByteBuffer shared) throws IOException {
        frames.add(frame);
        if (!waitsForRoom && !flushing) { // a frame that is out may bring the next one here
            boolean _ = flush();
        }
    }

    @Override
    public void flush(ByteBuffer shared) throws IOException {
        boolean _ = flush();
    }

    private boolean flush() throws IOException {
        boolean any = false;
        flushing = true;
        try {
            while (frames.queued() > 0) {
                ByteBuffer room = out.room();
                if (!room.hasRemaining()) {
                    break;
                }
                frames.fill(room);
                if (out.wrote(room.position())) {
                    ring();
                }
                frames.advance(room.position());
                any = true;
            }
        } finally {
            flushing = false;
            waitsForRoom = frames.queued() > 0;
        }
        return any;
    }

    /** Wakes the other side. When the socket takes nothing, there are enough such bytes in it. */
    private void ring() {
        try {
            int _ = bell.write(ByteBuffer.allocate(1));
        } catch (IOException gone) {
            // What it wrote before its end is taken first: read() tells of the end.
            LOG.log(Level.TRACE, "the other process has ended, and is not woken", gone);
        }
    }

    /**
     * Takes what has come, and goes on with what waits for room.
     *
     * @return whether there was anything to do
     */
    boolean turn() throws IOException {
        int taken = 0;
        ByteBuffer part = in.bytes();
        while (part.hasRemaining()) {
            int bytes = part.remaining();
            frames.take(part);
            if (in.hasRead(bytes)) {
                ring();
            }
            taken += bytes;
            part = taken < MOST_AT_ONCE_BYTES ? in.bytes() : part;
        }
        return (waitsForRoom && flush()) || taken > 0;
    }

    @Override
    public boolean wantsWrite() {
        return waitsForRoom;
    }

    @Override
    public boolean read(ByteBuffer shared) throws IOException {
        boolean open = isOpen(shared);
        boolean more = !open;
        while (more) { // what it wrote before its end
            more = turn();
        }
        return open;
    }

    private boolean isOpen(ByteBuffer shared) {
        try {
            return bell.read(shared.clear()) >= 0;
        } catch (IOException reset) {
            LOG.log(Level.TRACE, "the other process has ended", reset);
            return false;
        }
    }

    @Override
    public boolean isLongBodyArriving() {
        return false;
    }

    @Override
    public long gatherNs(long nowNs) {
        return 0;
    }

    @Override
    public boolean isIdle() {
        return frames.queued() == 0;
    }

    /** Whether {@link #turn} has something to do. */
    boolean isReady() {
        return in.hasBytes() || (waitsForRoom && out.hasRoom());
    }

    /**
     * Asks the other side to ring.
     *
     * @return false when there is something to do now
     */
    boolean sleep() {
        in.sleep(true);
        if (waitsForRoom) {
            out.sleep(false);
        }
        return !isReady();
    }

    void awake() {
        in.awake(true);
        out.awake(false);
    }
}
