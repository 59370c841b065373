package org.madcast.allocator.scope;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive addresses, as unsigned numbers of 32 bits: IPv4 addresses, or the low bits of IPv6
 * addresses that have their other bits in common.
 *
 * @param prefix the high 96 bits of IPv6 addresses, null for IPv4
 * @param first the lowest address
 * @param last the highest address, not below the first
 */
public record PoolRange(Ipv6.@Nullable Prefix prefix, long first, long last)
        implements Comparable<PoolRange> {

    private static final long ADDRESSES = 1L << 32;
    private static final Pattern PREFIX =
            Pattern.compile("(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})/(\\d{1,2})");
    private static final Pattern PREFIX_LENGTH = Pattern.compile("9[6-9]|1[01]\\d|12[0-8]");
    private static final Pattern DASHED =
            Pattern.compile("(\\d[\\d.]{6,14})\\s*-\\s*(\\d[\\d.]{6,14})");

    /** Refuses numbers that are no addresses, or that are the wrong way round. */
    public PoolRange {
        if (first < 0 || last < first || last >= ADDRESSES) {
            throw new IllegalArgumentException("not an address range: " + first + " to " + last);
        }
    }

    /** A range of IPv4 addresses. */
    public PoolRange(long first, long last) {
        this(null, first, last);
    }

    /**
     * Reads {@code 239.192.0.0/14}, {@code 239.1.0.0-239.1.0.9} or a single address, and likewise
     * {@code ff18::8000:0/97} and {@code ff18::8000:0-ff18::8000:ffff}.
     *
     * @throws IllegalArgumentException naming the text when it is none of these
     */
    public static PoolRange parse(String text) {
        if (text.indexOf(':') >= 0) {
            return parse6(text);
        }
        Matcher prefix = PREFIX.matcher(text);
        if (prefix.matches()) {
            int bits = Integer.parseInt(prefix.group(2));
            long first = Ipv4.parse(prefix.group(1));
            long count = bits > 32 ? 0 : 1L << (32 - bits);
            if (count == 0 || first % count != 0) {
                throw new IllegalArgumentException("not a network: " + text);
            }
            return new PoolRange(first, first + count - 1);
        }
        Matcher dashed = DASHED.matcher(text);
        if (dashed.matches()) {
            return new PoolRange(Ipv4.parse(dashed.group(1)), Ipv4.parse(dashed.group(2)));
        }
        long only = Ipv4.parse(text);
        return new PoolRange(only, only);
    }

    private static PoolRange parse6(String text) {
        int slash = text.indexOf('/');
        int dash = text.indexOf('-');
        if (slash < 0 && dash < 0) {
            Ipv6.Address only = Ipv6.parse(text);
            return new PoolRange(only.prefix(), only.group(), only.group());
        }
        if (dash >= 0) {
            Ipv6.Address from = Ipv6.parse(text.substring(0, dash).strip());
            Ipv6.Address to = Ipv6.parse(text.substring(dash + 1).strip());
            if (!from.prefix().equals(to.prefix())) {
                throw new IllegalArgumentException(
                        "the ends of " + text + " differ in their first 96 bits");
            }
            return new PoolRange(from.prefix(), from.group(), to.group());
        }
        Ipv6.Address network = Ipv6.parse(text.substring(0, slash));
        if (!PREFIX_LENGTH.matcher(text.substring(slash + 1)).matches()) {
            throw new IllegalArgumentException("not a network of /96 to /128: " + text);
        }
        long count = 1L << (128 - Integer.parseInt(text.substring(slash + 1)));
        if (network.group() % count != 0) {
            throw new IllegalArgumentException("not a network: " + text);
        }
        return new PoolRange(network.prefix(), network.group(), network.group() + count - 1);
    }

    /** How many addresses. */
    public long size() {
        return last - first + 1;
    }

    /** Whether every address of the other one is in this one. */
    public boolean contains(PoolRange other) {
        return Objects.equals(prefix, other.prefix) && first <= other.first && other.last <= last;
    }

    /** Whether they have an address in common. */
    public boolean overlaps(PoolRange other) {
        return Objects.equals(prefix, other.prefix) && first <= other.last && other.first <= last;
    }

    @Override
    public int compareTo(PoolRange other) {
        int byFirst = Long.compare(first, other.first);
        return byFirst != 0 ? byFirst : Long.compare(last, other.last);
    }

    @Override
    public String toString() {
        return first == last ? text(first) : text(first) + "-" + text(last);
    }

    private String text(long address) {
        return prefix == null ? Ipv4.format(address) : Ipv6.format(prefix, address);
    }
}
