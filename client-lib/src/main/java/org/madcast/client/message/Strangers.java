package org.madcast.client.message;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections of others that have not proved yet that they belong to the world; not too many. */
final class Strangers {

    private static final System.Logger LOG = System.getLogger(Strangers.class.getName());
    private static final int MOST = 64;
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(5);

    private final long patienceNs;
    private final List<PendingConnection> pending = new ArrayList<>();

    /** Those of a rank that waits this long for others. */
    Strangers(long ranksNs) {
        patienceNs = Math.min(LONGEST_NS, ranksNs);
    }

    /** How long one may take to prove that it belongs to the world. */
    long patienceNs() {
        return patienceNs;
    }

    /** Accepts the next one, if there is one. */
    void accept(ServerSocketChannel listener, Selector selector) {
        try {
            SocketChannel channel = listener.accept();
            if (channel == null) {
                return;
            }
            long untilNs = System.nanoTime() + patienceNs;
            PendingConnection stranger = new PendingConnection(channel, selector, null, untilNs);
            if (pending.size() == MOST) {
                pending.removeFirst().close();
            }
            pending.add(stranger);
        } catch (IOException gone) {
            LOG.log(Level.TRACE, "accepting", gone);
        }
    }

    void remove(PendingConnection stranger) {
        pending.remove(stranger);
    }

    /** Whether one says that it is this rank, was accepted, and owes only the proof. */
    boolean hasAccepted(int rank) {
        return pending.stream().anyMatch(it -> it.hasBegun() && it.handshake().from() == rank);
    }

    List<PendingConnection> late(long nowNs) {
        return pending.stream().filter(it -> it.deadlineNs() - nowNs < 0).toList();
    }

    /** Gives all of them time in which this process did not listen. */
    void extend(long ns) {
        pending.forEach(it -> it.extend(ns));
    }

    void close() {
        pending.forEach(PendingConnection::close);
        pending.clear();
    }
}
