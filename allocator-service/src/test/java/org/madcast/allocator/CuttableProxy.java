package org.madcast.allocator;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hands TCP connections on to a port of this machine, unless it is cut. */
final class CuttableProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
    private volatile boolean whole = true;
    private volatile Duration delay = Duration.ZERO;

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
        silent.clear();
    }

    /** Carries nothing more for the connections that there are, which do not hear of it. */
    void silence() {
        silent.addAll(sockets);
    }

    /** Takes connections again. */
    void restore() {
        whole = true;
    }

    /** From now on a new connection carries nothing for this long. */
    void delay(Duration each) {
        delay = each;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                if (whole) {
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                    sockets.add(client);
                    sockets.add(server);
                    Duration idle = delay;
                    Thread.ofVirtual().start(() -> pump(client, server, idle));
                    Thread.ofVirtual().start(() -> pump(server, client, idle));
                } else {
                    client.close();
                }
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void pump(Socket from, Socket to, Duration idle) {
        byte[] bytes = new byte[1 << 16];
        try (from;
                to) {
            Thread.sleep(idle);
            InputStream in = from.getInputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (!silent.contains(from)) {
                    to.getOutputStream().write(bytes, 0, read);
                }
            }
        } catch (IOException | InterruptedException cut) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
