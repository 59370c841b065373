package org.madcast.client.message;

import java.util.ArrayList;
import java.util.List;

/** Connections of others that have not proved yet that they belong to the world; not too many. */
final class Strangers {

    private static final int MOST = 64;

    private final List<PendingConnection> pending = new ArrayList<>();

    void add(PendingConnection stranger) {
        if (pending.size() == MOST) {
            pending.removeFirst().close();
        }
        pending.add(stranger);
    }

    void remove(PendingConnection stranger) {
        pending.remove(stranger);
    }

    /** Whether one says that it is this rank, was accepted, and owes only the proof. */
    boolean hasAccepted(int rank) {
        return pending.stream().anyMatch(it -> it.hasBegun() && it.handshake().from() == rank);
    }

    List<PendingConnection> late(long nowNs) {
        return pending.stream().filter(it -> it.deadlineNs - nowNs < 0).toList();
    }

    void close() {
        pending.forEach(PendingConnection::close);
        pending.clear();
    }
}
