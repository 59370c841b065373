package org.madcast.madcap;

/**
 * An address family by its IANA number (RFC 2730, section 2.1.3). IPv4 and IPv6 are understood; any
 * other number may stand in a message, but then no address of that family can be read.
 *
 * @param code the IANA number, 0 to 65535
 */
public record AddressFamily(int code) {

    /** IP version 4: addresses of 4 bytes. */
    public static final AddressFamily IPV4 = new AddressFamily(1);

    /** IP version 6: addresses of 16 bytes. */
    public static final AddressFamily IPV6 = new AddressFamily(2);

    public AddressFamily {
        Unsigned.u16("address family", code);
    }

    /** Whether the length of this family's addresses is known. */
    public boolean isKnown() {
        return addressBytes() > 0;
    }

    /** The length of an address in bytes, 0 for a family that is not known. */
    public int addressBytes() {
        return switch (code) {
            case 1 -> 4;
            case 2 -> 16;
            default -> 0;
        };
    }
}
