package org.madcast.agent.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** A TCP port without a listener. */
public final class FreePort {

    private FreePort() {}

    /**
     * One of the address, for rank 0 of a job that is about to start. Nothing keeps it free until
     * then, but the kernel offers other ports first.
     *
     * @throws IOException when the address is none of this host's, or all its ports are taken
     */
    public static InetSocketAddress at(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return new InetSocketAddress(address, socket.getLocalPort());
        }
    }

    /** One of the loopback address. */
    public static InetSocketAddress onLoopback() throws IOException {
        return at(InetAddress.getLoopbackAddress());
    }
}
