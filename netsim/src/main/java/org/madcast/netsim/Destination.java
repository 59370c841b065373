package org.madcast.netsim;

/** Where a datagram may go besides a node's number. */
public final class Destination {

    /** Multicast: to every other node that has joined. */
    public static final int GROUP = -1;

    private Destination() {}
}
