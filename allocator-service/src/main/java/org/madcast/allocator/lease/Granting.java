package org.madcast.allocator.lease;

import java.time.Instant;
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

    GrantOutcome grant(GrantRequest request, @Nullable String idempotencyKey) {
        @Nullable String keyHash = idempotencyKey == null ? null : Secrets.hash(idempotencyKey);
        String requestHash = Secrets.hash(request.toString());
        if (idempotencyKey != null && keyHash != null) {
            Optional<UUID> known = store.findByKey(keyHash);
            if (known.isPresent()) {
                return replay(known.get(), idempotencyKey, requestHash);
            }
        }
        Optional<Scope> scope = scopes.find(request.scope());
        if (scope.isEmpty()) {
            return new GrantOutcome.NoSuchScope(request.scope());
        }
        Optional<Refused> refused = refusal(scope.get(), request);
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
        Optional<Term> term = LeaseRules.term(scope.get(), startsAt, request.duration());
        if (term.isEmpty()) {
            return new GrantOutcome.TooLong(request.scope(), scope.get().longestLease());
        }
        UUID id = LeaseNumbers.next();
        String secret = secret(id, idempotencyKey);
        Proof proof = new Proof(Secrets.hash(secret), keyHash, requestHash);
        if (!store.insert(id, request, scope.get().ttl(), term.get(), proof)) {
            // The same key came at the same time, and its transaction is committed by now.
            return grant(request, idempotencyKey);
        }
        requireUnchanged(scope.get());
        return placed(id, scope.get(), request, term.get())
                .<GrantOutcome>map(it -> it)
                .orElseGet(() -> new Granted(queries.find(id).orElseThrow(), secret));
    }

    /** The secret of a lease, which a repeated request must get again. */
    String secret(UUID id, @Nullable String idempotencyKey) {
        return idempotencyKey == null
                ? secrets.random()
                : secrets.derived("lease", id.toString(), idempotencyKey);
    }

    /**
     * The lease that was just written refers to the scope's row, so an operator's edit waits from
     * here on; one that came before it numbered the slots anew.
     */
    private void requireUnchanged(Scope scope) {
        if (!scopes.hasSeed(scope.name(), scope.seed())) {
            throw new OptimisticLockingFailureException("scope " + scope.name() + " was edited");
        }
    }

    private Optional<Refused> refusal(Scope scope, GrantRequest request) {
        Instant closedAt = scope.policy().closedAt();
        if (closedAt != null) {
            return Optional.of(new GrantOutcome.ScopeClosed(scope.name(), closedAt));
        }
        Optional<GrantOutcome.NotPossible> impossible =
                LeaseRules.impossible(scope, request.shape());
        return impossible.isPresent()
                ? Optional.of(impossible.get())
                : quota.exceeded(scope, request).map(it -> it);
    }

    private Optional<Refused> placed(UUID id, Scope scope, GrantRequest request, Term term) {
        Shape shape = request.shape();
        Optional<Refused> refused =
                switch (shape.layout()) {
                    case SEPARATE ->
                            separate.place(List.of(new Part(scope, wanted(id, request, term))));
                    case BLOCK -> blocks.place(scope, shape, wanted(id, request, term));
                    case RED_BLUE -> placePairs(id, scope, request, term);
                };
        if (refused.isPresent()) {
            store.delete(id);
        }
        return refused;
    }

    private Optional<Refused> placePairs(UUID id, Scope red, GrantRequest request, Term term) {
        Shape shape = request.shape();
        String blueName = String.valueOf(shape.blueScope());
        Optional<Scope> blue = scopes.find(blueName);
        if (blue.isEmpty()) {
            return Optional.of(new GrantOutcome.NoSuchScope(blueName));
        }
        Instant closedAt = blue.get().policy().closedAt();
        if (closedAt != null) {
            return Optional.of(new GrantOutcome.ScopeClosed(blueName, closedAt));
        }
        Optional<GrantOutcome.NotPossible> impossible = LeaseRules.impossible(blue.get(), shape);
        if (impossible.isPresent()) {
            return Optional.of(impossible.get());
        }
        return separate.place(
                List.of(
                        new Part(red, wanted(id, request, "red", 0, term)),
                        new Part(
                                blue.get(), wanted(id, request, "blue", shape.addresses(), term))));
    }

    private static Wanted wanted(UUID id, GrantRequest request, Term term) {
        return wanted(id, request, null, 0, term);
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
