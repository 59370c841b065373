package org.madcast.allocator.audit;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that was done, to be recorded.
 *
 * @param kind what
 * @param by who did it
 * @param subject what it was done to: a job, a scope, a token, a path
 * @param lease the lease, if it was done to one
 * @param groups of a grant, its addresses; else empty
 * @param detail what else is worth knowing, as it is written in JSON; no secrets
 */
public record AuditEntry(
        AuditKind kind,
        Actor by,
        String subject,
        @Nullable UUID lease,
        List<String> groups,
        Map<String, Object> detail) {

    /** Of what is no lease. */
    public static AuditEntry of(AuditKind kind, String subject, Map<String, Object> detail) {
        return new AuditEntry(kind, Actor.current(), subject, null, List.of(), detail);
    }

    /** Of a lease that there is. */
    public static AuditEntry of(
            AuditKind kind, Actor by, UUID lease, String job, Map<String, Object> detail) {
        return new AuditEntry(kind, by, job, lease, List.of(), detail);
    }
}
