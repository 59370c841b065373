package org.madcast.lab;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Passes TCP connections that arrive inside a namespace on to an address outside of it, so that a
 * lab's hosts reach a service on the machine's loopback. Bytes go both ways unchanged; when one
 * side ends its direction, that is passed on, and the opposite direction stays open.
 *
 * <p>A thread accepts, two carry each connection: few, and none waits for a carrier. {@link #close}
 * ends all of them, from any thread. A target that does not answer shows as a closed connection.
 */
public final class NamespaceRelay implements AutoCloseable {
    private static final int CHUNK_BYTES = 16 * 1024;
    private static final long RETRY_NS = 10_000_000;

    private final ServerSocketChannel server;
    private final InetSocketAddress listening;
    private final InetSocketAddress target;
    private final Thread acceptor;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

    private NamespaceRelay(String namespace, ServerSocketChannel server, InetSocketAddress target)
            throws IOException {
        this.server = server;
        this.target = target;
        acceptor = Thread.ofPlatform().daemon().name("relay-" + namespace).unstarted(this::accept);
        listening = (InetSocketAddress) server.getLocalAddress();
    }

    /**
     * Listens inside a namespace.
     *
     * @param listen an address of that namespace; port 0 takes a free one
     * @param target where connections are passed on to, from the namespace of this process
     * @throws IOException when the address cannot be listened on
     */
    public static NamespaceRelay open(
            String namespace, InetSocketAddress listen, InetSocketAddress target)
            throws IOException {
        ServerSocketChannel server =
                Namespaces.call(
                        namespace,
                        () -> {
                            ServerSocketChannel channel = ServerSocketChannel.open();
                            try {
                                return channel.bind(listen);
                            } catch (IOException e) {
                                channel.close();
                                throw e;
                            }
                        });
        NamespaceRelay relay = new NamespaceRelay(namespace, server, target);
        relay.acceptor.start();
        return relay;
    }

    /** Where it listens, seen from inside. */
    public InetSocketAddress listening() {
        return listening;
    }

    /** Stops listening and drops the connections. Closing again does nothing. */
    @Override
    public void close() {
        closeQuietly(server);
        open.forEach(NamespaceRelay::closeQuietly);
        try {
            // The socket listens until the thread that accepts has woken up and left it.
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() {
        while (server.isOpen()) {
            SocketChannel inside;
            try {
                inside = server.accept();
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                // That connection was gone already, or no descriptor is free: the next may do
                // better.
                LockSupport.parkNanos(RETRY_NS);
                continue;
            }
            Thread.ofPlatform().daemon().start(() -> connect(inside));
        }
    }

    private void connect(SocketChannel inside) {
        open.add(inside);
        try (inside;
                SocketChannel outside = SocketChannel.open()) {
            open.add(outside);
            if (!server.isOpen()) {
                return; // closed meanwhile, and it may have missed these two
            }
            outside.connect(target);
            inside.setOption(StandardSocketOptions.TCP_NODELAY, true);
            outside.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Thread back = Thread.ofPlatform().daemon().start(() -> carry(outside, inside));
            carry(inside, outside);
            back.join();
            open.remove(outside);
        } catch (IOException e) {
            // Either end has gone: both are closed: nothing more can be passed on.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(inside);
            open.removeIf(channel -> !channel.isOpen());
        }
    }

    /** Carries one direction to its end; after an error both directions are over. */
    private static void carry(SocketChannel from, SocketChannel to) {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try {
            while (from.read(chunk) >= 0) {
                chunk.flip();
                while (chunk.hasRemaining()) {
                    to.write(chunk);
                }
                chunk.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // Closed is closed.
        }
    }
}
