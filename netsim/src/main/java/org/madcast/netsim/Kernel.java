package org.madcast.netsim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What the hosts and the switch of one simulation share: the clock, the events, the record. */
final class Kernel {

    final Framing framing;
    final DatagramPool pool;
    final EventQueue events = new EventQueue();
    final Trace trace = new Trace();
    final List<Host> hosts = new ArrayList<>();
    IntConsumer afterStep = node -> {};
    private long nowNs;

    /** Those that all hosts share; null where each has its own. */
    @Nullable Processors processors;

    /** How often a host has joined or left. */
    int joins;

    Kernel(Framing framing) {
        this.framing = framing;
        this.pool = new DatagramPool(framing.maxDatagramBytes());
    }

    long nowNs() {
        return nowNs;
    }

    void advanceTo(long timeNs) {
        if (timeNs < nowNs) {
            throw new IllegalStateException(
                    "time " + timeNs + " ns lies before now, " + nowNs + " ns");
        }
        nowNs = timeNs;
    }

    /** Schedules an event; one whose time has passed happens now. */
    void schedule(long timeNs, EventKind kind, int node, @Nullable Object payload) {
        events.add(Math.max(timeNs, nowNs), kind, node, payload);
    }

    /** Records that a receiver's copy was lost. The caller keeps its hold on the datagram. */
    void dropCopy(DropCause cause, Datagram datagram, Host to) {
        to.counters().countDropped(cause);
        trace.dropped(nowNs, cause, datagram, to.index());
    }

    /** Records that a datagram was lost before the switch. The caller keeps its hold on it. */
    void dropOnUplink(DropCause cause, Datagram datagram) {
        hosts.get(datagram.from()).counters().countDroppedOnUplink(cause);
        trace.dropped(nowNs, cause, datagram, datagram.destination());
    }
}
