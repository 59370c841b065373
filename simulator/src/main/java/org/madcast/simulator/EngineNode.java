package org.madcast.simulator;

import java.lang.foreign.MemorySegment;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.TransmitSlot;
import org.madcast.client.wire.Arrival;
import org.madcast.netsim.SimulatedNode;

/** Lets the simulated network drive an engine, which follows every move to another group. */
record EngineNode(BroadcastEngine engine, TransmitSlot slot) implements SimulatedNode {

    EngineNode(BroadcastEngine engine) {
        this(engine, new TransmitSlot());
    }

    private void followMove(long nowNs) {
        if (engine.takeNewGroup() != null) {
            engine.onNewGroupJoined(nowNs);
        }
    }

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {
        engine.onDatagram(nowNs, Arrival.of(datagram));
        followMove(nowNs);
    }

    @Override
    public void onTimeout(long nowNs) {
        engine.onTimeout(nowNs);
        followMove(nowNs);
    }

    @Override
    public long nextDeadlineNs() {
        return engine.nextDeadlineNs();
    }

    @Override
    public int pollTransmit(
            long nowNs, MemorySegment out, org.madcast.netsim.TransmitSlot transmit) {
        int bytes = engine.pollTransmit(nowNs, out, slot);
        if (bytes > 0) {
            transmit.to(slot.destination());
            return bytes;
        }
        bytes = engine.pollReliable(nowNs, out, slot);
        if (bytes > 0) {
            transmit.reliablyTo(slot.destination());
        }
        return bytes;
    }

    @Override
    public void onQueue(long nowNs, int queuedBytes) {
        engine.onQueue(nowNs, queuedBytes);
    }
}
