package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseBatchStore.NewLease;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.SqlTime;
import org.springframework.stereotype.Component;

/**
 * Decides about many requests in a few statements: simple grants (separate addresses, from now on,
 * in a scope without quotas) and releases. What is not simple gets no answer here and has to be
 * decided alone. Joins the caller's transaction.
 */
@Component
class LeaseBatch {

    private final ScopeCatalog scopes;
    private final LeaseBatchStore store;
    private final BatchPlacement placement;
    private final LeaseChangeStore changes;
    private final Granting granting;
    private final SqlTime time;

    LeaseBatch(
            ScopeCatalog scopes,
            LeaseBatchStore store,
            BatchPlacement placement,
            LeaseChangeStore changes,
            Granting granting,
            SqlTime time) {
        this.scopes = scopes;
        this.store = store;
        this.placement = placement;
        this.changes = changes;
        this.granting = granting;
        this.time = time;
    }

    /** A grant to decide about. */
    record Grant(GrantRequest request, @Nullable String idempotencyKey) {}

    /** A release to decide about. */
    record Release(UUID id, @Nullable String secret) {}

    /** Whether a grant may be decided with others. */
    static boolean accepts(GrantRequest request) {
        return request.shape().layout() == Shape.Layout.SEPARATE && request.startsAt() == null;
    }

    /** Decides about grants; the answers are in the requests' order. */
    List<Optional<GrantOutcome>> grant(List<Grant> grants) {
        return grant(grants, time.beginByIndex());
    }

    /** The same in a transaction that has begun already, by index, and when it did. */
    List<Optional<GrantOutcome>> grant(List<Grant> grants, Instant now) {
        Answers<GrantOutcome> answers = new Answers<>(grants.size());
        // In one order: who waits for somebody to deal must not be waited for.
        Map<String, List<Integer>> byScope = new TreeMap<>();
        Set<String> knownKeys = store.knownKeys(grants.stream().map(Grant::idempotencyKey));
        Set<String> seen = new HashSet<>(knownKeys);
        for (int i = 0; i < grants.size(); i++) {
            String key = grants.get(i).idempotencyKey();
            if (key == null || seen.add(Secrets.hash(key))) {
                byScope.computeIfAbsent(grants.get(i).request().scope(), scope -> new ArrayList<>())
                        .add(i);
            }
        }
        Map<UUID, Integer> indexOf = new LinkedHashMap<>();
        Map<Scope, List<NewLease>> wanted = new LinkedHashMap<>();
        byScope.forEach((name, indexes) -> {
            Optional<Scope> found = scopes.find(name);
            if (found.isEmpty()) {
                indexes.forEach(i -> answers.set(i, new GrantOutcome.NoSuchScope(name)));
            } else if (found.get().policy().isOpen() && !found.get().policy().hasQuota()) {
                wanted.put(
                        found.get(), wanted(found.get(), indexes, grants, now, answers, indexOf));
            }
        });
        BatchPlacement.Result result = placement.place(wanted, now);
        result.granted().forEach(it -> answers.set(index(indexOf, it.lease().id()), it));
        result.refused().forEach((id, why) -> answers.set(index(indexOf, id), why));
        return answers.list();
    }

    private List<NewLease> wanted(
            Scope scope,
            List<Integer> indexes,
            List<Grant> grants,
            Instant now,
            Answers<GrantOutcome> answers,
            Map<UUID, Integer> indexOf) {
        List<NewLease> leases = new ArrayList<>();
        for (int i : indexes) {
            Grant grant = grants.get(i);
            Optional<Term> term = LeaseRules.term(scope, now, grant.request().duration());
            if (LeaseRules.impossible(scope, grant.request().shape()).isPresent()) {
                continue;
            }
            if (term.isEmpty()) {
                answers.set(i, new GrantOutcome.TooLong(scope.name(), scope.longestLease()));
                continue;
            }
            UUID id = LeaseNumbers.next();
            String secret = granting.secret(id, grant.idempotencyKey());
            leases.add(
                    new NewLease(id, grant.request(), term.get(), secret, grant.idempotencyKey()));
            indexOf.put(id, i);
        }
        return leases;
    }

    private static int index(Map<UUID, Integer> indexOf, UUID id) {
        Integer index = indexOf.get(id);
        if (index == null) {
            throw new IllegalStateException("no such lease in the batch: " + id);
        }
        return index;
    }

    /**
     * Gives leases other times, from when this transaction began, by index.
     *
     * @return which; the others have to be tried alone
     */
    Set<UUID> extend(Map<UUID, Duration> durations, Instant now) {
        Map<String, Optional<Scope>> known = new LinkedHashMap<>();
        Map<Locked, Term> terms = new LinkedHashMap<>();
        changes.lock(List.copyOf(durations.keySet()))
                .forEach((id, lease) -> {
                    if (LeaseRules.over(lease, now).isEmpty() && !lease.startsAt().isAfter(now)) {
                        known.computeIfAbsent(lease.scope(), scopes::find)
                                .flatMap(it -> LeaseRules.term(it, now, durationOf(durations, id)))
                                .ifPresent(it -> terms.put(lease, it));
                    }
                });
        changes.extend(terms);
        return terms.keySet().stream().map(Locked::id).collect(Collectors.toSet());
    }

    private static Duration durationOf(Map<UUID, Duration> durations, UUID id) {
        return Objects.requireNonNull(durations.get(id), "a lease that nobody asked for");
    }

    /** Decides about releases; the answers are in the requests' order. */
    List<Optional<RenewalOutcome>> release(List<Release> releases) {
        Instant now = time.beginByIndex();
        Answers<RenewalOutcome> answers = new Answers<>(releases.size());
        Map<UUID, String> hashes = new LinkedHashMap<>();
        for (Release release : releases) {
            String secret = release.secret();
            hashes.putIfAbsent(release.id(), Secrets.hash(secret == null ? "" : secret));
        }
        Map<UUID, String> released = changes.release(hashes);
        Map<UUID, Locked> others = changes.lock(without(hashes.keySet(), released.keySet()));
        Set<UUID> seen = new HashSet<>();
        for (int i = 0; i < releases.size(); i++) {
            Release release = releases.get(i);
            String scope = released.get(release.id());
            if (!seen.add(release.id())) {
                continue; // asked twice at a time: the second is told alone what became of it
            }
            if (scope != null) {
                answers.set(i, new RenewalOutcome.Released(scope, now));
            } else {
                answers.set(i, unreleased(release, others.get(release.id()), now));
            }
        }
        return answers.list();
    }

    /**
     * Releases what the service itself holds.
     *
     * @return the scopes of those that were; the others have to be tried alone
     */
    Map<UUID, String> releaseHeld(Set<UUID> ids) {
        return changes.releaseHeld(ids);
    }

    private static List<UUID> without(Set<UUID> all, Set<UUID> some) {
        return all.stream().filter(it -> !some.contains(it)).toList();
    }

    /** Why a lease was not released; nothing when that has to be found out alone. */
    private static @Nullable RenewalOutcome unreleased(
            Release release, @Nullable Locked lease, Instant now) {
        if (lease == null || !Secrets.matches(release.secret(), lease.secretHash())) {
            return new RenewalOutcome.NoSuchLease();
        }
        return LeaseRules.over(lease, now).orElse(null);
    }

    /** Answers in the requests' order, each of which may be missing. */
    private static final class Answers<A> {

        private final List<Optional<A>> answers;

        Answers(int size) {
            answers = new ArrayList<>(Collections.nCopies(size, Optional.empty()));
        }

        void set(int index, @Nullable A answer) {
            answers.set(index, Optional.ofNullable(answer));
        }

        List<Optional<A>> list() {
            return answers;
        }
    }
}
