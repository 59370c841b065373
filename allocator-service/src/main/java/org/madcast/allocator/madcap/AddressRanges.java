package org.madcast.allocator.madcap;

import java.util.ArrayList;
import java.util.List;
import org.madcast.madcap.AddressRange;
import org.madcast.madcap.NetAddress;

/** Single addresses as the ranges that MADCAP carries, and back. */
final class AddressRanges {

    private static final int MOST_IN_RANGE = 65_535;

    private AddressRanges() {}

    /** As few ranges as there can be, ascending. */
    static List<AddressRange> of(List<String> addresses) {
        List<AddressRange> ranges = new ArrayList<>();
        for (NetAddress address : addresses.stream().map(NetAddress::parse).sorted().toList()) {
            AddressRange before = ranges.isEmpty() ? null : ranges.getLast();
            if (before != null
                    && before.count() < MOST_IN_RANGE
                    && before.last().plus(1).equals(address)) {
                ranges.set(ranges.size() - 1, new AddressRange(before.first(), before.count() + 1));
            } else {
                ranges.add(AddressRange.single(address));
            }
        }
        return ranges;
    }

    /** Whether these ranges have just these addresses. */
    static boolean same(List<AddressRange> ranges, List<String> addresses) {
        long count = ranges.stream().mapToLong(AddressRange::count).sum();
        return count == addresses.size()
                && addresses.stream()
                        .map(NetAddress::parse)
                        .allMatch(address ->
                                ranges.stream().anyMatch(range -> contains(range, address)));
    }

    private static boolean contains(AddressRange range, NetAddress address) {
        return range.first().compareTo(address) <= 0 && address.compareTo(range.last()) <= 0;
    }
}
