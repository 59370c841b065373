package org.madcast.madcap;

/**
 * Consecutive multicast addresses (RFC 2730, section 3.11).
 *
 * @param first the lowest address, IPv4 or IPv6 multicast
 * @param count how many, 1 to 65535
 */
public record AddressRange(NetAddress first, int count) {

    public AddressRange {
        Unsigned.within("addresses in a range", count, 1, Unsigned.U16_MAX);
        if (!first.isMulticast() || !first.plus(count - 1L).isMulticast()) {
            throw new IllegalArgumentException(
                    count + " addresses from " + first + " are not all multicast");
        }
    }

    /** One address. */
    public static AddressRange single(NetAddress address) {
        return new AddressRange(address, 1);
    }

    /** The highest address. */
    public NetAddress last() {
        return first.plus(count - 1L);
    }
}
