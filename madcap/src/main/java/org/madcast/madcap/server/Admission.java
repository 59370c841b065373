package org.madcast.madcap.server;

import org.madcast.madcap.LeaseId;
import org.madcast.madcap.Message;

/** What a server is to do with a datagram, decided before any lease is looked at. */
public sealed interface Admission {

    /** Serve it: it is a request for this server, whole and within the rules. */
    record Admitted(Message request) implements Admission {}

    /** Answer with this NAK. */
    record Refused(Message nak) implements Admission {}

    /**
     * The client took another server's offer: stop holding addresses for this lease, say nothing.
     */
    record HoldEnded(LeaseId leaseId) implements Admission {}

    /** Do nothing. */
    record Dropped(DropReason reason) implements Admission {}

    /** Why a datagram gets no answer. */
    enum DropReason {
        /** It is no MADCAP message of version 0 (RFC 2730, sections 2.1, 2.1.1 and 2.1.5). */
        UNREADABLE,
        /** It is of a type that servers send; to answer could make a loop (section 2.6). */
        SERVERS_MESSAGE,
        /** It has no usable lease identifier, without which there is no NAK (section 2.2.6). */
        NO_LEASE_ID,
        /** It came by multicast but is for one server: RENEW and RELEASE (2.2.7, 2.2.8). */
        NOT_FOR_A_GROUP,
        /** It is for a scope that this server does not serve from where it came (section 2.11). */
        SCOPE_NOT_SERVED,
        /** GETINFO at a group where this server does not answer it (section 2.11). */
        GROUP_WITHOUT_INFORMATION
    }
}
