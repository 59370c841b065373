package org.madcast.madcap.server;

import org.jspecify.annotations.Nullable;
import org.madcast.madcap.NetAddress;

/**
 * Where a datagram was sent to, which the rules for scopes need: one of the server's groups, or the
 * server itself.
 *
 * @param group the MADCAP server multicast address, null when the datagram was unicast
 */
public record Arrival(@Nullable NetAddress group) {

    /** Sent to the server alone. */
    public static final Arrival UNICAST = new Arrival(null);

    public Arrival {
        if (group != null && !group.isMulticast()) {
            throw new IllegalArgumentException("No multicast address: " + group);
        }
    }

    /** Sent to a group of servers. */
    public static Arrival at(NetAddress group) {
        return new Arrival(group);
    }

    /** Whether other servers may have got the same datagram. */
    public boolean isMulticast() {
        return group != null;
    }
}
