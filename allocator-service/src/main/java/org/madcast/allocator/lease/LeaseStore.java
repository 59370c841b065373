package org.madcast.allocator.lease;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseChanges.Claim;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.ObjectMapper;

/**
 * Writes leases, many in one statement whose result tells for which of them the database's
 * constraints allowed it. Every method joins the caller's transaction.
 */
@Repository
class LeaseStore {

    /** Until when a group that is reserved is kept beyond its lease; null of others. */
    private static final String KEPT =
            "(select r.until from reservation r where r.id = g.reservation)";

    private static final String EXTEND =
            """
            with wanted as (
                select * from unnest(:ids::uuid[], :ends::timestamptz[]) as row (id, ends)),
            leases as (
                update lease set expires_at = wanted.ends, renewals = renewals + 1,
                    renewed_at = now()
                from wanted where lease.id = wanted.id),
            resting as (
                select name, make_interval(secs => quarantine_seconds) as rest from scope),
            changed as (
                update lease_group g
                set blocked = tstzrange(lower(g.blocked), greatest(ends + rest, KEPT)),
                    settled = false
                from wanted, resting where g.lease_id = wanted.id and resting.name = g.scope
                returning g.scope, g.slot_number, upper(g.blocked) as until),
            """
                            .replace("KEPT", KEPT)
                    + SlotStore.OWN_OF_CHANGED
                    + SlotStore.FREE_OWN;

    private static final String RELEASE =
            """
            with wanted as (
                select * from unnest(:ids::uuid[], :hashes::text[], :owners::text[])
                    as row (id, hash, owner)
                order by id),
            ended as (
                update lease set released_at = now() from wanted
                where lease.id = wanted.id
                    and (wanted.hash is null or lease.secret_hash = wanted.hash)
                    and (wanted.owner is null or lease.owned_by is null
                        or lease.owned_by = wanted.owner)
                    and lease.released_at is null and lease.expires_at > now()
                    and not exists (select from lease_group g
                        where g.lease_id = lease.id and g.settled)
                returning lease.id, lease.scope, lease.secret_hash, lease.owned_by, lease.job),
            resting as (
                select name, now() + make_interval(secs => quarantine_seconds) as until
                from scope),
            changed as (
                update lease_group g set
                    blocked = tstzrange(lower(g.blocked),
                        greatest(until, KEPT, lower(g.blocked) + interval '1 microsecond')),
                    settled = greatest(until, KEPT) <= greatest(now(), lower(g.blocked))
                from ended, resting where g.lease_id = ended.id and resting.name = g.scope
                returning g.scope, g.slot_number, greatest(until, KEPT) as until),
            """
                            .replace("KEPT", KEPT)
                    + SlotStore.OWN_OF_CHANGED
                    + """
                    , freed as (
                    """
                    + SlotStore.FREE_OWN
                    + """
                    )
                    select id, scope, secret_hash, owned_by, job from ended
                    """;

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    LeaseStore(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * A lease that is locked until the transaction's end.
     *
     * @param id the lease
     * @param scope its scope
     * @param secretHash hash of its secret
     * @param ownedBy whose it is, null if anybody's
     * @param startsAt when it starts
     * @param expiresAt when it expires
     * @param releasedAt when it was released, if it was
     * @param groups how many groups it has
     * @param job the job that has it
     * @param scopes the scopes of its groups
     * @param settled whether its groups have been given up: by a clock that has stepped back since,
     *     it may seem to run
     */
    record Locked(
            UUID id,
            String scope,
            String secretHash,
            @Nullable String ownedBy,
            Instant startsAt,
            Instant expiresAt,
            @Nullable Instant releasedAt,
            int groups,
            String job,
            List<String> scopes,
            boolean settled) {

        private static Locked read(ResultSet row) throws SQLException {
            return new Locked(
                    row.getObject("id", UUID.class),
                    row.getString("scope"),
                    row.getString("secret_hash"),
                    row.getString("owned_by"),
                    SqlTime.get(row, "starts_at"),
                    SqlTime.get(row, "expires_at"),
                    SqlTime.getOrNull(row, "released_at"),
                    row.getInt("group_count"),
                    row.getString("job"),
                    List.of((String[]) row.getArray("scopes").getArray()),
                    row.getBoolean("settled"));
        }
    }

    /**
     * A lease that was granted for an idempotency key.
     *
     * @param id the lease
     * @param requestHash hash of the request that it was granted for
     * @param ownedBy whose it is, null if anybody's
     */
    record Known(UUID id, String requestHash, @Nullable String ownedBy) {}

    /** The leases that were granted for the keys of these hashes, by these. */
    Map<String, Known> findByKeys(Stream<String> keyHashes) {
        String[] hashes = keyHashes.toArray(String[]::new);
        Map<String, Known> known = new HashMap<>();
        if (hashes.length > 0) {
            jdbc.sql(
                            """
                            select idempotency_key_hash, id, request_hash, owned_by from lease
                            where idempotency_key_hash = any(:hashes::text[])
                            """)
                    .param("hashes", hashes)
                    .query((row, index) ->
                            known.put(
                                    row.getString("idempotency_key_hash"),
                                    new Known(
                                            row.getObject("id", UUID.class),
                                            row.getString("request_hash"),
                                            row.getString("owned_by"))))
                    .list();
        }
        return known;
    }

    /**
     * Writes leases without their groups, but not those whose key another lease has. Of two
     * transactions that write one key the second waits for the first, so all write theirs in one
     * order.
     *
     * @return which were written
     */
    Set<UUID> insert(List<NewLease> leases) {
        if (leases.isEmpty()) {
            return Set.of();
        }
        boolean anyHasKey = leases.stream().anyMatch(it -> it.grant().idempotencyKey() != null);
        // Without a key nothing can be taken already, and not to look first writes less.
        String unlessTaken = anyHasKey ? "order by key on conflict do nothing " : "";
        return new HashSet<>(
                jdbc.sql(
                                """
                                insert into lease (id, scope, job, communicator, owner, labels,
                                    ttl, group_count, secret_hash, granted_at, starts_at,
                                    expires_at, idempotency_key_hash, request_hash, owned_by,
                                    counted_for)
                                select id, scope, job, communicator, owner, labels, ttl, groups,
                                    secret, now(), starts_at, expires_at, key, request, owned_by,
                                    counted_for
                                from unnest(:ids::uuid[], :scopes::text[], :jobs::text[],
                                    :communicators::text[], :owners::text[], :labels::jsonb[],
                                    :ttls::int[], :groups::int[], :secrets::text[],
                                    :starts::timestamptz[], :expiries::timestamptz[],
                                    :keys::text[], :requests::text[], :ownedBy::text[],
                                    :countedFor::text[])
                                    as wanted (id, scope, job, communicator, owner, labels, ttl,
                                        groups, secret, starts_at, expires_at, key, request,
                                        owned_by, counted_for)
                                """
                                        + unlessTaken
                                        + "returning id")
                        .param("ids", texts(leases, NewLease::id))
                        .param("scopes", texts(leases, it -> it.scope().name()))
                        .param("jobs", texts(leases, it -> it.request().job()))
                        .param("communicators", texts(leases, it -> it.request().communicator()))
                        .param("owners", texts(leases, it -> it.request().user()))
                        .param(
                                "labels",
                                texts(leases, it -> json.writeValueAsString(it.request().labels())))
                        .param("ttls", texts(leases, it -> it.scope().ttl()))
                        .param("groups", texts(leases, it -> it.request().shape().groups()))
                        .param("secrets", texts(leases, it -> Secrets.hash(it.secret())))
                        .param("starts", texts(leases, it -> it.term().startsAt()))
                        .param("expiries", texts(leases, it -> it.term().expiresAt()))
                        .param("keys", texts(leases, it -> OwnedKey.hash(it.grant())))
                        .param(
                                "requests",
                                texts(leases, it -> Secrets.hash(it.request().toString())))
                        .param("ownedBy", texts(leases, it -> it.grant().owner()))
                        .param("countedFor", texts(leases, it -> countedFor(it.grant().limit())))
                        .query(UUID.class)
                        .list());
    }

    private static @Nullable String countedFor(Requester.@Nullable GroupLimit limit) {
        return limit == null ? null : limit.token();
    }

    /** Makes leases that were inserted in this transaction stand for reservations. */
    void standForReservations(Collection<UUID> ids) {
        jdbc.sql(
                        """
                        update lease set reserves = true, released_at = granted_at
                        where id = any(:ids::uuid[])
                        """)
                .param("ids", texts(ids, it -> it))
                .update();
    }

    /** Deletes leases that were inserted in this transaction and got no groups. */
    void delete(Collection<UUID> ids) {
        if (!ids.isEmpty()) {
            jdbc.sql("delete from lease where id = any(:ids::uuid[])")
                    .param("ids", texts(ids, it -> it))
                    .update();
        }
    }

    /** Locks leases, always in the same order, until the transaction's end. */
    Map<UUID, Locked> lock(Collection<UUID> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return jdbc
                .sql(
                        """
                        select lease.*, coalesce(g.settled, false) as settled,
                            coalesce(g.scopes, array[lease.scope]) as scopes
                        from lease, lateral (
                            select bool_or(settled) as settled, array_agg(distinct scope) as scopes
                            from lease_group where lease_id = lease.id) g
                        where id = any(:ids::uuid[]) order by id for update of lease
                        """)
                .param("ids", texts(ids, it -> it))
                .query((row, index) -> Locked.read(row))
                .list()
                .stream()
                .collect(Collectors.toMap(Locked::id, Function.identity()));
    }

    /** Gives leases whose rows are locked another end; each group rests as its own scope says. */
    void extend(Map<UUID, Instant> ends) {
        jdbc.sql(EXTEND)
                .param("ids", texts(ends.keySet(), it -> it))
                .param("ends", texts(ends.values(), it -> it))
                .update();
    }

    /**
     * A lease that was ended.
     *
     * @param scope its scope
     * @param secretHash hash of its secret
     * @param ownedBy whose it was, null if anybody's
     * @param job the job that had it
     */
    record Released(String scope, String secretHash, @Nullable String ownedBy, String job) {}

    /**
     * Ends those of these leases that run. What need not rest, or never began, is history at once,
     * and leaves the constraints' indexes without being written there again.
     */
    Map<UUID, Released> release(List<Claim> claims) {
        Map<UUID, Released> released = new HashMap<>();
        if (!claims.isEmpty()) {
            jdbc.sql(RELEASE)
                    .param("ids", texts(claims, Claim::id))
                    .param("hashes", texts(claims, Claim::secretHash))
                    .param("owners", texts(claims, Claim::owner))
                    .query((row, index) ->
                            released.put(
                                    row.getObject("id", UUID.class),
                                    new Released(
                                            row.getString("scope"),
                                            row.getString("secret_hash"),
                                            row.getString("owned_by"),
                                            row.getString("job"))))
                    .list();
        }
        return released;
    }

    /** When the first of the later leases of a lease's groups starts. */
    Optional<Instant> nextStart(UUID id) {
        return jdbc.sql(
                        """
                        select min(lower(other.blocked)) as start
                        from (select *, owned_ports_of(port, port_count, whole_address) as owned
                                from lease_group where lease_id = ?) own
                            join lease_group other on other.lease_id <> own.lease_id
                                and lower(other.blocked) >= lower(own.blocked) and
                        """
                                + LeaseGroupStore.IN_THE_WAY)
                .param(id)
                .query((row, index) -> Optional.ofNullable(SqlTime.getOrNull(row, "start")))
                .single();
    }

    /** A column of parameters, as the database reads an array of text. */
    static <T> String[] texts(Collection<T> rows, Function<T, @Nullable Object> column) {
        String[] texts = new String[rows.size()];
        int i = 0;
        for (T row : rows) {
            Object value = column.apply(row);
            texts[i++] = value == null ? null : value.toString();
        }
        return texts;
    }
}
