package org.madcast.client.wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C over a datagram without its checksum field. It finds damage, not forgery. Not
 * thread-safe: one for each engine.
 */
public final class Checksum {

    private final CRC32C crc = new CRC32C();
    private final boolean used;

    /** Computes checksums. */
    public Checksum() {
        this(true);
    }

    /** When checksums are not used, {@link #seal} writes 0 and computes nothing. */
    public Checksum(boolean used) {
        this.used = used;
    }

    /** Computes the checksum of a whole datagram and writes it into its header. */
    public void seal(MemorySegment datagram) {
        DatagramLayout.putChecksum(datagram, compute(datagram));
    }

    /**
     * As {@link #seal(MemorySegment)} for a datagram in larger memory, without making a view of it.
     *
     * @param memory the larger memory as a buffer, whose position and limit are changed
     * @param at where in it the datagram begins
     * @param datagram the same datagram
     */
    public void seal(ByteBuffer memory, int at, MemorySegment datagram) {
        int end = at + (int) datagram.byteSize();
        DatagramLayout.putChecksum(datagram, used ? compute(memory, at, end) : 0);
    }

    private int compute(MemorySegment datagram) {
        return !used ? 0 : compute(datagram.asByteBuffer(), 0, (int) datagram.byteSize());
    }

    /** Of the bytes from start to end, whatever the buffer's position and limit, which change. */
    int compute(ByteBuffer bytes, int start, int end) {
        crc.reset();
        bytes.clear();
        crc.update(bytes.limit(start + DatagramLayout.CHECKSUM_OFFSET).position(start));
        crc.update(bytes.limit(end).position(start + DatagramLayout.TOKEN_OFFSET));
        return (int) crc.getValue();
    }
}
