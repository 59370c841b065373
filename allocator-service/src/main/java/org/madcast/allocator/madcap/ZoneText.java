package org.madcast.allocator.madcap;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.regex.Pattern;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Octets;

/**
 * The first and the last address of a scope's range, as text such as {@code 239.192.0.0/14}, {@code
 * 239.1.0.0-239.1.9.255} or {@code ff18::8000:0/97}.
 */
record ZoneText(NetAddress first, NetAddress last) {

    private static final Pattern DASH = Pattern.compile("\\s*-\\s*");

    /**
     * Reads a range.
     *
     * @throws IllegalArgumentException when it is none
     */
    static ZoneText parse(String text) {
        int slash = text.indexOf('/');
        if (slash >= 0) {
            return prefix(text.substring(0, slash), Integer.parseInt(text.substring(slash + 1)));
        }
        String[] ends = DASH.split(text, 2);
        return new ZoneText(NetAddress.parse(ends[0]), NetAddress.parse(ends[ends.length - 1]));
    }

    /** How many addresses there are. */
    BigInteger size() {
        return number(last).subtract(number(first)).add(BigInteger.ONE);
    }

    private static ZoneText prefix(String address, int bits) {
        NetAddress first = NetAddress.of(InetAddress.ofLiteral(address));
        byte[] bytes = first.octets().toByteArray();
        for (int bit = bits; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] |= (byte) (0x80 >> bit % 8);
        }
        return new ZoneText(first, new NetAddress(first.family(), Octets.of(bytes)));
    }

    /** Whether the server's own address, the last but one, is surely never leased. */
    boolean keepsServerAddress() {
        // The pools keep the top /24 of IPv4 ranges of two /24 and more, and the top group ids of
        // IPv6.
        return first.family().equals(AddressFamily.IPV4)
                ? size().compareTo(BigInteger.valueOf(512)) >= 0
                : last.octets().at(12) == 0xff && size().bitLength() > 24;
    }

    private static BigInteger number(NetAddress address) {
        return new BigInteger(1, address.octets().toByteArray());
    }
}
