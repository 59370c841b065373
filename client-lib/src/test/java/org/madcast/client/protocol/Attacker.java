package org.madcast.client.protocol;

import java.lang.foreign.MemorySegment;
import java.util.PriorityQueue;
import org.madcast.netsim.SimulatedNode;
import org.madcast.netsim.TransmitSlot;

/**
 * A host that is no rank, knows the token, and sends what it was given at the times it was given.
 */
final class Attacker implements SimulatedNode {

    private record Shot(long atNs, int destination, MemorySegment datagram) {}

    private final PriorityQueue<Shot> shots =
            new PriorityQueue<>((a, b) -> Long.compare(a.atNs, b.atNs));

    /** Sends a datagram at that time, to a rank or to the group (-1). */
    Attacker at(long atNs, int destination, MemorySegment datagram) {
        shots.add(new Shot(atNs, destination, datagram));
        return this;
    }

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {}

    @Override
    public void onTimeout(long nowNs) {}

    @Override
    public long nextDeadlineNs() {
        Shot next = shots.peek();
        return next == null ? Long.MAX_VALUE : next.atNs;
    }

    @Override
    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
        Shot next = shots.peek();
        if (next == null || next.atNs > nowNs) {
            return 0;
        }
        shots.remove();
        slot.to(next.destination);
        MemorySegment.copy(next.datagram, 0, out, 0, next.datagram.byteSize());
        return (int) next.datagram.byteSize();
    }
}
