package org.madcast.netsim;

import java.lang.foreign.MemorySegment;

/**
 * What is simulated: a protocol engine, driven exactly as the I/O loop on real sockets drives it.
 * All calls come from the thread that runs the {@link Simulation}, and none is made while another
 * is in progress on any node.
 *
 * <p>After every {@code onDatagram}, {@code onTimeout} and {@link Simulation#touch} the simulator
 * calls {@link #pollTransmit} until it returns 0 or the node's uplink is full, and then {@link
 * #nextDeadlineNs}.
 */
public interface SimulatedNode {

    /**
     * A datagram has come.
     *
     * @param nowNs virtual time
     * @param datagram read-only and valid only during the call; its bytes are overwritten later
     */
    void onDatagram(long nowNs, MemorySegment datagram);

    /** The time that {@link #nextDeadlineNs} named has come, or has passed while paused. */
    default void onTimeout(long nowNs) {}

    /**
     * When to call {@link #onTimeout} next; {@link Long#MAX_VALUE} when there is nothing to do, as
     * always for a node without timers.
     */
    default long nextDeadlineNs() {
        return Long.MAX_VALUE;
    }

    /**
     * Writes the next datagram, if there is one to be sent now.
     *
     * @param out where to write, from offset 0; valid only during the call, contents undefined
     * @param slot gets the destination when a datagram was written
     * @return the length of the datagram in bytes, or 0 when there is nothing to send now
     */
    int pollTransmit(long nowNs, MemorySegment out, TransmitSlot slot);

    /**
     * The node has sent something and is not polled further for now.
     *
     * @param queuedBytes on the wire's side, so much waits in its uplink; 0 on one without a rate
     */
    default void onQueue(long nowNs, int queuedBytes) {}
}
