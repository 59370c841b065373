package org.madcast.client.wire;

import java.lang.foreign.MemorySegment;

/**
 * A datagram as it came off a socket: its bytes and what the receiver knows of its way. One such
 * object serves for all that arrive at a socket, one after the other. Not thread-safe.
 */
public final class Arrival {

    private final Datagram datagram;
    private boolean ofGroup;
    private long number = -1;
    private long waitedNs;

    /** Nothing has arrived yet; the datagrams to come are laid upon this one. */
    public Arrival(Datagram datagram) {
        this.datagram = datagram;
    }

    /** An arrival of this datagram at the rank's own address, without a seal. */
    public static Arrival of(MemorySegment datagram) {
        return new Arrival(Datagram.of(datagram));
    }

    /** Sets the socket: the group's, or the rank's own. */
    public Arrival ofGroup(boolean groupSocket) {
        ofGroup = groupSocket;
        return this;
    }

    /** Sets the number with which the sender sealed it; negative without a seal. */
    public Arrival number(long sealedNumber) {
        number = sealedNumber;
        return this;
    }

    /** Sets how long it lay in the system's buffer, in nanoseconds; 0 where that is not known. */
    public Arrival waitedNs(long ns) {
        waitedNs = ns;
        return this;
    }

    /** The datagram, valid until the next one arrives; empty for one that was refused already. */
    public Datagram datagram() {
        return datagram;
    }

    /** Whether it came to the group's address, not to the rank's own. */
    public boolean ofGroup() {
        return ofGroup;
    }

    /** How many datagrams its sender had sealed before it; negative without a seal. */
    public long number() {
        return number;
    }

    /** How long it lay in the system's buffer before it was taken, in nanoseconds. */
    public long waitedNs() {
        return waitedNs;
    }
}
