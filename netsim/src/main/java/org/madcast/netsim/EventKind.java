package org.madcast.netsim;

/** What an entry of the {@link EventQueue} means. */
enum EventKind {
    /** A datagram has crossed its sender's uplink. */
    AT_SWITCH,
    /** A datagram that an uplink's fault held back goes on from the switch. */
    FORWARD,
    /** A datagram has crossed a trunk; the node is the port where it went in. */
    OVER_TRUNK,
    /** A datagram has crossed a receiver's downlink. */
    AT_HOST,
    /** A node reads the next datagram from its receive buffer. */
    READ,
    /** A host goes on with its turn on a processor that it shares. */
    TURN,
    /** A node's uplink has room again. */
    UPLINK_ROOM,
    /** A node's deadline has come, unless it was moved. */
    DEADLINE,
    /** The application made a call on a node. */
    TOUCH,
    /** A test's own action. */
    ACTION
}
