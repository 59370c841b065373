package org.madcast.madcap.server;

import org.jspecify.annotations.Nullable;
import org.madcast.madcap.NetAddress;

/**
 * Where a datagram was sent to, which the rules for scopes need: one of the server's groups, or the
 * server itself.
 *
 * @param group the MADCAP server multicast address, null when the datagram was unicast
 */
public record RequestTarget(@Nullable NetAddress group) {

    /** Sent to the server alone. */
    public static final RequestTarget UNICAST = new RequestTarget(null);

    public RequestTarget {
        if (group != null && !group.isMulticast()) {
            throw new IllegalArgumentException("No multicast address: " + group);
        }
    }

    /** Sent to a group of servers. */
    public static RequestTarget at(NetAddress group) {
        return new RequestTarget(group);
    }

    /** Whether other servers may have got the same datagram. */
    public boolean isMulticast() {
        return group != null;
    }
}
