package org.madcast.madcap;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.StringJoiner;

/**
 * A network address as MADCAP carries it: a family and its bytes. Unlike {@link InetAddress} it
 * never turns an IPv4-mapped IPv6 address into an IPv4 one. Ordered by family, then as numbers.
 *
 * @param family where the address is from
 * @param octets 4 bytes for IPv4, 16 for IPv6, at least one for a family that is not known
 */
public record NetAddress(AddressFamily family, Octets octets) implements Comparable<NetAddress> {

    public NetAddress {
        int lengthBytes = octets.lengthBytes();
        if (family.isKnown() ? lengthBytes != family.addressBytes() : lengthBytes == 0) {
            throw new IllegalArgumentException(
                    "An address of " + family + " cannot have " + lengthBytes + " bytes");
        }
    }

    /**
     * The address of a literal such as {@code 239.255.0.1} or {@code ff03::1}; asks no resolver.
     */
    public static NetAddress parse(String literal) {
        return of(InetAddress.ofLiteral(literal));
    }

    /** The same address; the interface of a scoped IPv6 address is left out. */
    public static NetAddress of(InetAddress address) {
        AddressFamily family =
                address instanceof Inet4Address ? AddressFamily.IPV4 : AddressFamily.IPV6;
        return new NetAddress(family, Octets.of(address.getAddress()));
    }

    /** Whether this is an IPv4 address from 224.0.0.0/4 or an IPv6 address from ff00::/8. */
    public boolean isMulticast() {
        if (family.equals(AddressFamily.IPV4)) {
            return octets.at(0) >> 4 == 0xe;
        }
        return family.equals(AddressFamily.IPV6) && octets.at(0) == 0xff;
    }

    /**
     * The address that lies this far above, or below when negative.
     *
     * @throws IllegalArgumentException when the family has no such address
     */
    public NetAddress plus(long offset) {
        BigInteger sum = toNumber().add(BigInteger.valueOf(offset));
        int lengthBytes = octets.lengthBytes();
        if (sum.signum() < 0 || sum.bitLength() > lengthBytes * 8) {
            throw new IllegalArgumentException("No address lies " + offset + " from " + this);
        }
        byte[] minimal = sum.toByteArray();
        byte[] full = new byte[lengthBytes];
        int used = Math.min(minimal.length, lengthBytes);
        System.arraycopy(minimal, minimal.length - used, full, lengthBytes - used, used);
        return new NetAddress(family, Octets.of(full));
    }

    private BigInteger toNumber() {
        return new BigInteger(1, octets.toByteArray());
    }

    @Override
    public int compareTo(NetAddress other) {
        int byFamily = Integer.compare(family.code(), other.family.code());
        return byFamily != 0 ? byFamily : octets.compareTo(other.octets);
    }

    /** Dotted numbers for IPv4, eight groups for IPv6, family and hexadecimal digits otherwise. */
    @Override
    public String toString() {
        if (family.equals(AddressFamily.IPV4)) {
            StringJoiner dotted = new StringJoiner(".");
            for (int i = 0; i < 4; i++) {
                dotted.add(Integer.toString(octets.at(i)));
            }
            return dotted.toString();
        }
        if (family.equals(AddressFamily.IPV6)) {
            StringJoiner groups = new StringJoiner(":");
            for (int i = 0; i < 16; i += 2) {
                groups.add(Integer.toHexString(octets.at(i) << 8 | octets.at(i + 1)));
            }
            return groups.toString();
        }
        return family.code() + "/" + octets;
    }
}
