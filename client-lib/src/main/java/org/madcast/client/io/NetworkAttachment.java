package org.madcast.client.io;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.List;
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
     * Finds the interface. Of the addresses of a named one the rank gets that which the kernel uses
     * towards {@code peer}, if it is among them: others may be there for a while only, such as the
     * floating address of a service.
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
            return byName != null
                    ? of(byName, towards(peer), like)
                    : ofAddress(InetAddress.getByName(wanted));
        }
        if (peer == null) {
            return ofAddress(InetAddress.getLoopbackAddress());
        }
        NetworkAttachment towardsPeer = ofAddress(sourceTowards(peer));
        return sameFamily(towardsPeer.address, like)
                ? towardsPeer
                : of(towardsPeer.networkInterface, null, like);
    }

    /** What the kernel sends from to the peer; null when there is no peer, or no way to it. */
    private static @Nullable InetAddress towards(@Nullable InetSocketAddress peer) {
        try {
            return peer == null || peer.isUnresolved() ? null : sourceTowards(peer);
        } catch (IOException unreachable) {
            return null;
        }
    }

    private static InetAddress sourceTowards(InetSocketAddress peer) throws IOException {
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(peer);
            return ((InetSocketAddress) probe.getLocalAddress()).getAddress();
        }
    }

    /** Whether it is an address of an interface of this machine now. */
    public static boolean isHere(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException unknown) {
            return true;
        }
    }

    /** The largest datagram, in bytes of UDP payload, that the interface sends in one piece. */
    public int datagramBytes() throws IOException {
        int headers = address instanceof Inet4Address ? IPV4_HEADERS : IPV6_HEADERS;
        return Math.min(LARGEST_DATAGRAM, networkInterface.getMTU() - headers);
    }

    private static NetworkAttachment of(
            NetworkInterface found, @Nullable InetAddress source, InetAddress like)
            throws UnknownHostException {
        List<InetAddress> own =
                found.inetAddresses().filter(candidate -> sameFamily(candidate, like)).toList();
        if (own.isEmpty()) {
            throw new UnknownHostException(
                    "interface %s has no address like %s"
                            .formatted(found.getName(), like.getHostAddress()));
        }
        return new NetworkAttachment(found, choose(own, source));
    }

    /**
     * One of an interface's own addresses, which are there as the JDK lists them: what was added
     * last comes first.
     *
     * @param source what the kernel uses towards the peer, perhaps on another interface
     */
    static InetAddress choose(List<InetAddress> own, @Nullable InetAddress source) {
        if (source != null && own.contains(source)) {
            return source;
        }
        List<InetAddress> oldestFirst = own.reversed();
        return oldestFirst.stream()
                .filter(address -> !address.isLinkLocalAddress())
                .findFirst()
                .orElseGet(oldestFirst::getFirst);
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
