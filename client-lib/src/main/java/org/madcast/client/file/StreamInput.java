package org.madcast.client.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.madcast.client.file.PiecePipe.Piece;

/** Reads the stream of one batch out of pieces: {@link StreamOutput}. For one thread. */
final class StreamInput {

    private final PiecePipe pipe;
    private @Nullable Piece piece;
    private int at;

    /** Whether the end of the batch came within a file: what follows is of the next one. */
    private boolean endTaken;

    StreamInput(PiecePipe pipe) {
        this.pipe = pipe;
    }

    /** What a file's records say; {@link #data} may be called many times for one record. */
    interface Records {

        /** Bytes of the file; the array belongs to the caller. */
        void data(byte[] bytes, int offset, int length);

        /** So many zeros. */
        void hole(long length);
    }

    /** How a file's records end. */
    sealed interface Ending {}

    /** The file is complete, and this is its digest. */
    record Complete(Digest digest) implements Ending {}

    /** The sender could not read on. */
    record Broken(String reason) implements Ending {}

    /** Reads the records of one file. */
    Ending file(Records records) throws ProtocolException, InterruptedException {
        while (true) {
            byte type = bytes(1)[0];
            switch (type) {
                case StreamOutput.DATA -> data(number(Integer.BYTES).getInt(), records);
                case StreamOutput.HOLE -> hole(number(Long.BYTES).getLong(), records);
                case StreamOutput.END -> {
                    return new Complete(Digest.ofBytes(bytes(Digest.BYTES)));
                }
                case StreamOutput.FAILED -> {
                    int length = number(Short.BYTES).getShort() & 0xffff;
                    return new Broken(new String(bytes(length), StandardCharsets.UTF_8));
                }
                default -> throw new ProtocolException("record of type " + type);
            }
        }
    }

    private static void hole(long length, Records records) throws ProtocolException {
        if (length <= 0) {
            throw new ProtocolException("hole of " + length + " bytes");
        }
        records.hole(length);
    }

    private void data(int length, Records records) throws ProtocolException, InterruptedException {
        if (length < 0) {
            throw new ProtocolException("data of " + length + " bytes");
        }
        for (int left = length; left > 0; ) {
            Piece from = available();
            int count = Math.min(left, from.length - at);
            records.data(from.bytes, at, count);
            at += count;
            left -= count;
        }
    }

    private ByteBuffer number(int length) throws ProtocolException, InterruptedException {
        return ByteBuffer.wrap(bytes(length));
    }

    private byte[] bytes(int length) throws ProtocolException, InterruptedException {
        byte[] copy = new byte[length];
        for (int done = 0; done < length; ) {
            Piece from = available();
            int count = Math.min(length - done, from.length - at);
            System.arraycopy(from.bytes, at, copy, done, count);
            at += count;
            done += count;
        }
        return copy;
    }

    /** A piece with at least one byte left. */
    private Piece available() throws ProtocolException, InterruptedException {
        Piece current = piece;
        while (current == null || at == current.length) {
            if (current != null) {
                pipe.recycle(current);
                piece = null;
            }
            at = 0;
            current = pipe.take();
            piece = current;
            if (current == null) {
                endTaken = true;
                throw new ProtocolException("the stream ends within a file");
            }
        }
        return current;
    }

    /** Throws away what is left of the batch. */
    void endBatch() throws InterruptedException {
        Piece current = piece;
        while (!endTaken) {
            if (current != null) {
                pipe.recycle(current);
            }
            current = pipe.take();
            endTaken = current == null;
        }
        endTaken = false;
        piece = null;
        at = 0;
    }
}
