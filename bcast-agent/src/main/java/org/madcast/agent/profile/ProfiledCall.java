package org.madcast.agent.profile;

import com.grack.nanojson.JsonObject;
import java.util.Set;

/**
 * A call of a rank.
 *
 * @param startNs since the rank's profile began
 * @param communicator the same on all ranks of a communicator
 */
record ProfiledCall(long startNs, String operation, long tookNs, String communicator) {

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
                line.getString("comm", ""));
    }
}
