package org.madcast.client.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.madcast.client.file.PiecePipe.Piece;

/**
 * Writes the stream of one batch into pieces. The stream is a sequence of records; a file is any
 * number of data and hole records and an end record.
 *
 * <table>
 * <caption>Records; numbers are big-endian</caption>
 * <tr><td>{@link #DATA}</td><td>4 bytes: length</td><td>that many bytes of the file</td></tr>
 * <tr><td>{@link #HOLE}</td><td>8 bytes: length</td><td>that many bytes are zero</td></tr>
 * <tr><td>{@link #END}</td><td>32 bytes: SHA-256 of the whole file</td></tr>
 * <tr><td>{@link #FAILED}</td><td>2 bytes: length</td><td>why, UTF-8</td></tr>
 * </table>
 *
 * For one thread.
 */
final class StreamOutput {

    static final byte DATA = 'D';
    static final byte HOLE = 'H';
    static final byte END = 'E';
    static final byte FAILED = 'F';

    private static final int DATA_HEADER_BYTES = 1 + Integer.BYTES;
    private static final int HOLE_BYTES = 1 + Long.BYTES;
    private static final int HEADERS_BYTES = HOLE_BYTES + DATA_HEADER_BYTES;
    private static final int MAX_REASON_BYTES = 1000;

    /** Zeros are looked for, and holes made, in blocks of this size. */
    private static final int BLOCK_BYTES = 64 << 10;

    /** Rather than shorter reads, a new piece is begun. */
    private static final int SMALLEST_READ_BYTES = 4 << 10;

    private static final byte[] ZEROS = new byte[BLOCK_BYTES];

    private final PiecePipe pipe;
    private @Nullable Piece piece;
    private int dataRecordAt = -1;
    private long holeBytes;

    StreamOutput(PiecePipe pipe) {
        this.pipe = pipe;
    }

    /**
     * Reads bytes of the file into the stream.
     *
     * @throws IOException when the file cannot be read or is shorter; what was read is in the
     *     stream
     */
    void copy(FileChannel file, long bytes, MessageDigest digest)
            throws IOException, InterruptedException {
        for (long left = bytes; left > 0; ) {
            Piece to = pieceWithRoom(HEADERS_BYTES + SMALLEST_READ_BYTES);
            int at = to.length + headersBytes();
            int room = Math.min(PiecePipe.PIECE_BYTES - at, BLOCK_BYTES);
            int count = file.read(ByteBuffer.wrap(to.bytes, at, (int) Math.min(room, left)));
            if (count < 0) {
                throw new IOException("it became shorter while it was read");
            }
            digest.update(to.bytes, at, count);
            if (count == BLOCK_BYTES && isZero(to.bytes, at)) {
                dataRecordAt = -1;
                holeBytes += count;
            } else {
                keep(to, count);
            }
            left -= count;
        }
    }

    private static boolean isZero(byte[] bytes, int at) {
        return bytes[at] == 0 && Arrays.equals(bytes, at, at + BLOCK_BYTES, ZEROS, 0, BLOCK_BYTES);
    }

    /** What must stand before the next byte of data. */
    private int headersBytes() {
        return dataRecordAt >= 0 ? 0 : DATA_HEADER_BYTES + (holeBytes > 0 ? HOLE_BYTES : 0);
    }

    /** Makes what was read behind the space for the headers part of the stream. */
    private void keep(Piece to, int count) {
        if (dataRecordAt < 0) {
            putHole(to);
            dataRecordAt = to.length;
            to.bytes[dataRecordAt] = DATA;
            to.length += DATA_HEADER_BYTES;
        }
        to.length += count;
        ByteBuffer.wrap(to.bytes)
                .putInt(dataRecordAt + 1, to.length - dataRecordAt - DATA_HEADER_BYTES);
    }

    private void putHole(Piece to) {
        if (holeBytes > 0) {
            to.bytes[to.length] = HOLE;
            ByteBuffer.wrap(to.bytes).putLong(to.length + 1, holeBytes);
            to.length += HOLE_BYTES;
            holeBytes = 0;
        }
    }

    /** Ends the file. */
    void end(Digest digest) throws InterruptedException {
        Piece to = pieceWithRoom(HOLE_BYTES + 1 + Digest.BYTES);
        putHole(to);
        to.bytes[to.length++] = END;
        digest.copyTo(to.bytes, to.length);
        to.length += Digest.BYTES;
        dataRecordAt = -1;
    }

    /** Ends a file that cannot be sent to its end. */
    void failed(String reason) throws InterruptedException {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_REASON_BYTES);
        Piece to = pieceWithRoom(HOLE_BYTES + 1 + Short.BYTES + length);
        putHole(to);
        to.bytes[to.length] = FAILED;
        ByteBuffer.wrap(to.bytes).putShort(to.length + 1, (short) length);
        System.arraycopy(text, 0, to.bytes, to.length + 1 + Short.BYTES, length);
        to.length += 1 + Short.BYTES + length;
        dataRecordAt = -1;
    }

    /** Ends the batch. */
    void endBatch() {
        Piece last = piece;
        if (last != null && last.length > 0) {
            pipe.put(last);
        } else if (last != null) {
            pipe.recycle(last);
        }
        piece = null;
        dataRecordAt = -1;
        pipe.endSection();
    }

    private Piece pieceWithRoom(int bytes) throws InterruptedException {
        Piece current = piece;
        if (current != null && PiecePipe.PIECE_BYTES - current.length < bytes) {
            pipe.put(current);
            current = null;
            dataRecordAt = -1;
        }
        if (current == null) {
            current = pipe.takeFree();
            piece = current;
        }
        return current;
    }
}
