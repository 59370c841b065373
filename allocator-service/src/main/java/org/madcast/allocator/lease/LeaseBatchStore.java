package org.madcast.allocator.lease;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.scope.Scope;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Writes the rows of many leases, without their groups, in a few statements. Every method joins the
 * caller's transaction.
 */
@Repository
class LeaseBatchStore {

    private final JdbcClient jdbc;
    private final LeaseStore leases;

    LeaseBatchStore(JdbcClient jdbc, LeaseStore leases) {
        this.jdbc = jdbc;
        this.leases = leases;
    }

    /**
     * A lease to be written.
     *
     * @param id its number
     * @param request what was asked for
     * @param term when
     * @param secret its secret
     * @param idempotencyKey the request's, if one came
     */
    record NewLease(
            UUID id,
            GrantRequest request,
            Term term,
            String secret,
            @Nullable String idempotencyKey) {}

    /** Hashes of those keys that leases came of already. */
    Set<String> knownKeys(Stream<@Nullable String> keys) {
        String[] hashes =
                keys.filter(Objects::nonNull)
                        .map(it -> Secrets.hash(Objects.requireNonNull(it)))
                        .toArray(String[]::new);
        if (hashes.length == 0) {
            return Set.of();
        }
        return Set.copyOf(
                jdbc.sql(
                                """
                                select idempotency_key_hash from lease
                                where idempotency_key_hash = any(:hashes::text[])
                                """)
                        .param("hashes", hashes)
                        .query(String.class)
                        .list());
    }

    /** Writes leases of one scope, but those whose key another lease has; says which. */
    Set<UUID> insert(Scope scope, List<NewLease> wanted) {
        return Set.copyOf(
                jdbc.sql(
                                """
                                insert into lease (id, scope, job, communicator, owner, labels,
                                    ttl, group_count, secret_hash, granted_at, starts_at,
                                    expires_at, idempotency_key_hash, request_hash)
                                select id, :scope, job, communicator, owner, labels, :ttl, groups,
                                    secret, now(), now(), expires_at, key, request
                                from unnest(:ids::uuid[], :jobs::text[], :communicators::text[],
                                    :owners::text[], :labels::jsonb[], :groups::int[],
                                    :secrets::text[], :expiries::timestamptz[], :keys::text[],
                                    :requests::text[])
                                    as wanted (id, job, communicator, owner, labels, groups,
                                        secret, expires_at, key, request)
                                """
                                        + (anyHasKey(wanted) ? "on conflict do nothing " : "")
                                        + "returning id")
                        .param("scope", scope.name())
                        .param("ttl", scope.ttl())
                        .param("ids", texts(wanted, NewLease::id))
                        .param("jobs", texts(wanted, it -> it.request().job()))
                        .param("communicators", texts(wanted, it -> it.request().communicator()))
                        .param("owners", texts(wanted, it -> it.request().user()))
                        .param("labels", texts(wanted, it -> leases.labels(it.request().labels())))
                        .param(
                                "groups",
                                wanted.stream()
                                        .map(it -> it.request().shape().groups())
                                        .toArray(Integer[]::new))
                        .param("secrets", texts(wanted, it -> Secrets.hash(it.secret())))
                        .param("expiries", texts(wanted, it -> it.term().expiresAt()))
                        .param("keys", texts(wanted, LeaseBatchStore::keyHash))
                        .param(
                                "requests",
                                texts(wanted, it -> Secrets.hash(it.request().toString())))
                        .query(UUID.class)
                        .list());
    }

    /** Without a key nothing can be taken already, and not to look first writes less. */
    private static boolean anyHasKey(List<NewLease> leases) {
        return leases.stream().anyMatch(it -> it.idempotencyKey() != null);
    }

    private static @Nullable String keyHash(NewLease lease) {
        return lease.idempotencyKey() == null ? null : Secrets.hash(lease.idempotencyKey());
    }

    /** Takes back leases that were inserted in this transaction. */
    void delete(List<UUID> ids) {
        if (!ids.isEmpty()) {
            jdbc.sql("delete from lease where id = any(:ids::uuid[])")
                    .param("ids", ids.stream().map(UUID::toString).toArray(String[]::new))
                    .update();
        }
    }

    private static String[] texts(
            List<NewLease> leases, Function<NewLease, @Nullable Object> column) {
        String[] texts = new String[leases.size()];
        for (int i = 0; i < texts.length; i++) {
            Object value = column.apply(leases.get(i));
            texts[i] = value == null ? null : value.toString();
        }
        return texts;
    }
}
