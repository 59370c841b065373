package org.madcast.madcap.client;

import org.madcast.madcap.Message;
import org.madcast.madcap.NetAddress;

/**
 * Where a client sends: a server, or the group that a scope's servers listen to.
 *
 * @param port the UDP port, 1 to 65535
 */
public record ServerEndpoint(NetAddress address, int port) {

    public ServerEndpoint {
        if (!address.family().isKnown() || port < 1 || port > 65535) {
            throw new IllegalArgumentException("Nothing can be sent to " + address + " " + port);
        }
    }

    /** The MADCAP port at this address. */
    public static ServerEndpoint at(NetAddress address) {
        return new ServerEndpoint(address, Message.SERVER_PORT);
    }

    /** Whether more than one server may answer. */
    public boolean isGroup() {
        return address.isMulticast();
    }
}
