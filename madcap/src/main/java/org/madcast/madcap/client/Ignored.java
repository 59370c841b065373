package org.madcast.madcap.client;

/** Why a client took no notice of a datagram (RFC 2730, sections 2.1.5, 2.5 and 2.6). */
public enum Ignored {
    /** No MADCAP message, or one with wrong contents. */
    UNREADABLE,
    /** Of a type that does not answer what was asked. */
    UNEXPECTED_TYPE,
    /** Another xid or another lease identifier than the one of the outstanding request. */
    OTHER_TRANSACTION,
    /** From another server than the one that was chosen. */
    OTHER_SERVER,
    /** With options that are missing or must not be there. */
    AGAINST_THE_RULES,
    /** With terms that the request excluded. */
    UNACCEPTABLE_TERMS,
    /** From a server that has answered already. */
    REPEATED,
    /**
     * While nothing is outstanding: before the first transmission, between retries or at the end.
     */
    NOTHING_OUTSTANDING
}
