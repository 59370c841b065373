package org.madcast.netsim;

/** Where a node says to whom the datagram goes that it has just written. Reused for every call. */
public final class TransmitSlot {

    static final int UNSET = Integer.MIN_VALUE;

    private int destination = UNSET;
    private boolean reliable;

    /** Addresses the datagram to a node's number or to {@link Destination#GROUP}. */
    public void to(int destination) {
        this.destination = destination;
    }

    /**
     * Addresses the datagram to a node's number over a connection: nothing is lost on it, and
     * nothing overtakes. Faults and full queues leave it alone; what TCP does about them takes no
     * time here.
     */
    public void reliablyTo(int destination) {
        this.destination = destination;
        this.reliable = true;
    }

    /** Addresses the datagram to all other nodes that have joined. */
    public void toGroup() {
        this.destination = Destination.GROUP;
    }

    int destination() {
        return destination;
    }

    boolean isReliable() {
        return reliable;
    }

    void clear() {
        destination = UNSET;
        reliable = false;
    }
}
