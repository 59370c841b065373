package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.SlotStore.Slot;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.scope.Scope;
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

    LeaseStore(JdbcClient jdbc, ObjectMapper json, SqlTime time) {
        this.jdbc = jdbc;
        this.json = json;
        this.time = time;
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
     * @param expiresAt when it expires
     * @param releasedAt when it was released, if it was
     */
    record Locked(
            UUID id,
            String scope,
            String secretHash,
            Instant expiresAt,
            @Nullable Instant releasedAt) {}

    /** Writes a lease without groups; false when its idempotency key is taken. */
    boolean insert(UUID id, GrantRequest request, Term term, Proof proof) {
        return jdbc.sql(
                                """
                                insert into lease (id, scope, job, communicator, owner, labels,
                                    secret_hash, granted_at, starts_at, expires_at,
                                    idempotency_key_hash, request_hash)
                                values (:id, :scope, :job, :communicator, :owner, :labels::jsonb,
                                    :secretHash, :startsAt, :startsAt, :expiresAt,
                                    :keyHash, :requestHash)
                                on conflict (idempotency_key_hash) do nothing
                                """)
                        .param("id", id)
                        .param("scope", request.scope())
                        .param("job", request.job())
                        .param("communicator", request.communicator())
                        .param("owner", request.user())
                        .param("labels", labels(request.labels()))
                        .param("secretHash", proof.secretHash())
                        .param("startsAt", SqlTime.of(term.startsAt()))
                        .param("expiresAt", SqlTime.of(term.expiresAt()))
                        .param("keyHash", proof.keyHash())
                        .param("requestHash", proof.requestHash())
                        .update()
                == 1;
    }

    /** Adds a group to a lease; false when a live lease is in the way. */
    boolean insertGroup(
            UUID lease, int ordinal, Scope scope, Slot slot, MulticastGroup group, Term term) {
        return jdbc.sql(
                                """
                                insert into lease_group (lease_id, ordinal, scope, slot_number,
                                    address, port, segment, shares_address, blocked)
                                values (:lease, :ordinal, :scope, :slot, :address::inet, :port,
                                    :segment, :shares, tstzrange(:startsAt, :blockedUntil))
                                on conflict do nothing
                                """)
                        .param("lease", lease)
                        .param("ordinal", ordinal)
                        .param("scope", scope.name())
                        .param("slot", slot.number())
                        .param("address", group.address())
                        .param("port", group.port())
                        .param("segment", scope.segment())
                        .param("shares", scope.sharesAddresses())
                        .param("startsAt", SqlTime.of(term.startsAt()))
                        .param("blockedUntil", SqlTime.of(term.blockedUntil()))
                        .update()
                == 1;
    }

    /** Until when live leases are in the way of this group. */
    Optional<Instant> obstructedUntil(Scope scope, MulticastGroup group) {
        return jdbc.sql(
                        """
                        select upper(blocked) as until from lease_group
                        where not settled and upper(blocked) > now()
                            and ((address = :address::inet and port = :port)
                                or (segment = :segment
                                    and family(address) = 4
                                    and ethernet_key
                                        = ((:address::inet - inet '0.0.0.0') & 8388607)))
                        order by 1 desc limit 1
                        """)
                .param("address", group.address())
                .param("port", group.port())
                .param("segment", scope.segment())
                .query((row, index) -> SqlTime.get(row, "until"))
                .optional();
    }

    /** Takes back a lease that was inserted in this transaction. */
    void delete(UUID id) {
        jdbc.sql("delete from lease where id = ?").param(id).update();
    }

    Optional<Locked> lock(UUID id) {
        return jdbc.sql(
                        """
                        select scope, secret_hash, expires_at, released_at from lease
                        where id = ? for update
                        """)
                .param(id)
                .query((row, index) ->
                        new Locked(
                                id,
                                row.getString("scope"),
                                row.getString("secret_hash"),
                                SqlTime.get(row, "expires_at"),
                                SqlTime.getOrNull(row, "released_at")))
                .optional();
    }

    /** The lease that came of an idempotency key. */
    Optional<UUID> findByKey(String keyHash) {
        return jdbc.sql("select id from lease where idempotency_key_hash = ?")
                .param(keyHash)
                .query(UUID.class)
                .optional();
    }

    String requestHash(UUID id) {
        return jdbc.sql("select request_hash from lease where id = ?")
                .param(id)
                .query(String.class)
                .single();
    }

    void expireAt(UUID id, Term term) {
        jdbc.sql("update lease set expires_at = ? where id = ?")
                .params(SqlTime.of(term.expiresAt()), id)
                .update();
        blockUntil(id, term.blockedUntil());
    }

    void release(UUID id, Instant now, Instant blockedUntil) {
        jdbc.sql("update lease set released_at = ? where id = ?")
                .params(SqlTime.of(now), id)
                .update();
        blockUntil(id, blockedUntil);
    }

    private void blockUntil(UUID id, Instant until) {
        jdbc.sql(
                        """
                        with changed as (
                            update lease_group
                            set blocked = tstzrange(lower(blocked),
                                greatest(:until, lower(blocked) + interval '1 microsecond'))
                            where lease_id = :lease
                            returning scope, slot_number)
                        update slot set free_at = :until
                        from changed
                        where slot.scope = changed.scope and slot.number = changed.slot_number
                        """)
                .param("until", SqlTime.of(until))
                .param("lease", id)
                .update();
    }

    private String labels(Map<String, String> labels) {
        return json.writeValueAsString(labels);
    }
}
