package org.madcast.allocator.access;

/** Knows people who signed in at a provider, by what they show in place of a token. */
public interface People {

    /** Whether this looks like something that a provider, or a sign-in there, gives out. */
    boolean mayKnow(String shown);

    /** Who shows this, after {@link #mayKnow}. */
    Tokens.Shown show(String shown);
}
