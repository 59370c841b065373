package org.madcast.allocator.access;

import java.util.Locale;

/** What a caller may do; each may also do what those before it may. */
public enum Role {
    /** Nothing but ask whether the service is well, and read its metrics. */
    NONE,
    /** Look at everything that is no secret. */
    VIEWER,
    /** Lease groups, meet in communicators and report: jobs, and the agents of nodes. */
    JOB,
    /** Change scopes, take leases from others, make and revoke tokens. */
    OPERATOR;

    /** Whether a caller of this role may do what needs the other one. */
    public boolean allows(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** As it is written in settings, requests and the database. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of a word that {@link #word()} gave. */
    public static Role of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
