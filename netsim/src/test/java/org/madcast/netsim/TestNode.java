package org.madcast.netsim;

import java.lang.foreign.MemorySegment;

/** A node that does nothing; tests override what they need. */
class TestNode implements SimulatedNode {

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {}

    @Override
    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
        return 0;
    }
}
