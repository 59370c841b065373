package org.madcast.allocator.access;

import java.time.Instant;

/**
 * A token that was made over REST, without what only its holder knows.
 *
 * @param name what it is called in lists and in the log
 * @param role what its holder may do
 * @param madeAt when it was made, by the database's clock
 * @param madeBy the name of the caller that made it
 */
public record Token(String name, Role role, Instant madeAt, String madeBy) {

    /** What a name must look like, as a regular expression. */
    public static final String NAME = "[a-z0-9][a-z0-9._-]{0,62}";
}
