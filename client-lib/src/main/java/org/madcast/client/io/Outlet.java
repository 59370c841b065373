package org.madcast.client.io;

import java.lang.foreign.MemorySegment;
import org.madcast.client.protocol.ProtocolEngine;
import org.madcast.client.protocol.TransmitSlot;

/** Sends what an engine has to send: datagrams, and what goes by the reliable way. */
final class Outlet {

    private static final int MOST = 64;

    private final ProtocolEngine engine;
    private final DatagramTransport transport;
    private final ReliableWay way;
    private final SendBatch batch;
    private final TransmitSlot slot = new TransmitSlot();
    private boolean blocked;
    private boolean hasMore;

    Outlet(ProtocolEngine engine, DatagramTransport transport, ReliableWay way, SendBatch batch) {
        this.engine = engine;
        this.transport = transport;
        this.way = way;
        this.batch = batch;
    }

    /** Whether the socket takes no more. */
    boolean isBlocked() {
        return blocked;
    }

    /** Whether there may be more to send now. */
    boolean hasMore() {
        return hasMore;
    }

    /** Sends until there is nothing, nothing more is taken, or others must have their turn. */
    void transmit() {
        int sent = 0;
        blocked = false;
        while (sent < MOST && (sendBatch() || handOn())) {
            sent++;
        }
        hasMore = sent == MOST;
        if (engine.wantsQueue()) {
            tellQueue();
        }
    }

    private boolean sendBatch() {
        if (blocked || !batch.fill(engine, System.nanoTime())) {
            return false;
        }
        blocked = !batch.send(transport);
        return true;
    }

    private boolean handOn() {
        MemorySegment room = way.room();
        int bytes = room == null ? 0 : engine.pollReliable(System.nanoTime(), room, slot);
        if (bytes > 0) {
            way.send(bytes, slot.destination());
        }
        return bytes > 0;
    }

    private void tellQueue() {
        int queuedBytes = transport.queuedBytes();
        int waitingBytes = queuedBytes > 0 ? batch.waitingBytes() : 0;
        engine.onQueue(System.nanoTime(), queuedBytes + waitingBytes);
    }
}
