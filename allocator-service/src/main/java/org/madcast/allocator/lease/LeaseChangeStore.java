package org.madcast.allocator.lease;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Renews and releases many leases in a few statements. Every method joins the caller's transaction.
 */
@Repository
class LeaseChangeStore {

    private static final String RELEASE =
            """
            with wanted as (
                select * from unnest(:ids::uuid[], :hashes::text[]) as row (id, hash)
                order by id),
            ended as (
                update lease set released_at = now() from wanted
                where lease.id = wanted.id %s
                    and lease.released_at is null and lease.expires_at > now()
                    and not exists (select from lease_group g
                        where g.lease_id = lease.id and g.settled)
                returning lease.id, lease.scope),
            resting as (
                select name, now() + make_interval(secs => quarantine_seconds) as until
                from scope),
            changed as (
                update lease_group g set
                    blocked = tstzrange(lower(g.blocked),
                        greatest(until, lower(g.blocked) + interval '1 microsecond')),
                    settled = until <= greatest(now(), lower(g.blocked))
                from ended, resting where g.lease_id = ended.id and resting.name = g.scope
                returning g.scope, g.slot_number, until),
            """
                    + SlotStore.OWN_OF_CHANGED
                    + """
                    , freed as (
                    """
                    + SlotStore.FREE_OWN
                    + """
                    )
                    select id, scope from ended
                    """;

    private final JdbcClient jdbc;
    private final LeaseGroupStore groups;

    LeaseChangeStore(JdbcClient jdbc, LeaseGroupStore groups) {
        this.jdbc = jdbc;
        this.groups = groups;
    }

    /** Locks leases, always in the same order, until the transaction's end. */
    Map<UUID, Locked> lock(List<UUID> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return jdbc
                .sql(
                        "select "
                                + Locked.COLUMNS
                                + " from lease where id = any(:ids::uuid[])"
                                + " order by id for update of lease")
                .param("ids", texts(ids))
                .query((row, index) -> Locked.read(row))
                .list()
                .stream()
                .collect(Collectors.toMap(Locked::id, Function.identity()));
    }

    /** Gives leases whose rows are locked other times. */
    void extend(Map<Locked, Term> terms) {
        if (terms.isEmpty()) {
            return;
        }
        groups.takeTurnsOf(terms.keySet());
        List<Term> ordered = List.copyOf(terms.values());
        jdbc.sql(
                        """
                        with wanted as (
                            select * from unnest(:ids::uuid[], :ends::timestamptz[],
                                :untils::timestamptz[]) as row (id, ends, until)),
                        leases as (
                            update lease set expires_at = wanted.ends, renewals = renewals + 1,
                                renewed_at = now()
                            from wanted where lease.id = wanted.id),
                        changed as (
                            update lease_group g
                            set blocked = tstzrange(lower(g.blocked), wanted.until),
                                settled = false
                            from wanted where g.lease_id = wanted.id
                            returning g.scope, g.slot_number, wanted.until),
                        """
                                + SlotStore.OWN_OF_CHANGED
                                + SlotStore.FREE_OWN)
                .param("ids", texts(terms.keySet().stream().map(Locked::id).toList()))
                .param("ends", texts(ordered.stream().map(Term::expiresAt).toList()))
                .param("untils", texts(ordered.stream().map(Term::blockedUntil).toList()))
                .update();
    }

    /**
     * Ends those of these leases that run and have the secret with this hash. What need not rest is
     * history at once, and leaves the constraints' indexes without being written there again.
     *
     * @return the scopes of those that were ended
     */
    Map<UUID, String> release(Map<UUID, String> secretHashes) {
        Map<UUID, String> released = new LinkedHashMap<>();
        jdbc.sql(RELEASE.formatted("and lease.secret_hash = wanted.hash"))
                .param("ids", texts(secretHashes.keySet()))
                .param("hashes", texts(secretHashes.values()))
                .query(released(released))
                .list();
        return released;
    }

    /** Ends those of these leases that run, which the service itself holds for somebody. */
    Map<UUID, String> releaseHeld(Set<UUID> ids) {
        Map<UUID, String> released = new LinkedHashMap<>();
        jdbc.sql(RELEASE.formatted(""))
                .param("ids", texts(ids))
                .param("hashes", new String[0])
                .query(released(released))
                .list();
        return released;
    }

    private static RowMapper<@Nullable String> released(Map<UUID, String> released) {
        return (row, index) ->
                released.put(row.getObject("id", UUID.class), row.getString("scope"));
    }

    private static String[] texts(Collection<?> values) {
        return values.stream().map(Object::toString).toArray(String[]::new);
    }
}
