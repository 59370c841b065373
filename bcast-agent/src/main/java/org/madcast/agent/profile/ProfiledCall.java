package org.madcast.agent.profile;

import com.grack.nanojson.JsonObject;
import java.util.Set;

/**
 * A call of a rank.
 *
 * @param startNs since the rank's profile began
 * @param peer the rank that it depended on; -1 if none is known
 * @param communicator the same on all ranks of a communicator
 * @param place in the program; empty for short calls
 */
record ProfiledCall(
        long startNs,
        String operation,
        long tookNs,
        long waitedNs,
        long bytes,
        int peer,
        String communicator,
        String place) {

    /** Those that depend on two ranks alone, or on what was begun before. */
    private static final Set<String> NOT_COLLECTIVE =
            Set.of("wait", "send", "ssend", "recv", "probe", "isend", "issend", "irecv");

    /** Whether all ranks of the communicator make this call, in the same order. */
    boolean isCollective() {
        return !NOT_COLLECTIVE.contains(operation);
    }

    static ProfiledCall of(JsonObject line) {
        return new ProfiledCall(
                line.getLong("t"),
                line.getString("op", ""),
                line.getLong("ns"),
                line.getLong("waitNs"),
                line.getLong("bytes"),
                line.getInt("peer", -1),
                line.getString("comm", ""),
                line.getString("at", ""));
    }
}
