package org.madcast.allocator.scope;

/**
 * Where a job's multicast datagrams go.
 *
 * @param address an IPv4 multicast address, four decimal octets
 * @param port a UDP port
 */
public record MulticastGroup(String address, int port) {

    @Override
    public String toString() {
        return address + ":" + port;
    }
}
