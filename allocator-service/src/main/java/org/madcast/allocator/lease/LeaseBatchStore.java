package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome.Granted;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.LeaseGroupStore.Inserted;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.lease.SlotStore.Slot;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Writes many leases in a few statements. Every method joins the caller's transaction. */
@Repository
class LeaseBatchStore {

    private static final String RELEASE =
            """
            with wanted as (
                select * from unnest(:ids::uuid[], :hashes::text[]) as row (id, hash)
                order by id),
            ended as (
                update lease set released_at = now() from wanted, scope
                where lease.id = wanted.id %s
                    and lease.released_at is null and lease.expires_at > now()
                    and scope.name = lease.scope
                    and not exists (select from lease_group g
                        where g.lease_id = lease.id and g.settled)
                returning lease.id, lease.scope,
                    now() + make_interval(secs => scope.quarantine_seconds) as until),
            changed as (
                update lease_group g set
                    blocked = tstzrange(lower(g.blocked),
                        greatest(ended.until, lower(g.blocked) + interval '1 microsecond')),
                    settled = ended.until <= greatest(now(), lower(g.blocked))
                from ended where g.lease_id = ended.id
                returning g.scope, g.slot_number, ended.until),
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
    private final LeaseStore leases;
    private final LeaseGroupStore groups;
    private final SlotStore slots;
    private final GroupPlacement placement;
    private final ScopeCatalog scopes;

    LeaseBatchStore(
            JdbcClient jdbc,
            LeaseStore leases,
            LeaseGroupStore groups,
            SlotStore slots,
            GroupPlacement placement,
            ScopeCatalog scopes) {
        this.jdbc = jdbc;
        this.leases = leases;
        this.groups = groups;
        this.slots = slots;
        this.placement = placement;
        this.scopes = scopes;
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

    /**
     * What was written; leases that are in neither have to be tried alone.
     *
     * @param granted those that have their groups
     * @param refused those that cannot have them
     */
    record Result(List<Granted> granted, Map<UUID, Refused> refused) {}

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

    /**
     * Writes leases with their groups: the slots of all scopes are taken before any group is
     * written, since whoever writes groups may wait for others who do.
     */
    Result insert(Map<Scope, List<NewLease>> wanted, Instant now) {
        List<Placed> placed = new ArrayList<>();
        wanted.forEach((scope, leases) -> {
            if (!leases.isEmpty()) {
                placed.add(propose(scope, leases));
            }
        });
        Set<Inserted> inserted = groups.insert(placed.stream().flatMap(Placed::allRows).toList());
        Result all = new Result(new ArrayList<>(), new LinkedHashMap<>());
        for (Placed each : placed) {
            Result result = settle(each, inserted, now);
            all.granted().addAll(result.granted());
            all.refused().putAll(result.refused());
        }
        return all;
    }

    /**
     * Leases that were written, without their groups so far.
     *
     * @param scope of all of them
     * @param leases that were written
     * @param rows of their groups to be, by lease; none of a lease for which there were no slots
     * @param unused what of the slots is left
     * @param blockedUntil until when all slots were blocked at first
     */
    private record Placed(
            Scope scope,
            List<NewLease> leases,
            Map<UUID, List<Row>> rows,
            List<Slot> unused,
            Instant blockedUntil) {

        Stream<Row> allRows() {
            return rows.values().stream().flatMap(List::stream);
        }
    }

    private Result settle(Placed placed, Set<Inserted> inserted, Instant now) {
        Scope scope = placed.scope();
        List<Granted> granted = new ArrayList<>();
        List<UUID> undone = new ArrayList<>();
        for (NewLease lease : placed.leases()) {
            List<Row> own = placed.rows().getOrDefault(lease.id(), List.of());
            List<Row> lost =
                    own.stream()
                            .filter(it ->
                                    !inserted.contains(new Inserted(it.lease(), it.ordinal())))
                            .toList();
            if (!own.isEmpty() && lost.isEmpty()) {
                granted.add(new Granted(lease(scope, lease, own, now), lease.secret()));
            } else {
                undone.add(lease.id());
                own.stream().filter(it -> !lost.contains(it)).forEach(it -> free(scope, it, now));
                lost.forEach(it -> placement.rest(scope, slot(it), it));
            }
        }
        deleteLeases(undone);
        placed.unused().forEach(it -> slots.blockUntil(scope, it, now));
        correctTerms(scope, placed.rows(), granted, placed.blockedUntil());
        return new Result(granted, refusals(placed));
    }

    private Placed propose(Scope scope, List<NewLease> wanted) {
        Set<UUID> written = insertLeases(scope, wanted);
        if (!scopes.hasSeed(scope.name(), scope.seed())) {
            throw new OptimisticLockingFailureException("scope " + scope.name() + " was edited");
        }
        List<NewLease> fresh = wanted.stream().filter(it -> written.contains(it.id())).toList();
        int count = fresh.stream().mapToInt(it -> it.request().shape().addresses()).sum();
        Instant latest =
                fresh.stream()
                        .map(it -> it.term().blockedUntil())
                        .max(Instant::compareTo)
                        .orElse(Instant.EPOCH);
        List<Slot> taken =
                new ArrayList<>(count == 0 ? List.of() : slots.take(scope, count, latest));
        Map<UUID, List<Row>> rows = new LinkedHashMap<>();
        for (NewLease lease : fresh) {
            int addresses = lease.request().shape().addresses();
            if (addresses > taken.size()) {
                continue;
            }
            List<Row> own = new ArrayList<>();
            for (int i = 0; i < addresses; i++) {
                Slot slot = taken.removeLast();
                MulticastGroup group = scope.groupAt(slot.number(), slot.uses());
                int ports = lease.request().shape().ports();
                own.add(new Row(scope, lease.id(), i, slot.number(), group, ports, lease.term()));
            }
            rows.put(lease.id(), own);
        }
        return new Placed(scope, fresh, rows, taken, latest);
    }

    /** Nothing for those that may have to wait for what others are taking, which is done alone. */
    private Map<UUID, Refused> refusals(Placed placed) {
        List<NewLease> without =
                placed.leases().stream().filter(it -> !placed.rows().containsKey(it.id())).toList();
        if (without.isEmpty() || slots.areOthersTaking(placed.scope())) {
            return Map.of();
        }
        Refused refused = slots.exhausted(placed.scope());
        return without.stream().collect(Collectors.toMap(NewLease::id, it -> refused));
    }

    /** Slots were blocked for the longest of the leases; those of shorter ones rest shorter. */
    private void correctTerms(
            Scope scope, Map<UUID, List<Row>> rows, List<Granted> granted, Instant blockedUntil) {
        Map<Long, Instant> shorter = new LinkedHashMap<>();
        for (Granted lease : granted) {
            for (Row row : rows.getOrDefault(lease.lease().id(), List.of())) {
                if (!row.term().blockedUntil().equals(blockedUntil)) {
                    shorter.put(slot(row).number(), row.term().blockedUntil());
                }
            }
        }
        if (!shorter.isEmpty()) {
            slots.blockUntil(scope, shorter);
        }
    }

    private void free(Scope scope, Row row, Instant now) {
        slots.blockUntil(scope, slot(row), now);
    }

    private static Slot slot(Row row) {
        return new Slot(Objects.requireNonNull(row.slotNumber()), 0);
    }

    private Set<UUID> insertLeases(Scope scope, List<NewLease> wanted) {
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
                                on conflict do nothing
                                returning id
                                """)
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

    private static @Nullable String keyHash(NewLease lease) {
        return lease.idempotencyKey() == null ? null : Secrets.hash(lease.idempotencyKey());
    }

    private void deleteLeases(List<UUID> ids) {
        if (!ids.isEmpty()) {
            jdbc.sql("delete from lease where id = any(:ids::uuid[])")
                    .param("ids", ids.stream().map(UUID::toString).toArray(String[]::new))
                    .update();
        }
    }

    private static Lease lease(Scope scope, NewLease from, List<Row> rows, Instant now) {
        GrantRequest request = from.request();
        List<MulticastGroup> groups = new ArrayList<>();
        for (Row row : rows) {
            for (int i = 0; i < Shape.listed(row.ports()); i++) {
                groups.add(new MulticastGroup(row.group().address(), row.group().port() + i));
            }
        }
        return new Lease(
                from.id(),
                scope.name(),
                request.job(),
                request.communicator(),
                request.user(),
                request.labels(),
                List.copyOf(groups),
                scope.ttl(),
                new Lease.Times(now, now, from.term().expiresAt(), null),
                LeaseState.ACTIVE);
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
                .param("ids", ids.stream().map(UUID::toString).toArray(String[]::new))
                .query((row, index) -> Locked.read(row))
                .list()
                .stream()
                .collect(Collectors.toMap(Locked::id, Function.identity()));
    }

    /** Gives leases whose rows are locked other times. */
    void extend(Map<UUID, Term> terms) {
        if (terms.isEmpty()) {
            return;
        }
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
                            set blocked = tstzrange(lower(g.blocked), wanted.until)
                            from wanted where g.lease_id = wanted.id
                            returning g.scope, g.slot_number, wanted.until),
                        """
                                + SlotStore.OWN_OF_CHANGED
                                + SlotStore.FREE_OWN)
                .param("ids", terms.keySet().stream().map(UUID::toString).toArray(String[]::new))
                .param("ends", times(ordered, Term::expiresAt))
                .param("untils", times(ordered, Term::blockedUntil))
                .update();
    }

    private static String[] times(List<Term> terms, Function<Term, Instant> which) {
        return terms.stream().map(it -> which.apply(it).toString()).toArray(String[]::new);
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
