package org.madcast.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A multicast address with a UDP port: what a communicator sends its fragments to.
 *
 * @param address a multicast address, IPv4 or IPv6
 * @param port the UDP port, 1 to 65535
 */
public record MulticastGroup(InetAddress address, int port) {

    /** Refuses what is not a multicast address or not a port. */
    public MulticastGroup {
        if (!address.isMulticastAddress()) {
            throw new IllegalArgumentException(
                    "not a multicast address: " + address.getHostAddress());
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port outside 1 to 65535: " + port);
        }
    }

    /** The group as a socket address. */
    public InetSocketAddress toSocketAddress() {
        return new InetSocketAddress(address, port);
    }

    @Override
    public String toString() {
        return CommunicatorConfig.hostAndPort(toSocketAddress());
    }
}
