package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.madcast.client.wire.Arrival;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.client.wire.DatagramType;
import org.madcast.netsim.SimulatedNode;

/** Lets the simulator drive an engine. */
record EngineNode(
        BroadcastEngine engine,
        TransmitSlot slot,
        Predicate<GroupAddress> joining,
        Consumer<DatagramType> sent)
        implements SimulatedNode {

    EngineNode(BroadcastEngine engine) {
        this(engine, _ -> true, _ -> {});
    }

    /**
     * @param joining is told where the sockets go, and says whether they could
     * @param sent is told of each datagram that leaves
     */
    EngineNode(
            BroadcastEngine engine, Predicate<GroupAddress> joining, Consumer<DatagramType> sent) {
        this(engine, new TransmitSlot(), joining, sent);
    }

    private void followMove(long nowNs) {
        GroupAddress to = engine.takeNewGroup();
        if (to != null && joining.test(to)) {
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
            sent.accept(DatagramLayout.type(out));
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
