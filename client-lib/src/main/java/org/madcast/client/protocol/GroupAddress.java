package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.madcast.client.wire.DatagramLayout;

/**
 * A multicast group as REGROUP carries it: five 32-bit numbers, of which the first has the length
 * of the address in bytes, who chose it (a code that means nothing here) and the port, and the
 * others the address, right-aligned.
 *
 * @param port 1 to 65535
 * @param origin 0 to 255
 * @param addressBytes 4 or 16
 * @param high the upper 64 bits of an IPv6 address, else 0
 * @param low the lower ones, or an IPv4 address
 */
public record GroupAddress(int port, int origin, int addressBytes, long high, long low) {

    /** How many numbers {@link #write} needs. */
    static final int PAYLOAD_INTS = 5;

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int IPV6_MULTICAST = 0xff;
    private static final int IPV4_MULTICAST = 0xe;
    private static final long LOW_INT = 0xffff_ffffL;

    /** Refuses what is no group. */
    public GroupAddress {
        boolean ipv4 = addressBytes == IPV4_BYTES && high == 0 && low >>> 28 == IPV4_MULTICAST;
        boolean ipv6 = addressBytes == IPV6_BYTES && high >>> 56 == IPV6_MULTICAST;
        if ((!ipv4 && !ipv6) || port < 1 || port > 65_535 || origin < 0 || origin > 255) {
            throw new IllegalArgumentException(
                    "no multicast group: "
                            + addressBytes
                            + " bytes, "
                            + Long.toHexString(high)
                            + " "
                            + Long.toHexString(low)
                            + ", port "
                            + port
                            + ", origin "
                            + origin);
        }
    }

    /** The group with this address and port. */
    public static GroupAddress of(byte[] address, int port, int origin) {
        ByteBuffer full = ByteBuffer.allocate(IPV6_BYTES);
        full.put(IPV6_BYTES - address.length, address);
        return new GroupAddress(
                port, origin, address.length, full.getLong(0), full.getLong(Long.BYTES));
    }

    /** The address, 4 or 16 bytes. */
    public byte[] address() {
        byte[] full = ByteBuffer.allocate(IPV6_BYTES).putLong(high).putLong(low).array();
        byte[] address = new byte[addressBytes];
        System.arraycopy(full, IPV6_BYTES - addressBytes, address, 0, addressBytes);
        return address;
    }

    /** Writes into a datagram's payload, from a number on. */
    void write(MemorySegment datagram, int index) {
        DatagramLayout.putPayloadInt(datagram, index, addressBytes << 24 | origin << 16 | port);
        DatagramLayout.putPayloadInt(datagram, index + 1, (int) (high >>> 32));
        DatagramLayout.putPayloadInt(datagram, index + 2, (int) high);
        DatagramLayout.putPayloadInt(datagram, index + 3, (int) (low >>> 32));
        DatagramLayout.putPayloadInt(datagram, index + 4, (int) low);
    }

    /** Reads what {@link #write} wrote; null when it is no group. */
    static @Nullable GroupAddress read(MemorySegment datagram, int index) {
        int first = DatagramLayout.payloadInt(datagram, index);
        try {
            return new GroupAddress(
                    first & 0xffff,
                    first >>> 16 & 0xff,
                    first >>> 24,
                    readLong(datagram, index + 1),
                    readLong(datagram, index + 3));
        } catch (IllegalArgumentException noGroup) {
            return null;
        }
    }

    private static long readLong(MemorySegment datagram, int index) {
        return ((long) DatagramLayout.payloadInt(datagram, index) << 32)
                | (DatagramLayout.payloadInt(datagram, index + 1) & LOW_INT);
    }
}
