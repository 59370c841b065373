package org.madcast.netsim;

/** Why a datagram, or the switch's copy of it for one receiver, was not delivered. */
public enum DropCause {
    /** Independent loss. */
    LOSS(0),
    /** A burst of losses. */
    BURST_LOSS(1),
    /** The link was dead for an interval. */
    BLACKOUT(2),
    /** Sender and receiver were on different sides of a partition. */
    PARTITION(3),
    /** The network did not carry multicast. */
    MULTICAST_BLOCKED(4),
    /** A test's predicate said so. */
    SCRIPTED(5),
    /** The queue of the switch's port was full. */
    SWITCH_QUEUE(6),
    /** The receiver's socket buffer was full. */
    RECEIVE_BUFFER(7),
    /** The receiver was dead. */
    CRASHED(8),
    /** The queue of a trunk's port was full. */
    TRUNK_QUEUE(9);

    /** Numbered from 0 without gaps; part of the trace's hash, so never renumbered. */
    private final int code;

    DropCause(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
