package org.madcast.netsim;

import java.lang.foreign.MemorySegment;

/** Decides exactly which datagrams are lost. */
@FunctionalInterface
public interface ScriptedDrop {

    /**
     * Whether to lose this one.
     *
     * @param from the sender
     * @param to the receiver; {@link Destination#GROUP} for a multicast on an uplink
     * @param datagram its bytes, read-only, during the call only
     * @param count how many datagrams from the one to the other this script has seen before
     */
    boolean drops(int from, int to, MemorySegment datagram, long count);
}
