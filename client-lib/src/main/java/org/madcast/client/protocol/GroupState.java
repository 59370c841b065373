package org.madcast.client.protocol;

/** What a communicator knows about its multicast group; all ranks come to the same answer. */
public enum GroupState {
    /** Not every rank has heard the group yet, and there is still time. */
    PROBING,
    /** Every rank heard the group. */
    MULTICAST,
    /** Some rank did not hear the group in time: unicast algorithms serve. */
    UNICAST;

    private static final GroupState[] VALUES = values();

    static GroupState of(int code) {
        return code >= 0 && code < VALUES.length ? VALUES[code] : PROBING;
    }
}
