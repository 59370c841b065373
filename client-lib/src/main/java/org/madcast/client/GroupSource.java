package org.madcast.client;

/** Where a communicator's multicast group came from. */
public enum GroupSource {
    /** Leased from an allocation service over REST: no other live lease shares it. */
    LEASED,
    /** Obtained from an RFC 2730 server. */
    MADCAP,
    /**
     * Drawn at random because no service answered; a collision is unlikely and detected by the
     * token.
     */
    RANDOM,
    /** Given by the user in the configuration. */
    CONFIGURED,
    /** There is no group: a communicator that was made out of another one and needs none so far. */
    NONE
}
