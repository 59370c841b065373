package org.madcast.allocator.scope;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a scope that may be granted, numbered from 0. Immutable. Addresses are unsigned
 * numbers of 32 bits: whole IPv4 addresses, or the group identifiers of IPv6 addresses that have
 * all else in common.
 *
 * <p>Left out of IPv6 ranges: group identifiers from 0xff000000 on, and, unless unscoped ones are
 * meant, those below 0x80000000, which are assigned (RFC 3307).
 *
 * <p>Left out of IPv4 ranges: the top /24 of each range of at least two /24, which RFC 2365
 * (section 9) keeps for scope-relative protocols; whatever shares an Ethernet address with
 * 224.0.0/24 or 224.0.1/24, that is x.0.0.y, x.128.0.y, x.0.1.y and x.128.1.y, since switches flood
 * the former and infrastructure listens to both; and what the scope excludes itself.
 */
public final class AddressPool {

    private static final PoolRange MULTICAST = PoolRange.parse("224.0.0.0/4");
    private static final List<PoolRange> SCOPED =
            List.of(PoolRange.parse("239.192.0.0/14"), PoolRange.parse("239.255.0.0/16"));
    private static final List<PoolRange> NEVER =
            List.of(
                    PoolRange.parse("224.0.0.0/16"), // local and internetwork control, AD-HOC I
                    PoolRange.parse("224.2.0.0/16"), // SDP/SAP
                    PoolRange.parse("232.0.0.0/8")); // source-specific
    private static final long IPV6_KEYS = 1L << 32;
    private static final long TOP_SIZE = 256;
    private static final long ALIAS_PERIOD = 1L << 23;
    private static final long ALIAS_SIZE = 512;

    private final long[] firsts;
    private final long[] numbers;
    private final long size;
    private final Ipv6.@Nullable Prefix prefix;

    private AddressPool(List<PoolRange> parts) {
        prefix = parts.getFirst().prefix();
        firsts = new long[parts.size()];
        numbers = new long[parts.size()];
        long count = 0;
        for (int i = 0; i < parts.size(); i++) {
            firsts[i] = parts.get(i).first();
            numbers[i] = count;
            count += parts.get(i).size();
        }
        size = count;
    }

    /**
     * The pool of some ranges.
     *
     * @param ranges what to grant from
     * @param excluded what not to grant in them
     * @param allowUnscoped whether ranges outside of 239.192.0.0/14 and 239.255.0.0/16 are meant
     * @throws IllegalArgumentException when a range may not be granted from, or nothing is left
     */
    public static AddressPool of(
            List<PoolRange> ranges, List<PoolRange> excluded, boolean allowUnscoped) {
        List<PoolRange> parts = new ArrayList<>();
        for (PoolRange range : ranges) {
            if (!Objects.equals(range.prefix(), ranges.getFirst().prefix())) {
                throw new IllegalArgumentException(
                        "all ranges of a scope are IPv4, or IPv6 with the same first 96 bits: "
                                + ranges);
            }
            if (range.prefix() == null) {
                requireGrantable(range, allowUnscoped);
                parts.addAll(minus(List.of(range), reservedIn(range)));
            } else {
                Ipv6Pools.requireGrantable(range.prefix(), range, allowUnscoped);
                parts.addAll(
                        minus(List.of(range), Ipv6Pools.reserved(range.prefix(), allowUnscoped)));
            }
        }
        List<PoolRange> left = minus(merged(parts), excluded);
        if (left.isEmpty()) {
            throw new IllegalArgumentException("no address is left in " + ranges);
        }
        return new AddressPool(left);
    }

    /** How many addresses there are. */
    public long size() {
        return size;
    }

    /** The address with this number, 0 to {@link #size} - 1. */
    public long addressAt(long number) {
        if (number < 0 || number >= size) {
            throw new IndexOutOfBoundsException(number + " of " + size + " addresses");
        }
        int low = 0;
        int high = numbers.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (numbers[middle] <= number) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return firsts[low] + (number - numbers[low]);
    }

    /** The address with this number as text. */
    public String textAt(long number) {
        long address = addressAt(number);
        return prefix == null ? Ipv4.format(address) : Ipv6.format(prefix, address);
    }

    /** What an address of this pool has in common with those that share its Ethernet address. */
    public long ethernetKey(long address) {
        return prefix == null ? Ipv4.ethernetKey(address) : IPV6_KEYS + address;
    }

    /** The same of any address, as text. */
    public static long ethernetKey(String address) {
        return address.indexOf(':') < 0
                ? Ipv4.ethernetKey(Ipv4.parse(address))
                : IPV6_KEYS + Ipv6.parse(address).group();
    }

    /** The number of the lowest address that is not below this one, {@link #size} if none is. */
    public long numberFrom(long address) {
        int at = Arrays.binarySearch(firsts, address);
        if (at >= 0) {
            return numbers[at];
        }
        int before = -at - 2;
        if (before < 0) {
            return 0;
        }
        return Math.min(numbers[before] + (address - firsts[before]), endOf(before));
    }

    /** An address of this pool as this pool writes it. */
    public String textOf(String text) {
        return textAt(numberOf(text).orElseThrow());
    }

    /** The number of this address; empty if it is not of this pool. */
    public OptionalLong numberOf(String text) {
        PoolRange one = PoolRange.parse(text);
        if (one.size() != 1 || !Objects.equals(one.prefix(), prefix)) {
            return OptionalLong.empty();
        }
        long number = numberFrom(one.first());
        return number < size && addressAt(number) == one.first()
                ? OptionalLong.of(number)
                : OptionalLong.empty();
    }

    private long endOf(int part) {
        return part + 1 < numbers.length ? numbers[part + 1] : size;
    }

    private static void requireGrantable(PoolRange range, boolean allowUnscoped) {
        if (!MULTICAST.contains(range)) {
            throw new IllegalArgumentException(range + " is not multicast (224.0.0.0/4)");
        }
        if (NEVER.stream().anyMatch(it -> it.overlaps(range))) {
            throw new IllegalArgumentException(range + " overlaps what RFC 5771 assigns: " + NEVER);
        }
        if (!allowUnscoped && SCOPED.stream().noneMatch(it -> it.contains(range))) {
            throw new IllegalArgumentException(
                    range + " is not administratively scoped; set allow_unscoped if it is meant");
        }
    }

    private static List<PoolRange> reservedIn(PoolRange range) {
        List<PoolRange> reserved = new ArrayList<>();
        if (range.size() >= 2 * TOP_SIZE) {
            reserved.add(new PoolRange(range.last() - TOP_SIZE + 1, range.last()));
        }
        long block = range.first() - range.first() % ALIAS_PERIOD;
        for (; block <= range.last(); block += ALIAS_PERIOD) {
            reserved.add(new PoolRange(block, block + ALIAS_SIZE - 1));
        }
        return reserved;
    }

    private static List<PoolRange> merged(List<PoolRange> parts) {
        List<PoolRange> sorted = new ArrayList<>(parts);
        Collections.sort(sorted);
        List<PoolRange> merged = new ArrayList<>();
        for (PoolRange next : sorted) {
            if (!merged.isEmpty() && merged.getLast().last() >= next.first() - 1) {
                PoolRange before = merged.removeLast();
                merged.add(
                        new PoolRange(
                                before.prefix(),
                                before.first(),
                                Math.max(before.last(), next.last())));
            } else {
                merged.add(next);
            }
        }
        return merged;
    }

    private static List<PoolRange> minus(List<PoolRange> from, List<PoolRange> holes) {
        List<PoolRange> left = from;
        for (PoolRange hole : holes) {
            List<PoolRange> next = new ArrayList<>();
            for (PoolRange part : left) {
                if (!part.overlaps(hole)) {
                    next.add(part);
                    continue;
                }
                if (part.first() < hole.first()) {
                    next.add(new PoolRange(part.prefix(), part.first(), hole.first() - 1));
                }
                if (part.last() > hole.last()) {
                    next.add(new PoolRange(part.prefix(), hole.last() + 1, part.last()));
                }
            }
            left = next;
        }
        return left;
    }
}
