package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome.Granted;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.GroupPlacement.Part;
import org.madcast.allocator.lease.GroupPlacement.Wanted;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.LeaseStore.Proof;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.stereotype.Component;

/** Grants one lease of any shape. Joins the caller's transaction. */
@Component
class Granting {

    private final ScopeCatalog scopes;
    private final LeaseStore store;
    private final GroupPlacement separate;
    private final BlockPlacement blocks;
    private final Quota quota;
    private final LeaseQueries queries;
    private final Secrets secrets;

    Granting(
            ScopeCatalog scopes,
            LeaseStore store,
            GroupPlacement separate,
            BlockPlacement blocks,
            Quota quota,
            LeaseQueries queries,
            Secrets secrets) {
        this.scopes = scopes;
        this.store = store;
        this.separate = separate;
        this.blocks = blocks;
        this.quota = quota;
        this.queries = queries;
        this.secrets = secrets;
    }

    /**
     * Where groups come from: of pairs red ones from the first, blue ones from the second.
     *
     * @param scope the scope
     * @param term the lease's times, and how long the groups of this scope rest after
     */
    private record Source(Scope scope, Term term) {}

    GrantOutcome grant(GrantRequest request, @Nullable String idempotencyKey) {
        @Nullable String keyHash = idempotencyKey == null ? null : Secrets.hash(idempotencyKey);
        String requestHash = Secrets.hash(request.toString());
        if (idempotencyKey != null && keyHash != null) {
            Optional<UUID> known = store.findByKey(keyHash);
            if (known.isPresent()) {
                return replay(known.get(), idempotencyKey, requestHash);
            }
        }
        List<Scope> from = new ArrayList<>();
        for (String name : names(request)) {
            Optional<Scope> scope = scopes.find(name);
            if (scope.isEmpty()) {
                return new GrantOutcome.NoSuchScope(name);
            }
            from.add(scope.get());
        }
        Optional<Refused> refused = refusal(from, request);
        if (refused.isPresent()) {
            return refused.get();
        }
        Instant now = store.now();
        if (request.startsAt() != null && request.startsAt().isBefore(now)) {
            return new GrantOutcome.StartsTooEarly(now);
        }
        Instant startsAt = request.startsAt() == null ? now : request.startsAt();
        if (startsAt.isAfter(now.plus(LeaseRules.LONGEST_AHEAD))) {
            return new GrantOutcome.StartsTooLate(now.plus(LeaseRules.LONGEST_AHEAD));
        }
        List<Source> sources = new ArrayList<>();
        for (Scope scope : from) {
            Optional<Term> term = LeaseRules.term(scope, startsAt, request.duration());
            if (term.isEmpty()) {
                return new GrantOutcome.TooLong(scope.name(), scope.longestLease());
            }
            sources.add(new Source(scope, term.get()));
        }
        UUID id = LeaseNumbers.next();
        String secret = secret(id, idempotencyKey);
        Proof proof = new Proof(Secrets.hash(secret), keyHash, requestHash);
        Source first = sources.getFirst();
        if (!store.insert(id, request, first.scope().ttl(), first.term(), proof)) {
            // The same key came at the same time, and its transaction is committed by now.
            return grant(request, idempotencyKey);
        }
        from.forEach(this::requireUnchanged);
        return placed(id, sources, request)
                .<GrantOutcome>map(it -> it)
                .orElseGet(() -> new Granted(queries.find(id).orElseThrow(), secret));
    }

    private static List<String> names(GrantRequest request) {
        @Nullable String blue = request.shape().blueScope();
        return blue == null ? List.of(request.scope()) : List.of(request.scope(), blue);
    }

    /** The secret of a lease, which a repeated request must get again. */
    String secret(UUID id, @Nullable String idempotencyKey) {
        return idempotencyKey == null
                ? secrets.random()
                : secrets.derived("lease", id.toString(), idempotencyKey);
    }

    /**
     * The lease that was just written refers to its scope's row, so an operator's edit waits from
     * here on; one that came before it numbered the slots anew.
     */
    private void requireUnchanged(Scope scope) {
        if (!scopes.hasSeed(scope.name(), scope.seed())) {
            throw new OptimisticLockingFailureException("scope " + scope.name() + " was edited");
        }
    }

    private Optional<Refused> refusal(List<Scope> from, GrantRequest request) {
        for (Scope scope : from) {
            Instant closedAt = scope.policy().closedAt();
            if (closedAt != null) {
                return Optional.of(new GrantOutcome.ScopeClosed(scope.name(), closedAt));
            }
            Optional<GrantOutcome.NotPossible> impossible =
                    LeaseRules.impossible(scope, request.shape());
            if (impossible.isPresent()) {
                return Optional.of(impossible.get());
            }
        }
        return quota.exceeded(from, request).map(it -> it);
    }

    private Optional<Refused> placed(UUID id, List<Source> sources, GrantRequest request) {
        Shape shape = request.shape();
        Source first = sources.getFirst();
        Wanted wanted = wanted(id, request, null, 0, first.term());
        Optional<Refused> refused =
                switch (shape.layout()) {
                    case SEPARATE -> separate.place(List.of(new Part(first.scope(), wanted)));
                    case BLOCK -> blocks.place(first.scope(), shape, wanted);
                    case RED_BLUE -> placePairs(id, first, sources.getLast(), request);
                };
        if (refused.isPresent()) {
            store.delete(id);
        }
        return refused;
    }

    private Optional<Refused> placePairs(UUID id, Source red, Source blue, GrantRequest request) {
        int pairs = request.shape().addresses();
        return separate.place(
                List.of(
                        new Part(red.scope(), wanted(id, request, "red", 0, red.term())),
                        new Part(blue.scope(), wanted(id, request, "blue", pairs, blue.term()))));
    }

    private static Wanted wanted(
            UUID id, GrantRequest request, @Nullable String role, int firstOrdinal, Term term) {
        Shape shape = request.shape();
        boolean later = request.startsAt() != null;
        return new Wanted(id, firstOrdinal, shape.addresses(), shape.ports(), role, term, later);
    }

    private GrantOutcome replay(UUID id, String idempotencyKey, String requestHash) {
        if (!store.requestHash(id).equals(requestHash)) {
            return new GrantOutcome.KeyReused();
        }
        return new Granted(queries.find(id).orElseThrow(), secret(id, idempotencyKey));
    }
}
