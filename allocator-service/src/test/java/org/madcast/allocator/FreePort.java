package org.madcast.allocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;

/** Ports of this machine that were free a moment ago. */
final class FreePort {

    private FreePort() {}

    /** For TCP. */
    static int tcp() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    /** For UDP. */
    static int udp() {
        try (DatagramSocket socket = new DatagramSocket()) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }
}
