package org.madcast.netsim;

/** Which half of a datagram's way a fault sits on. */
public enum LinkSide {
    /** Between the sender and the switch: what happens here happens for all receivers. */
    UPLINK,
    /** Between the switch and one receiver: happens to that receiver's copy only. */
    DOWNLINK
}
