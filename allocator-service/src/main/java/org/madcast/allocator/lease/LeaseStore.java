package org.madcast.allocator.lease;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.ObjectMapper;

/**
 * Writes leases and their groups, each in one statement whose result says whether the database's
 * constraints let it happen. Every method joins the caller's transaction.
 */
@Repository
class LeaseStore {

    private final JdbcClient jdbc;
    private final ObjectMapper json;
    private final SqlTime time;
    private final LeaseGroupStore groups;

    LeaseStore(JdbcClient jdbc, ObjectMapper json, SqlTime time, LeaseGroupStore groups) {
        this.jdbc = jdbc;
        this.json = json;
        this.time = time;
        this.groups = groups;
    }

    /** When the transaction began. */
    Instant now() {
        return time.now();
    }

    /**
     * What the owner of a lease must know, and what tells a repeated request from another one.
     *
     * @param secretHash hash of the lease's secret
     * @param keyHash hash of the idempotency key, if one came
     * @param requestHash hash of the request
     */
    record Proof(String secretHash, @Nullable String keyHash, String requestHash) {}

    /**
     * A lease that is locked until the transaction's end.
     *
     * @param id the lease
     * @param scope its scope
     * @param secretHash hash of its secret
     * @param startsAt when it starts
     * @param expiresAt when it expires
     * @param releasedAt when it was released, if it was
     * @param groups how many groups it has
     * @param settled whether its groups have been given up: by a clock that has stepped back since,
     *     it may seem to run
     */
    record Locked(
            UUID id,
            String scope,
            String secretHash,
            Instant startsAt,
            Instant expiresAt,
            @Nullable Instant releasedAt,
            int groups,
            boolean settled) {

        /** The columns of the lease table that this is read from. */
        static final String COLUMNS =
                """
                id, scope, secret_hash, starts_at, expires_at, released_at, group_count,
                coalesce((select bool_or(g.settled) from lease_group g
                    where g.lease_id = lease.id), false) as settled
                """;

        static Locked read(ResultSet row) throws SQLException {
            return new Locked(
                    row.getObject("id", UUID.class),
                    row.getString("scope"),
                    row.getString("secret_hash"),
                    SqlTime.get(row, "starts_at"),
                    SqlTime.get(row, "expires_at"),
                    SqlTime.getOrNull(row, "released_at"),
                    row.getInt("group_count"),
                    row.getBoolean("settled"));
        }
    }

    /** Writes a lease without groups; false when its idempotency key is taken. */
    boolean insert(UUID id, GrantRequest request, int ttl, Term term, Proof proof) {
        return jdbc.sql(
                                """
                                insert into lease (id, scope, job, communicator, owner, labels,
                                    ttl, group_count, secret_hash, granted_at, starts_at,
                                    expires_at, idempotency_key_hash, request_hash)
                                values (:id, :scope, :job, :communicator, :owner, :labels::jsonb,
                                    :ttl, :groups, :secretHash, now(), :startsAt,
                                    :expiresAt, :keyHash, :requestHash)
                                on conflict do nothing
                                """)
                        .param("id", id)
                        .param("scope", request.scope())
                        .param("job", request.job())
                        .param("communicator", request.communicator())
                        .param("owner", request.user())
                        .param("labels", labels(request.labels()))
                        .param("ttl", ttl)
                        .param("groups", request.shape().groups())
                        .param("secretHash", proof.secretHash())
                        .param("startsAt", SqlTime.of(term.startsAt()))
                        .param("expiresAt", SqlTime.of(term.expiresAt()))
                        .param("keyHash", proof.keyHash())
                        .param("requestHash", proof.requestHash())
                        .update()
                == 1;
    }

    /** Takes back a lease that was inserted in this transaction, and what groups it has. */
    void delete(UUID id) {
        jdbc.sql(
                        """
                        update slot set free_at = now() from lease_group g
                        where g.lease_id = ? and slot.scope = g.scope
                            and slot.number = g.slot_number
                        """)
                .param(id)
                .update();
        jdbc.sql("delete from lease where id = ?").param(id).update();
    }

    Optional<Locked> lock(UUID id) {
        return jdbc.sql("select " + Locked.COLUMNS + " from lease where id = ? for update of lease")
                .param(id)
                .query((row, index) -> Locked.read(row))
                .optional();
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

    /** The lease that came of an idempotency key. */
    Optional<UUID> findByKey(String keyHash) {
        return jdbc.sql("select id from lease where idempotency_key_hash = ?")
                .param(keyHash)
                .query(UUID.class)
                .optional();
    }

    /** Whether the transaction under way wrote a lease, not one before it. */
    boolean isOfThisTransaction(UUID id) {
        return jdbc.sql("select xmin = pg_current_xact_id()::xid from lease where id = ?")
                .param(id)
                .query(Boolean.class)
                .single();
    }

    String requestHash(UUID id) {
        return jdbc.sql("select request_hash from lease where id = ?")
                .param(id)
                .query(String.class)
                .single();
    }

    /** What is written from here on can be taken back, and the transaction goes on. */
    void mark() {
        groups.mark();
    }

    /** Takes back what was written since the mark, which is gone then. */
    void backToMark() {
        groups.backToMark();
    }

    /** The scopes that a lease's groups are of. */
    List<String> scopesOf(UUID id) {
        return jdbc.sql("select distinct scope from lease_group where lease_id = ?")
                .param(id)
                .query(String.class)
                .list();
    }

    void expireAt(Locked lease, Instant expiresAt) {
        groups.takeTurnsOf(List.of(lease));
        jdbc.sql(
                        """
                        update lease set expires_at = ?, renewals = renewals + 1, renewed_at = now()
                        where id = ?
                        """)
                .params(SqlTime.of(expiresAt), lease.id())
                .update();
        blockAfter(lease.id(), expiresAt);
    }

    void release(UUID id, Instant now) {
        jdbc.sql("update lease set released_at = ? where id = ?")
                .params(SqlTime.of(now), id)
                .update();
        blockAfter(id, now);
    }

    /**
     * Lets each group rest from then on, for as long as its own scope says. What need not rest, or
     * never began, is history at once.
     */
    private void blockAfter(UUID id, Instant end) {
        jdbc.sql(
                        """
                        with resting as (
                            select name, :end::timestamptz
                                + make_interval(secs => quarantine_seconds) as until
                            from scope),
                        changed as (
                            update lease_group g
                            set blocked = tstzrange(lower(g.blocked),
                                    greatest(until, lower(g.blocked) + interval '1 microsecond')),
                                settled = until <= greatest(now(), lower(g.blocked))
                            from resting where g.lease_id = :lease and resting.name = g.scope
                            returning g.scope, g.slot_number, until),
                        """
                                + SlotStore.OWN_OF_CHANGED
                                + SlotStore.FREE_OWN)
                .param("end", SqlTime.of(end))
                .param("lease", id)
                .update();
    }

    /** Labels as they are stored. */
    String labels(Map<String, String> labels) {
        return json.writeValueAsString(labels);
    }
}
