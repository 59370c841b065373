package org.madcast.allocator.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What was done. */
public enum AuditKind {
    /** A lease was granted. */
    LEASE_GRANTED,
    /** A lease was renewed by another than its owner. */
    LEASE_RENEWED,
    /** A lease was given back, or taken back. */
    LEASE_RELEASED,
    /** A lease expired: it was not renewed in time. */
    LEASE_EXPIRED,
    /** A group was reserved. */
    RESERVATION_MADE,
    /** A reservation was removed. */
    RESERVATION_REMOVED,
    /** A communicator was ended by an operator. */
    COMMUNICATOR_ENDED,
    /** A scope was made. */
    SCOPE_MADE,
    /** A scope was changed, closed and opened included. */
    SCOPE_CHANGED,
    /** A scope was removed. */
    SCOPE_REMOVED,
    /** A token was made. */
    TOKEN_MADE,
    /** A token got a successor. */
    TOKEN_REPLACED,
    /** A token was revoked. */
    TOKEN_REVOKED,
    /** A webhook was set. */
    WEBHOOK_SET,
    /** A webhook was removed. */
    WEBHOOK_REMOVED,
    /** A topology was put, in the place of another or not. */
    TOPOLOGY_SET,
    /** A topology was removed. */
    TOPOLOGY_REMOVED,
    /** The state was read as a whole. */
    STATE_EXPORTED,
    /** A state was written as a whole. */
    STATE_IMPORTED,
    /** A person signed in on the dashboard. */
    SIGN_IN,
    /** The sign-in page was sent a token that is not known. */
    SIGN_IN_FAILED,
    /** A request was refused: the caller may not, or there is nothing left. */
    REFUSED;

    /** As it is written: {@code lease.granted}. */
    public String word() {
        String name = name().toLowerCase(Locale.ROOT);
        return this == SIGN_IN || this == SIGN_IN_FAILED
                ? name.replace('_', '-')
                : name.replace('_', '.');
    }

    /** The words of this kind, or of all kinds that begin like it; empty when there is none. */
    static List<String> like(String what) {
        return Arrays.stream(values())
                .map(AuditKind::word)
                .filter(it -> it.equals(what) || it.startsWith(what + "."))
                .toList();
    }

    /** Whether it is done to a lease. */
    boolean isOfLease() {
        return name().startsWith("LEASE_");
    }
}
