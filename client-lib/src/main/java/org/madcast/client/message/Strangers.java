package org.madcast.client.message;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections of others that have not proved yet that they belong to the world; not too many. */
final class Strangers {

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
