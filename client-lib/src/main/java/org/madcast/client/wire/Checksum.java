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

    /** Computes the checksum of a whole datagram and writes it into its header. */
    public void seal(MemorySegment datagram) {
        DatagramLayout.putChecksum(datagram, compute(datagram));
    }

    boolean matches(MemorySegment datagram) {
        return compute(datagram) == DatagramLayout.checksum(datagram);
    }

    private int compute(MemorySegment datagram) {
        ByteBuffer bytes = datagram.asByteBuffer();
        crc.reset();
        crc.update(bytes.limit(DatagramLayout.CHECKSUM_OFFSET));
        crc.update(bytes.limit(bytes.capacity()).position(DatagramLayout.TOKEN_OFFSET));
        return (int) crc.getValue();
    }
}
