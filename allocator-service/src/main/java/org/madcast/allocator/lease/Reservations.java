package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditEntry;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.lease.LeaseGrants.Grant;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.LeaseRules.Source;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.Reservation.Holder;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

/**
 * Reserves certain groups, and leases certain groups for others: what an operator decides. All that
 * is asked for at a time is done, or nothing. From any thread, on any number of replicas: the
 * constraints that keep leases apart keep reservations apart, too.
 */
@Service
class Reservations {

    private static final String RESERVED = "reserved";
    private static final Duration SHORTEST = Duration.ofNanos(1000);

    private final ScopeCatalog scopes;
    private final ReservationStore store;
    private final LeaseStore leases;
    private final LeaseGroupStore groups;
    private final SlotStore slots;
    private final LeaseNews news;
    private final Tools tools;

    Reservations(
            ScopeCatalog scopes,
            ReservationStore store,
            LeaseStore leases,
            LeaseGroupStore groups,
            SlotStore slots,
            LeaseNews news,
            Tools tools) {
        this.scopes = scopes;
        this.store = store;
        this.leases = leases;
        this.groups = groups;
        this.slots = slots;
        this.news = news;
        this.tools = tools;
    }

    /** What any such work needs. */
    @Component
    record Tools(RetryingTransaction transaction, SqlTime time, Secrets secrets) {}

    /**
     * A group that is wanted.
     *
     * @param line its line where it is one of many; 0 if it is alone
     * @param address its address
     * @param port its port; null for all of them
     * @param scope its scope; null for the smallest one that has the address
     * @param holder for whom
     * @param until until when; null for ever
     */
    public record Wanted(
            int line,
            String address,
            @Nullable Integer port,
            @Nullable String scope,
            Holder holder,
            @Nullable Instant until) {}

    /** A lease that was made for another, and its secret. */
    public record Leased(int line, Lease lease, String secret) {}

    /** A wanted group, and the row that it needs. */
    private record Placed(Wanted wanted, NewLease lease, Row row) {}

    /** Ends a transaction that was only to be tried. */
    private static final class Tried extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Object result;

        Tried(Object result) {
            super("tried", null, false, false);
            this.result = result;
        }
    }

    /** All that have not ended. */
    public List<Reservation> all() {
        return store.all();
    }

    /**
     * Reserves groups.
     *
     * @param dryRun whether to undo it: then only what would be wrong is told
     */
    public List<Reservation> reserve(List<Wanted> all, boolean dryRun) {
        return inOne(all, dryRun, owners -> reserveNow(all, owners));
    }

    /** Leases groups for others, who get their secrets from the caller. */
    public List<Leased> lease(List<Wanted> all, boolean dryRun) {
        return inOne(all, dryRun, owners -> leaseNow(all, owners));
    }

    /** Removes a reservation; the answer is empty if there is none. */
    public Optional<Reservation> remove(UUID id) {
        return tools.transaction()
                .call(() -> {
                    Optional<Reservation> removed = store.remove(id);
                    removed.ifPresent(
                            it -> news.record(List.of(entry(AuditKind.RESERVATION_REMOVED, it))));
                    return removed;
                });
    }

    @SuppressWarnings("unchecked")
    private <T> List<T> inOne(
            List<Wanted> all, boolean dryRun, Function<Map<String, String>, List<T>> work) {
        try {
            return tools.transaction()
                    .call(() -> {
                        List<T> done = work.apply(ownersByToken(all));
                        if (dryRun) {
                            throw new Tried(done);
                        }
                        return done;
                    });
        } catch (Tried tried) {
            return (List<T>) tried.result;
        }
    }

    private Map<String, String> ownersByToken(List<Wanted> all) {
        Map<String, String> owners = new HashMap<>();
        EachRow.run(
                all,
                each -> {
                    String token = each.holder().token();
                    if (token != null && !owners.containsKey(token)) {
                        owners.put(
                                token,
                                store.ownerOf(token)
                                        .orElseThrow(() ->
                                                wrong(each, "token", "names no token: " + token)));
                    }
                });
        return owners;
    }

    private List<Reservation> reserveNow(List<Wanted> all, Map<String, String> owners) {
        Instant now = tools.time().now();
        List<Reservation> made = new ArrayList<>();
        Map<String, Scope> byName = lockScopes();
        List<Placed> placed =
                EachRow.of(
                        all,
                        each -> {
                            Scope scope = scope(each, byName);
                            Instant until = until(each, now);
                            Reservation reservation = reservation(each, scope, now, until);
                            made.add(reservation);
                            // Its group is that of a lease that was given back, and rests until
                            // the end.
                            return placed(
                                    each,
                                    new Source(scope, new Term(now, now.plus(SHORTEST), until)),
                                    owners,
                                    reservation.id());
                        });
        store.insert(made, owners);
        write(placed);
        leases.standForReservations(placed.stream().map(it -> it.lease().id()).toList());
        news.record(made.stream().map(it -> entry(AuditKind.RESERVATION_MADE, it)).toList());
        return made;
    }

    private static Reservation reservation(Wanted wanted, Scope scope, Instant now, Instant until) {
        return new Reservation(
                LeaseNumbers.next(),
                scope.name(),
                scope.addresses().textOf(wanted.address()),
                wanted.port(),
                wanted.holder(),
                until,
                new Reservation.Made(now, Actor.current().name()),
                null);
    }

    private List<Leased> leaseNow(List<Wanted> all, Map<String, String> owners) {
        Instant now = tools.time().now();
        Map<String, Scope> byName = lockScopes();
        List<Placed> placed =
                EachRow.of(
                        all,
                        each -> {
                            Scope scope = scope(each, byName);
                            Source source = new Source(scope, term(each, scope, now));
                            return placed(each, source, owners, null);
                        });
        write(placed);
        List<Leased> leased = new ArrayList<>();
        for (Placed it : placed) {
            Lease granted = it.lease().granted(List.of(it.row()), now);
            leased.add(new Leased(it.wanted().line(), granted, it.lease().secret()));
        }
        news.record(
                leased.stream()
                        .map(it -> LeaseRecords.granted(Actor.current(), it.lease()))
                        .toList());
        return leased;
    }

    private static Term term(Wanted wanted, Scope scope, Instant now) {
        if (wanted.until() == null) {
            throw wrong(wanted, "until", "is needed: a lease ends");
        }
        return LeaseRules.term(scope, now, Duration.between(now, until(wanted, now)))
                .orElseThrow(() ->
                        wrong(
                                wanted,
                                "until",
                                "is later than the scope leases, which is for %d s"
                                        .formatted(scope.longestLease().toSeconds())));
    }

    /** So that slots keep their numbers. */
    private Map<String, Scope> lockScopes() {
        return new TreeMap<>(scopes.lock(scopes.all().stream().map(Scope::name).toList()));
    }

    private static Scope scope(Wanted wanted, Map<String, Scope> byName) {
        if (wanted.holder().isNobody()) {
            throw wrong(wanted, "job", "is needed, or a user or a token");
        }
        try {
            return byName.values().stream()
                    .filter(it -> wanted.scope() == null || wanted.scope().equals(it.name()))
                    .filter(it -> it.addresses().numberOf(wanted.address()).isPresent())
                    // The one that is meant, where a scope is a part of another's range.
                    .min(Comparator.comparingLong(it -> it.addresses().size()))
                    .orElseThrow(() ->
                            wrong(
                                    wanted,
                                    "address",
                                    "is of no scope's pool%s: %s"
                                            .formatted(
                                                    wanted.scope() == null ? "" : " of this name",
                                                    wanted.address())));
        } catch (IllegalArgumentException noAddress) {
            throw wrong(wanted, "address", "is no address: " + wanted.address());
        }
    }

    private static Instant until(Wanted wanted, Instant now) {
        Instant until = wanted.until() == null ? Reservation.FOR_EVER : wanted.until();
        if (!until.isAfter(now)) {
            throw wrong(wanted, "until", "must be later than now: " + until);
        }
        return until.isAfter(Reservation.FOR_EVER) ? Reservation.FOR_EVER : until;
    }

    private Placed placed(
            Wanted wanted, Source source, Map<String, String> owners, @Nullable UUID reservation) {
        Scope scope = source.scope();
        Integer given = wanted.port();
        if (given == null && scope.sharesAddresses()) {
            throw wrong(wanted, "port", "is needed: " + scope.name() + " shares addresses by port");
        }
        int port = given == null ? scope.ports().first() : given;
        OptionalLong slot = scope.slotOf(wanted.address(), port);
        if (slot.isEmpty()) {
            throw wrong(wanted, "port", "is none of the scope's: " + scope.ports());
        }
        Holder holder = wanted.holder();
        String token = holder.token();
        GrantRequest request =
                new GrantRequest(
                        holder.job() == null ? RESERVED : holder.job(),
                        null,
                        holder.user(),
                        Map.of(),
                        scope.name(),
                        given == null ? Shape.whole(1) : Shape.separate(1),
                        Duration.between(source.term().startsAt(), source.term().expiresAt()),
                        null);
        NewLease lease =
                new NewLease(
                        LeaseNumbers.next(),
                        new Grant(
                                token == null ? null : owners.get(token),
                                request,
                                null,
                                null,
                                Actor.current()),
                        List.of(source),
                        tools.secrets().random());
        Row row =
                lease.parts()
                        .getFirst()
                        .row(0, slot.getAsLong(), scope.addresses().textOf(wanted.address()), port)
                        .keptBy(reservation);
        return new Placed(wanted, lease, row);
    }

    private void write(List<Placed> all) {
        leases.insert(all.stream().map(Placed::lease).toList());
        Map<Scope, List<Row>> byScope = new TreeMap<>(Comparator.comparing(Scope::name));
        all.forEach(it ->
                byScope.computeIfAbsent(it.row().scope(), _ -> new ArrayList<>()).add(it.row()));
        // Only so that grants do not try them in vain.
        byScope.forEach(slots::occupy);
        var lost = new HashSet<>(groups.insert(all.stream().map(Placed::row).toList(), false));
        List<Placed> refused =
                all.stream().filter(it -> lost.contains(it.row())).limit(EachRow.MOST).toList();
        if (!refused.isEmpty()) {
            int line = refused.getFirst().wanted().line();
            throw new Problem(
                            ProblemType.CONFLICT,
                            refused.stream()
                                    .map(this::inTheWay)
                                    .collect(Collectors.joining("; ", "", ".")))
                    .with("line", line == 0 ? null : line);
        }
    }

    private String inTheWay(Placed placed) {
        Wanted wanted = placed.wanted();
        Optional<ReservationStore.InTheWay> other = store.inTheWayOf(placed.row());
        String whose =
                other.map(it ->
                                "%s of job %s, until %s"
                                        .formatted(
                                                it.reserved() ? "a reservation" : "a lease",
                                                it.job(),
                                                it.until().equals(Reservation.FOR_EVER)
                                                        ? "it is removed"
                                                        : it.until()))
                        .orElse("another lease");
        return "%s%s: in the way is %s"
                .formatted(
                        wanted.line() == 0 ? "" : "line " + wanted.line() + ", ",
                        wanted.address(),
                        whose);
    }

    private static Problem wrong(Wanted wanted, String field, String message) {
        return wanted.line() == 0
                ? Problem.invalid(field, message)
                : Problem.invalid("line " + wanted.line(), field + " " + message);
    }

    private static AuditEntry entry(AuditKind kind, Reservation reservation) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("scope", reservation.scope());
        LeaseRecords.put(detail, "job", reservation.holder().job());
        LeaseRecords.put(detail, "user", reservation.holder().user());
        LeaseRecords.put(detail, "token", reservation.holder().token());
        LeaseRecords.put(detail, "until", Objects.toString(reservation.end(), null));
        return AuditEntry.of(kind, reservation.group(), detail);
    }
}
