package org.madcast.client.wire;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether a datagram off the network is accepted. Never throws, whatever the bytes are. Not
 * thread-safe.
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

    /** The reason to reject the datagram, or null when its header is valid. */
    public @Nullable Rejection reject(Datagram datagram) {
        int bytes = datagram.byteSize();
        if (bytes < DatagramLayout.HEADER_BYTES || bytes > maxDatagramBytes) {
            return Rejection.BAD_LENGTH;
        }
        if (datagram.version() != DatagramLayout.VERSION) {
            return Rejection.BAD_VERSION;
        }
        if (datagram.token() != token) {
            return Rejection.FOREIGN;
        }
        if (withChecksum && !datagram.matches(checksum)) {
            return Rejection.BAD_CHECKSUM;
        }
        if (!DatagramType.isKnown(datagram.typeCode())) {
            return Rejection.BAD_TYPE;
        }
        int sender = datagram.sender();
        if (sender == rank) {
            return Rejection.OWN_ECHO;
        }
        if (sender >= size || datagram.root() >= size) {
            return Rejection.BAD_SENDER;
        }
        return null;
    }
}
