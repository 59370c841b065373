package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditEntry;
import org.madcast.allocator.lease.GrantOutcome.Granted;
import org.madcast.allocator.lease.LeaseRules.Verdict;
import org.madcast.allocator.lease.LeaseStore.Known;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.web.Requester;
import org.springframework.stereotype.Component;

/**
 * Grants leases: any number of requests of any shape, in a few statements. Joins the caller's
 * transaction.
 *
 * <p>What transactions wait for each other over is locked in one order, so that no two wait for
 * each other: scopes by name, owners with a quota, idempotency keys, then slots and groups ({@link
 * Placement}).
 */
@Component
class LeaseGrants {

    private final ScopeCatalog scopes;
    private final LeaseStore store;
    private final LeaseQueries queries;
    private final Quota quota;
    private final Placement placement;
    private final Secrets secrets;
    private final LeaseNews news;

    LeaseGrants(
            ScopeCatalog scopes,
            LeaseStore store,
            LeaseQueries queries,
            Quota quota,
            Placement placement,
            Secrets secrets,
            LeaseNews news) {
        this.scopes = scopes;
        this.store = store;
        this.queries = queries;
        this.quota = quota;
        this.placement = placement;
        this.secrets = secrets;
        this.news = news;
    }

    /**
     * A request to decide.
     *
     * @param owner whose the lease is, as {@link Requester#owner} says; null when the service holds
     *     it for requests without a token
     * @param request what is requested
     * @param idempotencyKey when not null, the same key and request of the same owner again give
     *     the same lease
     * @param limit how many groups the token may have that asks; null for any number
     * @param by who is to be recorded to have asked for it; null to record nothing
     */
    record Grant(
            @Nullable String owner,
            GrantRequest request,
            @Nullable String idempotencyKey,
            Requester.@Nullable GroupLimit limit,
            @Nullable Actor by) {}

    /** A request under way and its outcome, null while that is open. */
    private static final class Deciding {

        private final Grant grant;
        private @Nullable GrantOutcome outcome;

        Deciding(Grant grant) {
            this.grant = grant;
        }

        boolean isOpen() {
            return outcome == null;
        }
    }

    /**
     * Decides requests; the answers are in their order.
     *
     * @param now when the transaction began
     */
    List<GrantOutcome> grant(List<Grant> grants, Instant now) {
        List<Deciding> all = grants.stream().map(Deciding::new).toList();
        Map<String, Scope> byName =
                scopes.lock(grants.stream().flatMap(it -> it.request().scopes().stream()).toList());
        List<Deciding> open = all;
        while (!open.isEmpty()) {
            decide(open, byName, now);
            // Left are those whose key came at the same time: its lease is written by now.
            open = open.stream().filter(Deciding::isOpen).toList();
        }
        return all.stream().map(it -> Objects.requireNonNull(it.outcome)).toList();
    }

    private void decide(List<Deciding> requests, Map<String, Scope> byName, Instant now) {
        answerRepeated(requests);
        Map<UUID, Deciding> byId = new LinkedHashMap<>();
        List<NewLease> allowed = new ArrayList<>();
        List<Quota.Wanted> wanted = new ArrayList<>();
        Map<UUID, GrantOutcome.Refused> wrongTimes = new LinkedHashMap<>();
        for (Deciding each : requests) {
            if (each.isOpen()) {
                GrantRequest request = each.grant.request();
                UUID id = LeaseNumbers.next();
                byId.put(id, each);
                switch (LeaseRules.judge(request, byName, now)) {
                    case Verdict.Refused(var why) -> decided(each, why);
                    case Verdict.WrongTimes(var from, var why) -> {
                        wanted.add(new Quota.Wanted(id, each.grant, from, false));
                        wrongTimes.put(id, why);
                    }
                    case Verdict.Allowed(var sources) -> {
                        @Nullable String key = each.grant.idempotencyKey();
                        NewLease lease = new NewLease(id, each.grant, sources, secret(id, key));
                        wanted.add(new Quota.Wanted(id, each.grant, lease.scopes(), true));
                        allowed.add(lease);
                    }
                }
            }
        }
        Map<UUID, GrantOutcome.Refused> refused = new LinkedHashMap<>(wrongTimes);
        refused.putAll(quota.exceeded(wanted));
        refused.forEach((id, why) -> decided(byId, id, why));
        allowed.removeIf(it -> !deciding(byId, it.id()).isOpen());
        Set<UUID> written = store.insert(allowed);
        allowed.removeIf(it -> !written.contains(it.id()));
        Placement.Result result = placement.place(allowed);
        List<AuditEntry> recorded = new ArrayList<>();
        for (NewLease lease : allowed) {
            if (result.placed().containsKey(lease.id())) {
                Lease granted = lease.granted(result.placed().get(lease.id()), now);
                decided(byId, lease.id(), new Granted(granted, lease.secret()));
                @Nullable Actor by = lease.grant().by();
                if (by != null) {
                    recorded.add(LeaseRecords.granted(by, granted));
                }
            }
        }
        news.record(recorded);
        result.refused().forEach((id, why) -> decided(byId, id, why));
        store.delete(result.refused().keySet());
    }

    /** What came before with the same key: the same lease, if it is the same request. */
    private void answerRepeated(List<Deciding> requests) {
        Map<String, Known> known =
                store.findByKeys(requests.stream().flatMap(it -> OwnedKey.lookedFor(it.grant)));
        if (known.isEmpty()) {
            return;
        }
        Map<UUID, Lease> leases = queries.find(known.values().stream().map(Known::id).toList());
        for (Deciding each : requests) {
            @Nullable String key = each.grant.idempotencyKey();
            @Nullable Known before =
                    OwnedKey.lookedFor(each.grant)
                            .map(known::get)
                            .filter(it -> it != null && OwnedKey.isOf(it, each.grant))
                            .findFirst()
                            .orElse(null);
            if (before == null) {
                continue;
            }
            @Nullable Lease lease = leases.get(before.id());
            if (lease == null) {
                throw new IllegalStateException("lease " + before.id() + " is gone");
            }
            if (before.requestHash().equals(Secrets.hash(each.grant.request().toString()))) {
                each.outcome = new Granted(lease, secret(lease.id(), key)); // counted before
            } else {
                decided(each, new GrantOutcome.KeyReused());
            }
        }
    }

    /** The secret of a lease, which a repeated request must get again. */
    private String secret(UUID id, @Nullable String idempotencyKey) {
        return idempotencyKey == null
                ? secrets.random()
                : secrets.derived("lease", id.toString(), idempotencyKey);
    }

    private void decided(Map<UUID, Deciding> byId, UUID id, GrantOutcome outcome) {
        decided(deciding(byId, id), outcome);
    }

    private void decided(Deciding request, GrantOutcome outcome) {
        request.outcome = outcome;
        news.tell(LeaseEvent.of(request.grant.request().scope(), outcome));
    }

    private static Deciding deciding(Map<UUID, Deciding> byId, UUID id) {
        Deciding found = byId.get(id);
        if (found == null) {
            throw new IllegalStateException("lease " + id + " is not of this batch");
        }
        return found;
    }
}
