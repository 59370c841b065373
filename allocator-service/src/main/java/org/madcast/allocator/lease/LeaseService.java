package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.RetryingTransaction;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Grants, renews and releases leases. From any thread, on any number of replicas: the database
 * decides between them. A call inside of a transaction joins it.
 */
@Service
public class LeaseService {

    private final ScopeCatalog scopes;
    private final LeaseStore store;
    private final Granting granting;
    private final GroupCommit together;
    private final LeaseQueries queries;
    private final RetryingTransaction transaction;
    private final ApplicationEventPublisher events;

    LeaseService(
            ScopeCatalog scopes,
            LeaseStore store,
            Granting granting,
            GroupCommit together,
            LeaseQueries queries,
            RetryingTransaction transaction,
            ApplicationEventPublisher events) {
        this.scopes = scopes;
        this.store = store;
        this.granting = granting;
        this.together = together;
        this.queries = queries;
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
        Optional<GrantOutcome> decided = together.grant(request, idempotencyKey);
        if (decided.isPresent()) {
            events.publishEvent(LeaseEvent.of(request.scope(), decided.get()));
            return decided.get();
        }
        return transaction.call(() -> grantAlone(request, idempotencyKey));
    }

    private GrantOutcome grantAlone(GrantRequest request, @Nullable String idempotencyKey) {
        GrantOutcome outcome = granting.grant(request, idempotencyKey);
        boolean repeated =
                idempotencyKey != null
                        && outcome instanceof GrantOutcome.Granted granted
                        && !store.isOfThisTransaction(granted.lease().id());
        if (!repeated) {
            events.publishEvent(LeaseEvent.of(request.scope(), outcome));
        }
        return outcome;
    }

    /**
     * Gives a lease that has not ended another time to run, from now or from its start; its groups
     * stay the same.
     */
    public RenewalOutcome renew(UUID id, @Nullable String secret, Duration duration) {
        return renewed(id, lease -> Secrets.matches(secret, lease.secretHash()), duration);
    }

    /** Renews a lease that the service itself holds for somebody. */
    public RenewalOutcome renewHeld(UUID id, Duration duration) {
        return renewed(id, lease -> true, duration);
    }

    /** Ends a lease that has not ended; its groups rest before somebody else gets them. */
    public RenewalOutcome release(UUID id, @Nullable String secret) {
        return told(
                together.release(id, secret)
                        .orElseGet(() ->
                                released(
                                        id, lease -> Secrets.matches(secret, lease.secretHash()))));
    }

    /** Releases a lease that the service itself holds for somebody. */
    public RenewalOutcome releaseHeld(UUID id) {
        return told(released(id, lease -> true));
    }

    private RenewalOutcome renewed(UUID id, Predicate<Locked> allowed, Duration duration) {
        boolean joins = TransactionSynchronizationManager.isActualTransactionActive();
        RenewalOutcome outcome;
        try {
            outcome =
                    transaction.call(() ->
                            changed(
                                    id,
                                    allowed,
                                    lease ->
                                            joins
                                                    ? extendUnlessReserved(lease, duration)
                                                    : extend(lease, duration)));
        } catch (DataIntegrityViolationException reserved) {
            return obstructed(id);
        }
        if (outcome instanceof RenewalOutcome.Done done) {
            events.publishEvent(new LeaseEvent.Renewed(done.lease().scope()));
        }
        return outcome;
    }

    private RenewalOutcome released(UUID id, Predicate<Locked> allowed) {
        return transaction.call(() -> changed(id, allowed, this::end));
    }

    private RenewalOutcome told(RenewalOutcome outcome) {
        if (outcome instanceof RenewalOutcome.Released done) {
            events.publishEvent(new LeaseEvent.Released(done.scope()));
        }
        return outcome;
    }

    private RenewalOutcome changed(
            UUID id, Predicate<Locked> allowed, Function<Locked, RenewalOutcome> change) {
        Optional<Locked> lease = store.lock(id).filter(allowed);
        if (lease.isEmpty()) {
            return new RenewalOutcome.NoSuchLease();
        }
        return LeaseRules.over(lease.get(), store.now()).orElseGet(() -> change.apply(lease.get()));
    }

    private RenewalOutcome obstructed(UUID id) {
        return new RenewalOutcome.Obstructed(store.nextStart(id).orElse(null));
    }

    /** Within a transaction of the caller's, which has more to do when the database refuses. */
    private RenewalOutcome extendUnlessReserved(Locked lease, Duration duration) {
        store.mark();
        try {
            return extend(lease, duration);
        } catch (DataIntegrityViolationException reserved) {
            store.backToMark();
            return obstructed(lease.id());
        }
    }

    private RenewalOutcome extend(Locked lease, Duration duration) {
        Duration longest = longest(lease);
        if (duration.compareTo(longest) > 0) {
            return new RenewalOutcome.TooLong(longest);
        }
        Instant now = store.now();
        Instant from = lease.startsAt().isAfter(now) ? lease.startsAt() : now;
        store.expireAt(lease, from.plus(duration));
        return new RenewalOutcome.Done(queries.find(lease.id()).orElseThrow());
    }

    /** The shorter one of the scopes of red and blue. */
    private Duration longest(Locked lease) {
        List<String> names =
                lease.groups() == 1 ? List.of(lease.scope()) : store.scopesOf(lease.id());
        return names.stream()
                .map(name -> scopes.find(name).orElseThrow().longestLease())
                .min(Duration::compareTo)
                .orElseThrow();
    }

    private RenewalOutcome end(Locked lease) {
        Instant now = store.now();
        store.release(lease.id(), now);
        return new RenewalOutcome.Released(lease.scope(), now);
    }
}
