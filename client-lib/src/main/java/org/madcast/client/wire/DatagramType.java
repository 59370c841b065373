package org.madcast.client.wire;

/** What a datagram carries; the code is its second byte. */
public enum DatagramType {
    /** A fragment on its first way, multicast by the root or handed on by a forwarder. */
    DATA(1),
    /** A fragment again, on request. */
    REPAIR(2),
    /** Asks for fragments: payload of (first sequence, count) pairs of 32 bits each. */
    REPAIR_REQUEST(3),
    /** The sender holds every fragment below the sequence. */
    HAVE(4),
    /** The lowest sequence that the sender's subtree has not consumed; also its heartbeat. */
    PROGRESS(5),
    /** The lowest sequence that any rank has not consumed; a parent's heartbeat to its children. */
    WATERMARK(6),
    /** Asks for a HAVE; describes the call that the sender waits in. */
    PING(7),
    /** The communicator failed: payload of kind, rank and two values. */
    FAILURE(8),
    /** The sender leaves; no rank waits for it any more. */
    BYE(9),
    /** As {@link #REPAIR}, but to the whole group, because several ranks asked. */
    GROUP_REPAIR(10),
    /** The communicator moves: payload of the move's number and the new group. */
    REGROUP(11);

    private static final DatagramType[] BY_CODE = new DatagramType[16];

    static {
        for (DatagramType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    DatagramType(int code) {
        this.code = code;
    }

    /** The byte on the wire. */
    public byte code() {
        return (byte) code;
    }

    /** True for a fragment on its first way and for repairs. */
    public boolean carriesFragment() {
        return this == DATA || this == REPAIR || this == GROUP_REPAIR;
    }

    static boolean isKnown(byte code) {
        return code > 0 && code < BY_CODE.length && BY_CODE[code] != null;
    }

    /** The type with this code; call only after {@link DatagramCheck} accepted the datagram. */
    public static DatagramType of(byte code) {
        return BY_CODE[code];
    }
}
