package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome.Granted;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.lease.LeaseStore.Proof;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * Grants, renews and releases leases. From any thread, on any number of replicas: the database
 * decides between them. A call inside of a transaction joins it.
 */
@Service
public class LeaseService {

    private final ScopeCatalog scopes;
    private final LeaseStore store;
    private final GroupPlacement placement;
    private final LeaseQueries queries;
    private final Secrets secrets;
    private final RetryingTransaction transaction;
    private final ApplicationEventPublisher events;

    LeaseService(
            ScopeCatalog scopes,
            LeaseStore store,
            GroupPlacement placement,
            LeaseQueries queries,
            Secrets secrets,
            RetryingTransaction transaction,
            ApplicationEventPublisher events) {
        this.scopes = scopes;
        this.store = store;
        this.placement = placement;
        this.queries = queries;
        this.secrets = secrets;
        this.transaction = transaction;
        this.events = events;
    }

    /**
     * Grants a lease.
     *
     * @param request what is asked for
     * @param idempotencyKey when not null, the same key and request again give the same lease
     */
    public GrantOutcome grant(GrantRequest request, @Nullable String idempotencyKey) {
        GrantOutcome outcome = transaction.call(() -> grantNow(request, idempotencyKey));
        events.publishEvent(
                switch (outcome) {
                    case Granted granted -> new LeaseEvent.Granted(request.scope());
                    case Refused refused ->
                            new LeaseEvent.Refused(
                                    refused instanceof GrantOutcome.NoSuchScope
                                            ? "unknown"
                                            : request.scope(),
                                    refused.reason());
                });
        return outcome;
    }

    /** Gives an active lease another time to run, from now; its groups stay the same. */
    public RenewalOutcome renew(UUID id, @Nullable String secret, Duration duration) {
        return renewed(id, lease -> Secrets.matches(secret, lease.secretHash()), duration);
    }

    /** Renews a lease that the service itself holds for somebody. */
    public RenewalOutcome renewHeld(UUID id, Duration duration) {
        return renewed(id, lease -> true, duration);
    }

    /** Ends an active lease; its groups rest before somebody else gets them. */
    public RenewalOutcome release(UUID id, @Nullable String secret) {
        return released(id, lease -> Secrets.matches(secret, lease.secretHash()));
    }

    /** Releases a lease that the service itself holds for somebody. */
    public RenewalOutcome releaseHeld(UUID id) {
        return released(id, lease -> true);
    }

    private GrantOutcome grantNow(GrantRequest request, @Nullable String idempotencyKey) {
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
        Optional<Term> term = LeaseRules.term(scope.get(), store.now(), request.duration());
        if (term.isEmpty()) {
            return new GrantOutcome.TooLong(request.scope(), scope.get().longestLease());
        }
        UUID id = UUID.randomUUID();
        String secret = secret(id, idempotencyKey);
        Proof proof = new Proof(Secrets.hash(secret), keyHash, requestHash);
        if (!store.insert(id, request, term.get(), proof)) {
            // The same key came at the same time, and its transaction is committed by now.
            return grantNow(request, idempotencyKey);
        }
        Optional<Refused> refused = placement.place(id, scope.get(), request.count(), term.get());
        return refused.<GrantOutcome>map(it -> it)
                .orElseGet(() -> new Granted(queries.find(id).orElseThrow(), secret));
    }

    private GrantOutcome replay(UUID id, String idempotencyKey, String requestHash) {
        if (!store.requestHash(id).equals(requestHash)) {
            return new GrantOutcome.KeyReused();
        }
        return new Granted(queries.find(id).orElseThrow(), secret(id, idempotencyKey));
    }

    private String secret(UUID id, @Nullable String idempotencyKey) {
        return idempotencyKey == null
                ? secrets.random()
                : secrets.derived("lease", id.toString(), idempotencyKey);
    }

    private RenewalOutcome renewed(UUID id, Predicate<Locked> allowed, Duration duration) {
        RenewalOutcome outcome =
                transaction.call(() -> changed(id, allowed, lease -> extend(lease, duration)));
        if (outcome instanceof RenewalOutcome.Done done) {
            events.publishEvent(new LeaseEvent.Renewed(done.lease().scope()));
        }
        return outcome;
    }

    private RenewalOutcome released(UUID id, Predicate<Locked> allowed) {
        RenewalOutcome outcome = transaction.call(() -> changed(id, allowed, this::end));
        if (outcome instanceof RenewalOutcome.Done done) {
            events.publishEvent(new LeaseEvent.Released(done.lease().scope()));
        }
        return outcome;
    }

    private RenewalOutcome changed(
            UUID id, Predicate<Locked> allowed, Function<Locked, RenewalOutcome> change) {
        Optional<Locked> lease = store.lock(id).filter(allowed);
        if (lease.isEmpty()) {
            return new RenewalOutcome.NoSuchLease();
        }
        Instant releasedAt = lease.get().releasedAt();
        Instant expiresAt = lease.get().expiresAt();
        return switch (LeaseRules.state(store.now(), expiresAt, releasedAt)) {
            case ACTIVE -> change.apply(lease.get());
            case RELEASED, EXPIRED ->
                    new RenewalOutcome.Ended(releasedAt == null ? expiresAt : releasedAt);
        };
    }

    private RenewalOutcome extend(Locked lease, Duration duration) {
        Scope scope = scopes.find(lease.scope()).orElseThrow();
        Optional<Term> term = LeaseRules.term(scope, store.now(), duration);
        if (term.isEmpty()) {
            return new RenewalOutcome.TooLong(scope.longestLease());
        }
        store.expireAt(lease.id(), term.get());
        return new RenewalOutcome.Done(queries.find(lease.id()).orElseThrow());
    }

    private RenewalOutcome end(Locked lease) {
        Scope scope = scopes.find(lease.scope()).orElseThrow();
        Instant now = store.now();
        store.release(lease.id(), now, LeaseRules.blockedUntilAfterRelease(scope, now));
        return new RenewalOutcome.Done(queries.find(lease.id()).orElseThrow());
    }
}
