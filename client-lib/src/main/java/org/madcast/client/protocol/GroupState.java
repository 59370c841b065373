package org.madcast.client.protocol;

/**
 * What a communicator knows about its multicast group; all ranks come to the same answer. It
 * changes in the order of the constants only, and begins anew with another group.
 */
public enum GroupState {
    /** Not every rank has heard the group yet, and there is still time. */
    PROBING(0),
    /** Every rank heard the group. */
    MULTICAST(1),
    /** Some rank did not hear the group in time, or not any more: unicast algorithms serve. */
    UNICAST(2);

    private final int code;

    GroupState(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    int code() {
        return code;
    }

    static GroupState of(int code) {
        return switch (code) {
            case 1 -> MULTICAST;
            case 2 -> UNICAST;
            default -> PROBING;
        };
    }
}
