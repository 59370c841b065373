package org.madcast.client.file;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pipe of pieces between two threads, one on each end: the broadcasting thread and the
 * one that reads or writes files. All memory that a transfer takes is here. Either end may {@link
 * #close()} it, after which no more can be put and, once what is in it was taken, taken: both get a
 * {@link CancellationException}.
 */
final class PiecePipe {

    /** What a piece holds of the stream, at most. */
    static final int PIECE_BYTES = 1 << 20;

    /** Behind a piece stands the length of the next one. */
    static final int TRAILER_BYTES = Integer.BYTES;

    /** A piece of the stream. It belongs to the thread that took it until it is put or recycled. */
    static final class Piece {
        final byte[] bytes = new byte[PIECE_BYTES + TRAILER_BYTES];
        int length;

        /** Writes the length of the next piece behind this one; 0 says that no more comes. */
        void announce(int nextLength) {
            ByteBuffer.wrap(bytes).putInt(length, nextLength);
        }
    }

    private final int most;
    private final Deque<Piece> free = new ArrayDeque<>();
    private final Deque<Object> filled = new ArrayDeque<>();
    private int made;
    private boolean closed;

    /** A pipe with this capacity. */
    PiecePipe(long memoryBytes) {
        // Half of it, since channels copy through memory of their own.
        most = Math.clamp(memoryBytes / 2 / PIECE_BYTES, 2, 1024);
    }

    /** Takes an empty piece, as soon as there is one. */
    synchronized Piece takeFree() throws InterruptedException {
        while (free.isEmpty() && made == most && !closed) {
            wait();
        }
        requireOpen();
        Piece piece = free.pollLast();
        if (piece == null) {
            made++;
            piece = new Piece();
        }
        piece.length = 0;
        return piece;
    }

    /** Hands on a filled piece. */
    synchronized void put(Piece piece) {
        filled.addLast(piece);
        notifyAll();
    }

    /** Says that a section of the stream ends here. */
    synchronized void endSection() {
        filled.addLast(this);
        notifyAll();
    }

    /** Takes a filled piece as soon as there is one; null at the end of a section. */
    synchronized @Nullable Piece take() throws InterruptedException {
        while (filled.isEmpty() && !closed) {
            wait();
        }
        if (filled.isEmpty()) {
            requireOpen();
        }
        return filled.removeFirst() instanceof Piece piece ? piece : null;
    }

    /** Gives an empty piece back. */
    synchronized void recycle(Piece piece) {
        free.addLast(piece);
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void requireOpen() {
        if (closed) {
            throw new CancellationException("the transfer was given up");
        }
    }
}
