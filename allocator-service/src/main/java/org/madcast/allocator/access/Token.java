package org.madcast.allocator.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token that was made over REST, without what only its holder knows.
 *
 * @param name what it is called in lists and in the log
 * @param role what its holder may do
 * @param madeAt when it was made, by the database's clock
 * @param madeBy the name of the caller that made it
 * @param terms until when, and how much
 * @param state what became of it
 */
public record Token(
        String name, Role role, Instant madeAt, String madeBy, Terms terms, State state) {

    /** What a name must look like, as a regular expression. */
    public static final String NAME = "[a-z0-9][a-z0-9._-]{0,62}";

    /**
     * What limits a token; null where nothing does.
     *
     * @param expiresAt when it ends
     * @param requestsPerSecond how many requests each replica answers
     * @param mostGroups how many groups its holders may have at a time
     */
    public record Terms(
            @Nullable Instant expiresAt,
            @Nullable Integer requestsPerSecond,
            @Nullable Integer mostGroups) {

        /** Of a token that nothing limits. */
        public static final Terms NONE = new Terms(null, null, null);
    }

    /**
     * What became of a token; null where nothing did.
     *
     * @param predecessorUntil until when its predecessor is good, beside it
     * @param lastUsedAt about when it was last shown
     * @param lastUsedFrom from which address
     */
    public record State(
            @Nullable Instant predecessorUntil,
            @Nullable Instant lastUsedAt,
            @Nullable String lastUsedFrom) {

        static final State NEW = new State(null, null, null);
    }

    /** Whether it has ended by then. */
    public boolean hasEnded(Instant now) {
        return terms.expiresAt() != null && !now.isBefore(terms.expiresAt());
    }
}
