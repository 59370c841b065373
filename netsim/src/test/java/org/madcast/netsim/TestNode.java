package org.madcast.netsim;

import java.lang.foreign.MemorySegment;

/** A node that does nothing; tests override what they need. */
class TestNode implements SimulatedNode {

    @Override
    public void onDatagram(long nowNs, MemorySegment datagram) {}

    @Override
    public void onTimeout(long nowNs) {}

    @Override
    public long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot) {
        return 0;
    }
}
