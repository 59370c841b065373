package org.madcast.client.io;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.madcast.client.BroadcastParameters.SocketPath;
import org.madcast.nativecalls.LinuxCalls;

/** Chooses the transport: the native one where it works, else the portable one. */
public final class Transports {

    private static final System.Logger LOG = System.getLogger(Transports.class.getName());

    private Transports() {}

    /**
     * Opens the sockets of a rank.
     *
     * @param wanted which transport
     * @param network the interface to use, and the address on it to bind to
     * @param ttl how many routers a multicast datagram may pass, plus one
     * @param datagramBytes the largest datagram
     * @param buffers what the kernel is asked to keep for each socket
     * @throws IOException when no socket can be had, or not the wanted one
     */
    public static DatagramTransport open(
            SocketPath wanted,
            NetworkAttachment network,
            InetSocketAddress group,
            int ttl,
            int datagramBytes,
            SocketBuffers buffers)
            throws IOException {
        if (wanted == SocketPath.NATIVE && !NativeTransport.isAvailable()) {
            throw new IOException("socket.path=native " + LinuxCalls.problem());
        }
        if (wanted == SocketPath.NIO || !NativeTransport.isAvailable()) {
            if (wanted == SocketPath.AUTO) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "portable sockets: native code {0}",
                        LinuxCalls.problem());
            }
            return NioTransport.open(network, group, ttl, datagramBytes, buffers);
        }
        return NativeTransport.open(network, group, ttl, buffers);
    }
}
