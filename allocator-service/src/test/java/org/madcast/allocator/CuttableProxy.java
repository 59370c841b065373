package org.madcast.allocator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hands TCP connections on to a port of this machine, unless it is cut. */
final class CuttableProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean whole = true;

    CuttableProxy(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Breaks all connections, and refuses new ones. */
    void cut() throws IOException {
        whole = false;
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    /** Takes connections again. */
    void restore() {
        whole = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                if (whole) {
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                    sockets.add(client);
                    sockets.add(server);
                    Thread.ofVirtual().start(() -> pump(client, server));
                    Thread.ofVirtual().start(() -> pump(server, client));
                } else {
                    client.close();
                }
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
