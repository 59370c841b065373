package org.madcast.client.message;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Bytes from one process to another, in order, through memory that both have mapped: a ring with
 * the number of bytes written, which only the writer changes, and of those read, which only the
 * reader does. Who goes to sleep says so in the ring, and is woken by the other side, once.
 *
 * <p>Each side is used by one thread at a time, except {@link #hasBytes} and {@link #hasRoom},
 * which any thread may ask.
 */
final class SharedRing {

    /** What precedes the bytes: four numbers, each in cache lines of its own. */
    static final int HEADER_BYTES = 512;

    /** A ring is filled in this many pieces, each handed over while the next is written. */
    private static final int PIECES = 8;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final long WRITTEN = 0;
    private static final long READ = 128;
    private static final long READER_SLEEPS = 256;
    private static final long WRITER_SLEEPS = 384;

    private final MemorySegment header;
    private final MemorySegment bytes;

    /** This side's own number, which the other side cannot change. */
    private long own;

    /**
     * One side of a new ring.
     *
     * @param memory {@link #HEADER_BYTES}, zero at first, and the ring itself, of a power of two
     */
    SharedRing(MemorySegment memory) {
        header = memory.asSlice(0, HEADER_BYTES);
        bytes = memory.asSlice(HEADER_BYTES);
    }

    private long get(long offset) {
        return (long) LONG.getVolatile(header, offset);
    }

    // --- of the writer ---

    private long room(long written) {
        return bytes.byteSize() - (written - get(READ));
    }

    /** Whether it is worth while for the writer to go on. */
    boolean hasRoom() {
        return room(get(WRITTEN)) >= bytes.byteSize() / 2;
    }

    /**
     * Where the next bytes go, at most a piece; empty when the ring is full.
     *
     * @throws IOException when the reader says that it has read what was not written
     */
    ByteBuffer room() throws IOException {
        return part(own, room(own));
    }

    private ByteBuffer part(long from, long most) throws IOException {
        if (most < 0 || most > bytes.byteSize()) {
            throw new IOException("the shared memory was spoiled");
        }
        long start = from & (bytes.byteSize() - 1);
        long length = Math.min(Math.min(most, bytes.byteSize() / PIECES), bytes.byteSize() - start);
        return bytes.asSlice(start, length).asByteBuffer();
    }

    /**
     * Hands bytes over.
     *
     * @return whether the reader sleeps, and is to be woken
     */
    boolean wrote(int count) {
        own += count;
        LONG.setVolatile(header, WRITTEN, own);
        return takeSleep(READER_SLEEPS);
    }

    // --- of the reader ---

    /** Whether there is something to read. */
    boolean hasBytes() {
        return get(WRITTEN) != get(READ);
    }

    /**
     * The next bytes, at most a piece.
     *
     * @throws IOException when the writer says that it has written more than there is room for
     */
    ByteBuffer bytes() throws IOException {
        return part(own, get(WRITTEN) - own);
    }

    /**
     * Gives room back.
     *
     * @return whether the writer sleeps, can go on, and is to be woken
     */
    boolean hasRead(int count) {
        own += count;
        LONG.setVolatile(header, READ, own);
        return hasRoom() && takeSleep(WRITER_SLEEPS);
    }

    // --- sleep ---

    /** The reader, or the writer, is about to sleep; it looks once more after this. */
    void sleep(boolean reader) {
        INT.setVolatile(header, reader ? READER_SLEEPS : WRITER_SLEEPS, 1);
    }

    void awake(boolean reader) {
        INT.setVolatile(header, reader ? READER_SLEEPS : WRITER_SLEEPS, 0);
    }

    private boolean takeSleep(long offset) {
        return (int) INT.getVolatile(header, offset) != 0
                && (boolean) INT.compareAndSet(header, offset, 1, 0);
    }
}
