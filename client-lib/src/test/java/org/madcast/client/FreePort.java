package org.madcast.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address that were free a moment ago, below those that the system gives to
 * sockets that name none: many of these come and go while tests run, and one of them must not be in
 * the place that ranks are told to meet at.
 */
public final class FreePort {

    private static final int FIRST = 10_000;
    private static final int END = 32_000;
    private static final int MOST_TRIES = 1000;

    private FreePort() {}

    private interface Opening {
        Closeable at(InetSocketAddress address) throws IOException;
    }

    private static int free(Opening opening) {
        for (int i = 0; i < MOST_TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (Closeable _ = opening.at(address)) {
                return port;
            } catch (BindException taken) {
                // the next one may be free
            } catch (IOException none) {
                throw new UncheckedIOException(none);
            }
        }
        throw new IllegalStateException("no port is free");
    }

    /** For TCP. */
    public static int tcp() {
        return free(address -> new ServerSocket(address.getPort(), 1, address.getAddress()));
    }

    /** For UDP. */
    public static int udp() {
        return free(DatagramSocket::new);
    }
}
