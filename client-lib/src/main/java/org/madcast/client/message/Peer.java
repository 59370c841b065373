package org.madcast.client.message;

import java.io.IOException;
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

    /** The version that its last hello named; a hello proves nothing. */
    int saidVersion = Handshake.VERSION;

    /** Why it is lost where no connection to it was made. */
    String explain(IOException reason) {
        String why =
                saidVersion == Handshake.VERSION
                        ? reason.getMessage()
                        : "it runs another version of the library, whose messages have version %d"
                                        .formatted(saidVersion)
                                + " and this rank's %d".formatted(Handshake.VERSION);
        return Transfer.Outcome.Lost.NOT_CONNECTED + why;
    }

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

    /** Ends this rank's direction of the connection, if there is one. */
    void endOutput() throws IOException {
        if (connection != null && key != null) {
            SocketChannel _ = ((SocketChannel) key.channel()).shutdownOutput();
        }
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
