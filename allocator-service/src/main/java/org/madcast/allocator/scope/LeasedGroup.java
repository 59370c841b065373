package org.madcast.allocator.scope;

import org.jspecify.annotations.Nullable;

/**
 * Where a job's multicast datagrams go.
 *
 * @param address a multicast address: four decimal octets, or IPv6 as RFC 5952 writes it
 * @param port a UDP port
 * @param role red or blue where the same datagrams go two ways, null otherwise
 */
public record LeasedGroup(String address, int port, @Nullable String role) {

    /** A group without a role. */
    public LeasedGroup(String address, int port) {
        this(address, port, null);
    }

    @Override
    public String toString() {
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
    }
}
