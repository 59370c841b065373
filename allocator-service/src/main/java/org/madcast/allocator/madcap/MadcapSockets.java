package org.madcast.allocator.madcap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.madcast.madcap.NetAddress;
import org.madcast.madcap.Octets;
import org.madcast.madcap.server.RequestTarget;

/**
 * The server's UDP sockets: one for each of its own addresses, and one for each group of servers,
 * bound to the group's address, so that what comes to it was sent to that group. Replies leave from
 * the own address that is nearest to the client, which is the identifier that they carry.
 *
 * <p>{@link #receive} belongs to one thread; sending and closing may be done from any.
 */
final class MadcapSockets implements AutoCloseable {

    /**
     * A datagram that came.
     *
     * @param group the group of servers that it was sent to, null when it was sent to this one
     * @param home the own address that answers
     */
    record Received(
            InetSocketAddress source, @Nullable NetAddress group, InetAddress home, Octets bytes) {

        RequestTarget arrival() {
            return group == null ? RequestTarget.UNICAST : RequestTarget.at(group);
        }
    }

    /** Does something with what came. */
    interface Sink {
        void accept(Received datagram);
    }

    /**
     * An own address: where it is, and the length of its network's prefix.
     *
     * @param interfaceIndex its interface's number, which another of the same name does not have
     */
    record Place(InetAddress address, int prefixBits, int interfaceIndex) {}

    /** An own address with its socket and the length of its network's prefix. */
    private record Home(InetAddress address, int prefixBits, DatagramChannel channel) {

        boolean isNear(InetAddress source) {
            String prefix = address.getHostAddress() + "/" + prefixBits;
            return NetworkList.parse(List.of(prefix)).contains(source);
        }
    }

    private static final int MOST_BYTES = 65_535;

    private final Selector selector;
    private final List<Home> homes = new ArrayList<>();
    private final List<DatagramChannel> groupChannels = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(MOST_BYTES);

    private MadcapSockets(Selector selector) {
        this.selector = selector;
    }

    /** Which of this host's addresses are in the networks now, on interfaces that are up. */
    static Set<Place> places(NetworkList networks) throws IOException {
        Set<Place> places = new LinkedHashSet<>();
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress assigned : each.getInterfaceAddresses()) {
                if (networks.contains(assigned.getAddress()) && each.isUp()) {
                    places.add(
                            new Place(
                                    assigned.getAddress(),
                                    assigned.getNetworkPrefixLength(),
                                    each.getIndex()));
                }
            }
        }
        return places;
    }

    /**
     * Whether an own address can be listened on: it cannot where its port is taken, nor while IPv6
     * still looks whether another host has it.
     */
    static boolean isFree(Place place, int port) {
        try (DatagramChannel channel = open(place.address())) {
            channel.bind(new InetSocketAddress(place.address(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /**
     * Opens them all, or none.
     *
     * @param places the own addresses to use
     * @param groups the groups of servers to be in
     * @throws IOException when a port is taken, or there is no address
     */
    static MadcapSockets open(Set<Place> places, int port, Set<NetAddress> groups)
            throws IOException {
        if (places.isEmpty()) {
            throw new IOException(
                    "no address of this host is in madcast.madcap.networks; add the network of"
                            + " one");
        }
        MadcapSockets sockets = new MadcapSockets(Selector.open());
        boolean complete = false;
        try {
            Set<NetworkInterface> interfaces = new HashSet<>();
            for (Place place : places) {
                sockets.openHome(place, port);
                interfaces.add(interfaceOf(place));
            }
            for (NetAddress group : groups) {
                sockets.openGroup(group, sockets.port(), interfaces);
            }
            complete = true;
            return sockets;
        } finally {
            if (!complete) {
                sockets.close();
            }
        }
    }

    /** The own addresses. */
    List<InetAddress> addresses() {
        return homes.stream().map(Home::address).toList();
    }

    /** The port, which the system chose when 0 was asked for. */
    int port() {
        try {
            return ((InetSocketAddress) homes.getFirst().channel().getLocalAddress()).getPort();
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    /**
     * Waits for datagrams and gives each to the sink.
     *
     * @return false when the sockets were closed
     */
    boolean receive(Sink sink) throws IOException {
        try {
            selector.select();
            if (!selector.isOpen()) {
                return false;
            }
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.isValid()) {
                    drain((DatagramChannel) key.channel(), key.attachment(), sink);
                }
            }
            selector.selectedKeys().clear();
            return true;
        } catch (ClosedSelectorException closed) {
            return false;
        }
    }

    /** Sends a reply from an own address. */
    void send(InetAddress home, InetSocketAddress destination, Octets bytes) throws IOException {
        for (Home each : homes) {
            if (each.address().equals(home)) {
                each.channel().send(ByteBuffer.wrap(bytes.toByteArray()), destination);
                return;
            }
        }
        throw new IllegalArgumentException("no own address: " + home);
    }

    @Override
    public void close() {
        try {
            selector.close();
            for (Home home : homes) {
                home.channel().close();
            }
            for (DatagramChannel channel : groupChannels) {
                channel.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void drain(DatagramChannel channel, Object opened, Sink sink) throws IOException {
        while (true) {
            in.clear();
            InetSocketAddress source = (InetSocketAddress) channel.receive(in);
            if (source == null) {
                return;
            }
            Octets bytes = Octets.read(in, in.flip().remaining());
            NetAddress group = opened instanceof NetAddress address ? address : null;
            InetAddress home =
                    opened instanceof InetAddress own ? own : nearest(source.getAddress());
            sink.accept(new Received(source, group, home, bytes));
        }
    }

    /** The own address in the client's network, else one of its family that is not loopback. */
    private InetAddress nearest(InetAddress source) {
        List<Home> sameFamily =
                homes.stream()
                        .filter(home ->
                                (home.address() instanceof Inet4Address)
                                        == (source instanceof Inet4Address))
                        .toList();
        return sameFamily.stream()
                .filter(home -> home.isNear(source))
                .findFirst()
                .or(() ->
                        sameFamily.stream()
                                .filter(home -> !home.address().isLoopbackAddress())
                                .findFirst())
                .orElse(homes.getFirst())
                .address();
    }

    private static NetworkInterface interfaceOf(Place place) throws IOException {
        NetworkInterface found = NetworkInterface.getByIndex(place.interfaceIndex());
        if (found == null) {
            throw new IOException("the interface of " + place.address() + " has gone");
        }
        return found;
    }

    private void openHome(Place place, int port) throws IOException {
        int samePort = homes.isEmpty() ? port : port();
        InetAddress address = place.address();
        DatagramChannel channel = open(address);
        boolean bound = false;
        try {
            channel.bind(new InetSocketAddress(address, samePort));
            register(channel, address);
            homes.add(new Home(address, place.prefixBits(), channel));
            bound = true;
        } finally {
            if (!bound) {
                channel.close();
            }
        }
    }

    private void openGroup(NetAddress group, int port, Set<NetworkInterface> interfaces)
            throws IOException {
        InetAddress address = InetAddress.ofLiteral(group.toString());
        DatagramChannel channel = open(address);
        groupChannels.add(channel);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.bind(new InetSocketAddress(address, port));
        boolean ipv6 = address instanceof Inet6Address;
        for (NetworkInterface each : interfaces) {
            boolean fits =
                    each.inetAddresses().anyMatch(own -> (own instanceof Inet6Address) == ipv6);
            if (fits) {
                channel.join(address, each);
            }
        }
        register(channel, group);
    }

    private void register(DatagramChannel channel, Object attachment) throws IOException {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, attachment);
    }

    private static DatagramChannel open(InetAddress address) throws IOException {
        return DatagramChannel.open(
                address instanceof Inet4Address
                        ? StandardProtocolFamily.INET
                        : StandardProtocolFamily.INET6);
    }
}
