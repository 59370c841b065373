package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import org.madcast.netsim.SimulatedNode;

/** Lets the simulator drive an engine. */
record EngineNode(BroadcastEngine engine, TransmitSlot slot) implements SimulatedNode {

    EngineNode(BroadcastEngine engine) {
        this(engine, new TransmitSlot());
    }

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {
        engine.onDatagram(nowNs, datagram);
    }

    @Override
    public void onTimeout(long nowNs) {
        engine.onTimeout(nowNs);
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
        }
        return bytes;
    }
}
