package org.madcast.allocator.scope;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * IPv6 addresses as text and as a prefix of 96 bits with a group identifier of 32 bits, which is
 * what Ethernet keeps of them (RFC 2464, section 7). No name is ever looked up.
 */
public final class Ipv6 {

    private static final int HEXTETS = 8;
    private static final long LOW = 0xffff_ffffL;

    private Ipv6() {}

    /**
     * The high 96 bits of an address.
     *
     * @param high the first 64 bits
     * @param middle the 32 bits behind them
     */
    public record Prefix(long high, int middle) {

        /** Whether these are bits of multicast addresses: ff00::/8. */
        boolean isMulticast() {
            return high >>> 56 == 0xff;
        }

        /** The flags of a multicast address (RFC 4291, 2.7; RFC 3306). */
        int flags() {
            return (int) (high >>> 52) & 0xf;
        }

        /** The scope of a multicast address (RFC 7346). */
        int scope() {
            return (int) (high >>> 48) & 0xf;
        }
    }

    /**
     * An address in two parts.
     *
     * @param prefix its high 96 bits
     * @param group its low 32 bits, unsigned
     */
    public record Address(Prefix prefix, long group) {}

    /**
     * Reads an address such as {@code ff18::8000:1}.
     *
     * @throws IllegalArgumentException naming the text when it is something else
     */
    public static Address parse(String text) {
        if (text.indexOf(':') < 0 || text.indexOf('%') >= 0) {
            throw new IllegalArgumentException("no IPv6 address: " + text);
        }
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("no IPv6 address: " + text, malformed);
        }
        if (!(address instanceof Inet6Address)) {
            throw new IllegalArgumentException("no IPv6 address: " + text);
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return new Address(new Prefix(bytes.getLong(), bytes.getInt()), bytes.getInt() & LOW);
    }

    /**
     * Writes an address as RFC 5952 wants it: lower case, the longest run of zeros as {@code ::}.
     */
    public static String format(Prefix prefix, long group) {
        int[] hextets = new int[HEXTETS];
        for (int i = 0; i < 4; i++) {
            hextets[i] = (int) (prefix.high() >>> (48 - 16 * i)) & 0xffff;
        }
        hextets[4] = prefix.middle() >>> 16;
        hextets[5] = prefix.middle() & 0xffff;
        hextets[6] = (int) (group >>> 16) & 0xffff;
        hextets[7] = (int) group & 0xffff;
        return format(hextets);
    }

    private static String format(int[] hextets) {
        int bestAt = -1;
        int bestLength = 1;
        for (int i = 0; i < HEXTETS; i++) {
            int length = 0;
            while (i + length < HEXTETS && hextets[i + length] == 0) {
                length++;
            }
            if (length > bestLength) {
                bestAt = i;
                bestLength = length;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < HEXTETS; i++) {
            if (i == bestAt) {
                text.append("::");
                i += bestLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(hextets[i]));
        }
        return text.toString();
    }
}
