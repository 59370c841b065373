package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;
import org.madcast.netsim.SimulatedNode;

/** Lets the simulator drive an engine. */
record EngineNode(BroadcastEngine engine, TransmitSlot slot, Predicate<GroupAddress> joining)
        implements SimulatedNode {

    EngineNode(BroadcastEngine engine) {
        this(engine, _ -> true);
    }

    /**
     * @param joining is told where the sockets go, and says whether they could
     */
    EngineNode(BroadcastEngine engine, Predicate<GroupAddress> joining) {
        this(engine, new TransmitSlot(), joining);
    }

    private void followMove(long nowNs) {
        GroupAddress to = engine.takeNewGroup();
        if (to != null && joining.test(to)) {
            engine.onNewGroupJoined(nowNs);
        }
    }

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {
        engine.onDatagram(nowNs, datagram);
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
        }
        return bytes;
    }

    @Override
    public void onQueue(long nowNs, int queuedBytes) {
        engine.onQueue(nowNs, queuedBytes);
    }
}
