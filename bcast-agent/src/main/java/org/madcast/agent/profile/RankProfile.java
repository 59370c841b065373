package org.madcast.agent.profile;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.util.ArrayList;
import java.util.List;

/**
 * The sums of one rank's profile, as {@code docs/PROFILE.md} describes them. Times in nanoseconds.
 *
 * @param size of the job
 * @param startEpochNs when it began, since 1970 by its host's clock
 * @param wallNs how long it ran
 * @param callNs the part of it in calls, of all threads together
 * @param waitNs the part of that in which a call depended on other ranks
 * @param unrecorded calls of which there are only the sums
 * @param multicastBytes of broadcasts that went to all others at once
 * @param operations the costliest first
 * @param partners ranks to which something was sent, or that were waited for
 */
record RankProfile(
        int rank,
        int size,
        String job,
        String host,
        long startEpochNs,
        long wallNs,
        long callNs,
        long waitNs,
        long unrecorded,
        long multicastBytes,
        List<Operation> operations,
        List<Partner> partners) {

    private static final int FORMAT = 1;

    /**
     * A kind of calls.
     *
     * @param longestAt where in the program the longest one was; empty if it was short
     */
    record Operation(
            String name,
            long calls,
            long ns,
            long waitNs,
            long bytes,
            long longestNs,
            String longestAt) {}

    /** What went to another rank, and how long it was waited for. */
    record Partner(int rank, long messages, long bytes, long waitNs) {}

    /** All that was sent, a broadcast to all counted once. */
    long sentBytes() {
        return multicastBytes + partners.stream().mapToLong(Partner::bytes).sum();
    }

    double share() {
        return wallNs > 0 ? (double) callNs / wallNs : 0;
    }

    /** Whether a line of a file has the sums. */
    static boolean isSummary(JsonObject line) {
        return line.has("profile");
    }

    /**
     * Reads what a rank has written.
     *
     * @throws IllegalArgumentException if it is no profile, or that of another version
     */
    static RankProfile parse(String json) {
        try {
            return of(JsonParser.object().from(json));
        } catch (JsonParserException malformed) {
            throw new IllegalArgumentException("no profile: " + malformed.getMessage(), malformed);
        }
    }

    static RankProfile of(JsonObject json) {
        if (json.getInt("profile", 0) != FORMAT) {
            throw new IllegalArgumentException(
                    "a profile of version %d; this program reads version %d"
                            .formatted(json.getInt("profile", 0), FORMAT));
        }
        int size = json.getInt("size", 0);
        int rank = json.getInt("rank", -1);
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException("rank %d of %d".formatted(rank, size));
        }
        return new RankProfile(
                rank,
                size,
                json.getString("job", ""),
                json.getString("host", ""),
                json.getLong("startEpochNs"),
                json.getLong("wallNs"),
                json.getLong("callNs"),
                json.getLong("waitNs"),
                json.getLong("unrecorded"),
                json.getLong("multicastBytes"),
                operations(json.getArray("ops", new JsonArray())),
                partners(json.getArray("peers", new JsonArray()), size));
    }

    private static List<Operation> operations(JsonArray array) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            JsonObject each = array.getObject(i);
            operations.add(
                    new Operation(
                            each.getString("op", ""),
                            each.getLong("calls"),
                            each.getLong("ns"),
                            each.getLong("waitNs"),
                            each.getLong("bytes"),
                            each.getLong("longestNs"),
                            each.getString("longestAt", "")));
        }
        return List.copyOf(operations);
    }

    private static List<Partner> partners(JsonArray array, int size) {
        List<Partner> partners = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            JsonArray each = array.getArray(i);
            int rank = each.getInt(0);
            if (rank < 0 || rank >= size) {
                throw new IllegalArgumentException("partner %d of %d ranks".formatted(rank, size));
            }
            partners.add(new Partner(rank, each.getLong(1), each.getLong(2), each.getLong(3)));
        }
        return List.copyOf(partners);
    }
}
