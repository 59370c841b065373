package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.lease.LeaseChanges.Claim;
import org.madcast.allocator.lease.LeaseChanges.Renewal;
import org.madcast.allocator.lease.LeaseGrants.Grant;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.springframework.stereotype.Service;

/**
 * Grants, renews and releases leases. From any thread, on any number of replicas: the database
 * decides between them. A call inside of a transaction joins it.
 */
@Service
public class LeaseService {

    private final LeaseBatcher batcher;
    private final LeaseGrants grants;
    private final LeaseChanges changes;

    LeaseService(LeaseBatcher batcher, LeaseGrants grants, LeaseChanges changes) {
        this.batcher = batcher;
        this.grants = grants;
        this.changes = changes;
    }

    /**
     * Grants a lease.
     *
     * @param by who asks, whose the lease is
     * @param request what is requested
     * @param idempotencyKey when not null, the same key and request of the same owner again give
     *     the same lease
     */
    public GrantOutcome grant(Requester by, GrantRequest request, @Nullable String idempotencyKey) {
        return batcher.grant(
                new Grant(by.owner(), request, idempotencyKey, by.groupLimit(), Actor.current()));
    }

    /**
     * Gives a lease that has not ended another time to run, from now or from its start; its groups
     * stay the same.
     */
    public RenewalOutcome renew(Requester by, UUID id, @Nullable String secret, Duration duration) {
        return batcher.renew(new Renewal(Claim.shown(by, id, secret), duration));
    }

    /** Renews a lease that the service itself holds for its owner. */
    public RenewalOutcome renewHeld(UUID id, Duration duration) {
        return batcher.renew(new Renewal(Claim.held(id, null), duration));
    }

    /** Ends a lease that has not ended; its groups rest before another lease gets them. */
    public RenewalOutcome release(Requester by, UUID id, @Nullable String secret) {
        return batcher.release(Claim.shown(by, id, secret));
    }

    /** Releases a lease by force, for an operator. */
    public RenewalOutcome takeBack(Requester by, UUID id) {
        return batcher.release(Claim.forced(by, id));
    }

    /** Releases a lease that the service itself holds for its owner. */
    public RenewalOutcome releaseHeld(UUID id) {
        return batcher.release(Claim.held(id, Actor.current()));
    }

    /**
     * Grants leases that the service itself holds for others, within the caller's transaction. The
     * caller records for whom.
     *
     * @param now when that began, by {@link SqlTime#beginByIndex}
     * @return the outcomes, in the order of the requests
     */
    public List<GrantOutcome> grantAll(List<GrantRequest> requests, Instant now) {
        return grants.grant(
                requests.stream().map(it -> new Grant(null, it, null, null, null)).toList(), now);
    }

    /**
     * Renews leases that the service itself holds for others, within the caller's transaction. That
     * fails when a later lease is in the way of one of several.
     *
     * @param now when it began, by {@link SqlTime#beginByIndex}
     */
    public Map<UUID, RenewalOutcome> renewAll(Map<UUID, Duration> durations, Instant now) {
        List<Renewal> renewals =
                durations.entrySet().stream()
                        .map(it -> new Renewal(Claim.held(it.getKey(), null), it.getValue()))
                        .toList();
        return byId(durations.keySet(), changes.renew(renewals, now));
    }

    /**
     * Releases leases that the service itself holds for others, within the caller's transaction.
     *
     * @param by who is to be recorded to have released which of them; the others are not recorded
     * @param now when it began, by {@link SqlTime#beginByIndex}
     */
    public void releaseAll(Collection<UUID> ids, Map<UUID, Actor> by, Instant now) {
        changes.release(ids.stream().map(it -> Claim.held(it, by.get(it))).toList(), now);
    }

    private static Map<UUID, RenewalOutcome> byId(
            Collection<UUID> ids, List<RenewalOutcome> outcomes) {
        Map<UUID, RenewalOutcome> byId = new LinkedHashMap<>();
        for (UUID id : ids) {
            byId.put(id, outcomes.get(byId.size()));
        }
        return byId;
    }
}
