package org.madcast.client.lease;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.madcast.client.MulticastGroup;

/**
 * Draws multicast groups at random, for communicators without a leased group. A new draw gives a
 * new group: ask again when a foreign token is seen. One thread at a time.
 *
 * <p><b>IPv4: 239.196.0.0 to 239.251.255.255.</b> RFC 5771 section 10 gives 239/8 to private
 * domains for local use. RFC 2365 divides it: section 6.1 takes 239.255/16 as the Local Scope and
 * section 6.2 239.192/14 as the Organization Local Scope, both of which the allocation service
 * leases from; sections 6.1.1 and 6.2.1 keep 239.253/16, 239.254/16 and the three /10 below 239.192
 * for their growth. What is left, 239.196/14 and up, belongs to no scope and is the domain's own to
 * define. On Ethernet, which keeps the low 23 bits of an address, the second byte stays in 0x44 to
 * 0x7b, so no draw shares an Ethernet address with a leased group, nor with 224.0.0/24 and
 * 224.0.1/24 (x.0.0.y, x.128.0.y, x.0.1.y, x.128.1.y).
 *
 * <p><b>IPv6: ff15::c000:0 to ff15::feff:ffff.</b> Transient (T=1, RFC 4291 section 2.7), site
 * scope, with a dynamic group id of RFC 3307 section 4.3 above the lower half, from which the
 * service leases; Ethernet keeps just these 32 bits.
 *
 * <p>Ports are Siebert's, 5000 to 32767: below what systems hand out to clients.
 */
public final class RandomGroups {

    static final int MIN_PORT = 5000;
    static final int MAX_PORT = 32_767;

    private static final int FIRST_SECOND_BYTE = 196;
    private static final int LAST_SECOND_BYTE = 251;
    private static final long FIRST_GROUP_ID = 0xC000_0000L;
    private static final long LAST_GROUP_ID = 0xFEFF_FFFFL;

    private final BlumBlumShub generator;

    RandomGroups(BlumBlumShub generator) {
        this.generator = generator;
    }

    /** A communicator's token: 64 random bits, never 0. */
    static long drawToken() {
        long token = new SecureRandom().nextLong();
        return token == 0 ? 1 : token;
    }

    /**
     * What a process draws that has gathered these bits. For simulations, which need the same draws
     * again.
     */
    public static RandomGroups of(long entropy) {
        return new RandomGroups(new BlumBlumShub(entropy));
    }

    /** With a generator that starts from gathered entropy. */
    static RandomGroups seeded() {
        return of(new EntropyGatherer().gather());
    }

    /** A group for IPv4. */
    public MulticastGroup drawIpv4() {
        byte[] address = {
            (byte) 239,
            (byte) generator.nextInRange(FIRST_SECOND_BYTE, LAST_SECOND_BYTE),
            (byte) generator.nextBits(8),
            (byte) generator.nextInRange(1, 254)
        };
        return new MulticastGroup(address(address), port());
    }

    /** A group for IPv6. */
    MulticastGroup drawIpv6() {
        ByteBuffer address = ByteBuffer.allocate(16).putShort(0, (short) 0xff15);
        address.putInt(12, (int) generator.nextInRange(FIRST_GROUP_ID, LAST_GROUP_ID));
        return new MulticastGroup(address(address.array()), port());
    }

    /** A port for a group whose address came without one. */
    int drawPort() {
        return port();
    }

    private int port() {
        return (int) generator.nextInRange(MIN_PORT, MAX_PORT);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException wrongLength) {
            throw new IllegalStateException("4 or 16 bytes are an address", wrongLength);
        }
    }
}
