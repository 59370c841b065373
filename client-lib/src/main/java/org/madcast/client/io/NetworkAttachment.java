package org.madcast.client.io;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/**
 * The interface that a rank uses, and its address there.
 *
 * @param networkInterface the interface
 * @param address one of its addresses, of the group's family
 */
public record NetworkAttachment(NetworkInterface networkInterface, InetAddress address) {

    /** What IP and UDP headers take of the MTU. */
    private static final int IPV4_HEADERS = 28;

    private static final int IPV6_HEADERS = 48;

    /** The largest datagram that is worth while: a jumbo frame's. */
    private static final int LARGEST_DATAGRAM = 8972;

    /**
     * Finds the interface.
     *
     * @param wanted its name or one of its addresses; null for the one that the kernel would use
     *     towards {@code peer}
     * @param peer an address that this rank must reach, or null
     * @param like an address of the wanted family
     */
    public static NetworkAttachment find(
            @Nullable String wanted, @Nullable InetSocketAddress peer, InetAddress like)
            throws IOException {
        if (wanted != null) {
            NetworkInterface byName = NetworkInterface.getByName(wanted);
            return byName != null ? of(byName, like) : ofAddress(InetAddress.getByName(wanted));
        }
        if (peer == null) {
            return ofAddress(InetAddress.getLoopbackAddress());
        }
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(peer);
            NetworkAttachment towardsPeer =
                    ofAddress(((InetSocketAddress) probe.getLocalAddress()).getAddress());
            return sameFamily(towardsPeer.address, like)
                    ? towardsPeer
                    : of(towardsPeer.networkInterface, like);
        }
    }

    /** The largest datagram, in bytes of UDP payload, that the interface sends in one piece. */
    public int datagramBytes() throws IOException {
        int headers = address instanceof Inet4Address ? IPV4_HEADERS : IPV6_HEADERS;
        return Math.min(LARGEST_DATAGRAM, networkInterface.getMTU() - headers);
    }

    private static NetworkAttachment of(NetworkInterface found, InetAddress like)
            throws UnknownHostException {
        InetAddress address =
                found.inetAddresses()
                        .filter(candidate -> sameFamily(candidate, like))
                        .findFirst()
                        .orElseThrow(() ->
                                new UnknownHostException(
                                        "interface "
                                                + found.getName()
                                                + " has no address like "
                                                + like.getHostAddress()));
        return new NetworkAttachment(found, address);
    }

    private static NetworkAttachment ofAddress(InetAddress address) throws IOException {
        NetworkInterface found = NetworkInterface.getByInetAddress(address);
        if (found == null) {
            throw new UnknownHostException(
                    "no interface here is named or has the address " + address.getHostAddress());
        }
        return new NetworkAttachment(found, address);
    }

    private static boolean sameFamily(InetAddress a, InetAddress b) {
        return a instanceof Inet4Address == b instanceof Inet4Address;
    }
}
