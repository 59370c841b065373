package org.madcast.client.lease;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ranks in messages for people. */
final class Ranks {

    private static final int MOST_NAMED = 20;

    private Ranks() {}

    /** The ranks that are not in the table. */
    static List<Integer> missing(List<@Nullable Member> table) {
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < table.size(); rank++) {
            if (table.get(rank) == null) {
                missing.add(rank);
            }
        }
        return missing;
    }

    /** Such as {@code rank 3} or {@code ranks 3, 5 and 7}; a long list is cut with its length. */
    static String name(List<Integer> ranks) {
        if (ranks.size() == 1) {
            return "rank " + ranks.getFirst();
        }
        if (ranks.size() > MOST_NAMED) {
            String first = join(ranks.subList(0, MOST_NAMED));
            return "ranks " + first + " and " + (ranks.size() - MOST_NAMED) + " more";
        }
        return "ranks " + join(ranks.subList(0, ranks.size() - 1)) + " and " + ranks.getLast();
    }

    private static String join(List<Integer> ranks) {
        return String.join(", ", ranks.stream().map(String::valueOf).toList());
    }
}
