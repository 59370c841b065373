package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditEntry;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.lease.LeaseStore.Released;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.web.Requester;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;

/** Renews and releases leases, any number in a few statements. Joins the caller's transaction. */
@Component
class LeaseChanges {

    private final ScopeCatalog scopes;
    private final LeaseStore store;
    private final LeaseGroupStore groups;
    private final LeaseNews news;

    LeaseChanges(ScopeCatalog scopes, LeaseStore store, LeaseGroupStore groups, LeaseNews news) {
        this.scopes = scopes;
        this.store = store;
        this.groups = groups;
        this.news = news;
    }

    /**
     * Which lease, and by what right.
     *
     * @param id the lease
     * @param secretHash hash of the secret that was shown; null for a lease that the service itself
     *     holds for its owner
     * @param owner whose leases it may change besides those that are anybody's; null if all
     * @param by who is to be recorded to have done it; null to record nothing
     */
    record Claim(UUID id, @Nullable String secretHash, @Nullable String owner, @Nullable By by) {

        static Claim shown(Requester by, UUID id, @Nullable String secret) {
            return new Claim(
                    id,
                    Secrets.hash(secret == null ? "" : secret),
                    by.operates() ? null : by.owner(),
                    new By(Actor.current(), by.owner()));
        }

        static Claim forced(Requester by, UUID id) {
            return new Claim(id, null, null, new By(Actor.current(), by.owner()));
        }

        static Claim held(UUID id, @Nullable Actor by) {
            return new Claim(id, null, null, by == null ? null : new By(by, null));
        }

        /** Why it may not change a lease with this secret and owner, if so. */
        private Optional<RenewalOutcome> refused(String hash, @Nullable String ownedBy) {
            if (secretHash != null && !Secrets.areEqual(secretHash, hash)) {
                return Optional.of(new RenewalOutcome.NoSuchLease());
            }
            return owner == null || ownedBy == null || owner.equals(ownedBy)
                    ? Optional.empty()
                    : Optional.of(new RenewalOutcome.Foreign());
        }
    }

    /**
     * Who changes a lease.
     *
     * @param actor who
     * @param owner the owner to compare with the lease's; null for one who acts for the owner
     */
    record By(Actor actor, @Nullable String owner) {

        /** Whether a lease of this owner is another's. */
        boolean isOther(@Nullable String ownedBy) {
            return owner != null && ownedBy != null && !ownedBy.equals(owner);
        }
    }

    /** A renewal to decide. */
    record Renewal(Claim claim, Duration duration) {}

    /**
     * Gives leases that have not ended another time to run, from now or from their start. When a
     * later lease is in the way of one of several, the transaction fails; of a single one, that is
     * the answer.
     *
     * @param now when the transaction began
     * @return the answers in the order of the renewals, each of another lease
     */
    List<RenewalOutcome> renew(List<Renewal> renewals, Instant now) {
        Map<UUID, Locked> locked = lock(renewals.stream().map(Renewal::claim).toList());
        Map<String, Scope> byName =
                scopes.find(locked.values().stream().flatMap(it -> it.scopes().stream()).toList());
        List<@Nullable RenewalOutcome> outcomes = new ArrayList<>();
        Map<UUID, Instant> ends = new LinkedHashMap<>();
        for (Renewal renewal : renewals) {
            Optional<RenewalOutcome> refused =
                    refused(renewal.claim(), locked.get(renewal.claim().id()), now);
            if (refused.isEmpty()) {
                Locked lease = Objects.requireNonNull(locked.get(renewal.claim().id()));
                Duration longest = longest(lease, byName);
                if (renewal.duration().compareTo(longest) > 0) {
                    refused = Optional.of(new RenewalOutcome.TooLong(longest));
                } else {
                    Instant from = lease.startsAt().isAfter(now) ? lease.startsAt() : now;
                    ends.put(lease.id(), from.plus(renewal.duration()));
                }
            }
            outcomes.add(refused.orElse(null));
        }
        if (ends.isEmpty()) {
            return known(outcomes);
        }
        groups.lockEthernetKeysOf(ends.keySet().stream().map(locked::get).toList());
        if (renewals.size() > 1) {
            store.extend(ends);
        } else if (!extendsAlone(ends)) {
            UUID id = renewals.getFirst().claim().id();
            return List.of(new RenewalOutcome.Obstructed(store.nextStart(id).orElse(null)));
        }
        List<AuditEntry> recorded = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) == null) {
                Claim claim = renewals.get(i).claim();
                Locked lease = Objects.requireNonNull(locked.get(claim.id()));
                Instant until = Objects.requireNonNull(ends.get(lease.id()));
                outcomes.set(i, new RenewalOutcome.Done(until));
                news.tell(new LeaseEvent.Renewed(lease.scope()));
                if (claim.by() != null && claim.by().isOther(lease.ownedBy())) {
                    recorded.add(LeaseRecords.renewed(claim.by().actor(), lease, until));
                }
            }
        }
        news.record(recorded);
        return known(outcomes);
    }

    private static List<RenewalOutcome> known(List<@Nullable RenewalOutcome> outcomes) {
        return outcomes.stream().map(it -> Objects.requireNonNull(it)).toList();
    }

    private boolean extendsAlone(Map<UUID, Instant> ends) {
        groups.savepoint();
        try {
            store.extend(ends);
            return true;
        } catch (DataIntegrityViolationException reserved) {
            groups.rollbackToSavepoint();
            return false;
        }
    }

    /** The shorter one of the scopes of red and blue. */
    private static Duration longest(Locked lease, Map<String, Scope> byName) {
        return lease.scopes().stream()
                .map(it -> Objects.requireNonNull(byName.get(it)).longestLease())
                .min(Duration::compareTo)
                .orElseThrow();
    }

    /**
     * Ends leases that have not ended; their groups rest before another lease gets them.
     *
     * @param now when the transaction began
     * @return the answers in the order of the claims
     */
    List<RenewalOutcome> release(List<Claim> claims, Instant now) {
        Map<UUID, Released> released = store.release(claims);
        Map<UUID, Locked> others =
                lock(claims.stream().filter(it -> !released.containsKey(it.id())).toList());
        // A renewal may have been under way at the first look.
        released.putAll(
                store.release(
                        claims.stream()
                                .filter(it -> others.containsKey(it.id()))
                                .filter(it -> refused(it, others.get(it.id()), now).isEmpty())
                                .toList()));
        List<AuditEntry> recorded = new ArrayList<>();
        Set<UUID> answered = new HashSet<>();
        List<RenewalOutcome> outcomes = new ArrayList<>();
        for (Claim claim : claims) {
            @Nullable Released lease = released.get(claim.id());
            Optional<RenewalOutcome> refused =
                    lease == null
                            ? refused(claim, others.get(claim.id()), now)
                            : claim.refused(lease.secretHash(), lease.ownedBy());
            if (lease == null || refused.isPresent()) {
                outcomes.add(refused.orElseThrow());
            } else if (answered.add(claim.id())) {
                outcomes.add(new RenewalOutcome.Released(lease.scope(), now));
                news.tell(new LeaseEvent.Released(lease.scope()));
                if (claim.by() != null) {
                    recorded.add(LeaseRecords.released(claim.by(), claim.id(), lease));
                }
            } else {
                outcomes.add(new RenewalOutcome.Ended(now));
            }
        }
        news.record(recorded);
        return outcomes;
    }

    private Map<UUID, Locked> lock(List<Claim> claims) {
        return store.lock(claims.stream().map(Claim::id).toList());
    }

    /** Why a lease may not be changed, if so. */
    private static Optional<RenewalOutcome> refused(
            Claim claim, @Nullable Locked lease, Instant now) {
        return lease == null
                ? Optional.of(new RenewalOutcome.NoSuchLease())
                : claim.refused(lease.secretHash(), lease.ownedBy())
                        .or(() -> LeaseRules.over(lease, now));
    }
}
