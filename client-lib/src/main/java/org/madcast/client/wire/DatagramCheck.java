package org.madcast.client.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a datagram off the network may be believed. Never throws, whatever the bytes are.
 * Not thread-safe.
 */
public final class DatagramCheck {

    private final long token;
    private final int rank;
    private final int size;
    private final int maxDatagramBytes;
    private final boolean withChecksum;
    private final Checksum checksum;

    /** For the datagrams that {@code rank} of {@code size} receives. */
    public DatagramCheck(
            long token,
            int rank,
            int size,
            int maxDatagramBytes,
            boolean withChecksum,
            Checksum checksum) {
        this.token = token;
        this.rank = rank;
        this.size = size;
        this.maxDatagramBytes = maxDatagramBytes;
        this.withChecksum = withChecksum;
        this.checksum = checksum;
    }

    /** The reason not to believe the datagram, or null when its header is sound. */
    public @Nullable Rejection reject(MemorySegment datagram) {
        long bytes = datagram.byteSize();
        if (bytes < DatagramLayout.HEADER_BYTES || bytes > maxDatagramBytes) {
            return Rejection.BAD_LENGTH;
        }
        if (DatagramLayout.version(datagram) != DatagramLayout.VERSION) {
            return Rejection.BAD_VERSION;
        }
        if (DatagramLayout.token(datagram) != token) {
            return Rejection.FOREIGN;
        }
        if (withChecksum && !checksum.matches(datagram)) {
            return Rejection.BAD_CHECKSUM;
        }
        if (!DatagramType.isKnown(DatagramLayout.typeCode(datagram))) {
            return Rejection.BAD_TYPE;
        }
        int sender = DatagramLayout.sender(datagram);
        if (sender == rank) {
            return Rejection.OWN_ECHO;
        }
        if (sender >= size || DatagramLayout.root(datagram) >= size) {
            return Rejection.BAD_SENDER;
        }
        return null;
    }
}
