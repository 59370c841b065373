package org.madcast.client.message;

import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The way to one rank. Under the endpoint's lock. */
final class Peer {

    final ArrayDeque<Carrier.Frame> waiting = new ArrayDeque<>();
    @Nullable PendingConnection connecting;
    @Nullable Connection connection;
    @Nullable SelectionKey key;
    long heardNs;
    boolean lost;

    /** The end of the handshake's time when it is to begin anew; null when it is not. */
    @Nullable Long againUntilNs;

    /** Gives a handshake time in which this process did not listen. */
    void extend(long ns) {
        if (connecting != null) {
            connecting.extend(ns);
        }
        if (againUntilNs != null) {
            againUntilNs += ns;
        }
    }

    /** Whether everything that was queued is in the kernel's hands. */
    boolean isIdle() {
        return lost || (waiting.isEmpty() && (connection == null || connection.isIdle()));
    }

    boolean isDisconnected() {
        return lost || connection == null;
    }

    /** Gives it up. */
    void close() {
        lost = true;
        waiting.clear();
        againUntilNs = null;
        if (key != null) {
            PendingConnection.close(key, (SocketChannel) key.channel());
        }
        if (connecting != null) {
            connecting.close();
        }
        connecting = null;
        connection = null;
    }
}
