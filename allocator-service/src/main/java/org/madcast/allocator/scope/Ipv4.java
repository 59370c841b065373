package org.madcast.allocator.scope;

import java.util.regex.Pattern;

/** IPv4 addresses as text and as unsigned numbers. No name is ever looked up. */
public final class Ipv4 {

    /** The low bits of an IPv4 multicast address that Ethernet keeps (RFC 1112, 6.4). */
    private static final long ETHERNET_BITS = 0x7fffff;

    private static final Pattern DOT = Pattern.compile("\\.");
    private static final Pattern OCTET = Pattern.compile("\\d{1,3}");

    private Ipv4() {}

    /**
     * Reads four decimal octets.
     *
     * @throws IllegalArgumentException naming the text when it is something else
     */
    public static long parse(String text) {
        String[] octets = DOT.split(text, -1);
        if (octets.length != 4) {
            throw new IllegalArgumentException("not an IPv4 address: " + text);
        }
        long number = 0;
        for (String octet : octets) {
            int value = OCTET.matcher(octet).matches() ? Integer.parseInt(octet) : 256;
            if (value > 255) {
                throw new IllegalArgumentException("not an IPv4 address: " + text);
            }
            number = number << 8 | value;
        }
        return number;
    }

    /** Writes four decimal octets. */
    public static String format(long number) {
        return (number >> 24 & 0xff)
                + "."
                + (number >> 16 & 0xff)
                + "."
                + (number >> 8 & 0xff)
                + "."
                + (number & 0xff);
    }

    /** What two addresses have in common exactly when they share an Ethernet address. */
    public static long ethernetKey(long number) {
        return number & ETHERNET_BITS;
    }
}
