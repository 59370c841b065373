package org.madcast.allocator.scope;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Consecutive IPv4 addresses, as unsigned numbers.
 *
 * @param first the lowest address
 * @param last the highest address, not below the first
 */
public record AddressRange(long first, long last) implements Comparable<AddressRange> {

    private static final long ADDRESSES = 1L << 32;
    private static final Pattern PREFIX =
            Pattern.compile("(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})/(\\d{1,2})");
    private static final Pattern DASHED =
            Pattern.compile("(\\d[\\d.]{6,14})\\s*-\\s*(\\d[\\d.]{6,14})");

    /** Refuses numbers that are no addresses, or that are the wrong way round. */
    public AddressRange {
        if (first < 0 || last < first || last >= ADDRESSES) {
            throw new IllegalArgumentException("no address range: " + first + " to " + last);
        }
    }

    /**
     * Reads {@code 239.192.0.0/14}, {@code 239.1.0.0-239.1.0.9} or a single address.
     *
     * @throws IllegalArgumentException naming the text when it is none of these
     */
    public static AddressRange parse(String text) {
        Matcher prefix = PREFIX.matcher(text);
        if (prefix.matches()) {
            int bits = Integer.parseInt(prefix.group(2));
            long first = Ipv4.parse(prefix.group(1));
            long count = bits > 32 ? 0 : 1L << (32 - bits);
            if (count == 0 || first % count != 0) {
                throw new IllegalArgumentException("not a network: " + text);
            }
            return new AddressRange(first, first + count - 1);
        }
        Matcher dashed = DASHED.matcher(text);
        if (dashed.matches()) {
            return new AddressRange(Ipv4.parse(dashed.group(1)), Ipv4.parse(dashed.group(2)));
        }
        long only = Ipv4.parse(text);
        return new AddressRange(only, only);
    }

    /** How many addresses. */
    public long size() {
        return last - first + 1;
    }

    /** Whether every address of the other one is in this one. */
    public boolean contains(AddressRange other) {
        return first <= other.first && other.last <= last;
    }

    /** Whether they have an address in common. */
    public boolean overlaps(AddressRange other) {
        return first <= other.last && other.first <= last;
    }

    @Override
    public int compareTo(AddressRange other) {
        int byFirst = Long.compare(first, other.first);
        return byFirst != 0 ? byFirst : Long.compare(last, other.last);
    }

    @Override
    public String toString() {
        return first == last ? Ipv4.format(first) : Ipv4.format(first) + "-" + Ipv4.format(last);
    }
}
