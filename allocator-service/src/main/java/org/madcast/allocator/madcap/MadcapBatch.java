package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.ManyLeases;
import org.madcast.allocator.madcap.LeaseTerms.Decision;
import org.madcast.allocator.madcap.MadcapBatchStore.Named;
import org.madcast.allocator.madcap.MadcapBatchStore.Taken;
import org.madcast.allocator.madcap.MadcapLeaseStore.Row;
import org.madcast.allocator.madcap.MadcapLeases.RequestInfo;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.madcap.LeaseId;
import org.springframework.stereotype.Component;

/**
 * Decides about many DISCOVERs, REQUESTs or RELEASEs in a few statements: those of the usual kind,
 * a first DISCOVER of an identifier, the REQUEST for what this server holds, the RELEASE of a
 * lease. What is not usual gets no answer here and has to be decided alone ({@link MadcapLeases}).
 * Joins the caller's transaction.
 */
@Component
class MadcapBatch {

    private final ScopeCatalog scopes;
    private final ManyLeases leases;
    private final MadcapBatchStore store;
    private final MadcapGrants grants;
    private final MadcapTimes times;

    MadcapBatch(
            ScopeCatalog scopes,
            ManyLeases leases,
            MadcapBatchStore store,
            MadcapGrants grants,
            MadcapTimes times) {
        this.scopes = scopes;
        this.leases = leases;
        this.store = store;
        this.grants = grants;
        this.times = times;
    }

    /** A request that can be decided here, its place, and what it is to get. */
    private record Usual(int index, RequestInfo asked, LeaseTerms terms) {}

    /** Holds addresses for offers; the answers are in the requests' order. */
    List<Optional<MadcapOutcome>> offer(List<RequestInfo> asked) {
        List<Optional<MadcapOutcome>> answers = none(asked);
        List<LeaseId> ids = asked.stream().map(RequestInfo::leaseId).toList();
        Instant now = store.lock(ids);
        store.mayBeForgotten();
        Map<String, List<Row>> known = store.find(ids);
        Map<InetAddress, Long> inUse =
                store.addressesOf(asked.stream().map(RequestInfo::client).toList());
        Map<String, Optional<Scope>> scopesByName = new HashMap<>();
        Map<String, Usual> usual = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            RequestInfo each = asked.get(i);
            String hash = MadcapLeaseStore.hash(each.leaseId());
            Optional<LeaseTerms> terms =
                    known.containsKey(hash) || usual.containsKey(hash)
                            ? Optional.empty()
                            : terms(each, scopesByName, now)
                                    .filter(it -> grants.allows(it, inUse, each.client()));
            if (terms.isPresent()) {
                usual.put(hash, new Usual(i, each, terms.get()));
                inUse.merge(each.client(), (long) terms.get().desired(), Long::sum);
            }
        }
        hold(List.copyOf(usual.values()), now, answers);
        return answers;
    }

    private void hold(List<Usual> usual, Instant now, List<Optional<MadcapOutcome>> answers) {
        if (usual.isEmpty()) {
            return;
        }
        store.endExpired(usual.stream().map(it -> it.asked().leaseId()).toList());
        List<GrantRequest> requests =
                usual.stream()
                        .map(it ->
                                MadcapGrants.whole(
                                        it.asked(), it.terms().desired(), times.offerHold()))
                        .toList();
        List<Optional<GrantOutcome>> granted = leases.grant(requests, now);
        List<Named> rows = new ArrayList<>();
        for (int i = 0; i < usual.size(); i++) {
            Usual each = usual.get(i);
            if (granted.get(i).orElse(null)
                    instanceof GrantOutcome.Granted(var lease, var secret)) {
                Row row = MadcapGrants.row(each.asked(), each.terms(), now, lease, true);
                rows.add(new Named(each.asked().leaseId(), row));
                answers.set(each.index(), Optional.of(each.terms().granted(row.addresses(), now)));
            }
        }
        store.insert(rows);
    }

    /** Makes leases of what is held; the answers are in the requests' order. */
    List<Optional<MadcapOutcome>> request(List<RequestInfo> asked) {
        List<Optional<MadcapOutcome>> answers = none(asked);
        List<LeaseId> ids = asked.stream().map(RequestInfo::leaseId).toList();
        Instant now = store.lock(ids);
        Map<String, List<Row>> known = store.find(ids);
        Map<String, Optional<Scope>> scopesByName = new HashMap<>();
        Map<UUID, Hold> holds = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            RequestInfo each = asked.get(i);
            List<Row> rows = known.getOrDefault(MadcapLeaseStore.hash(each.leaseId()), List.of());
            Optional<LeaseTerms> terms = terms(each, scopesByName, now);
            if (rows.size() == 1
                    && terms.isPresent()
                    && isTheirs(rows.getFirst(), each, terms.get())) {
                Usual usual = new Usual(i, each, terms.get());
                holds.putIfAbsent(rows.getFirst().lease(), new Hold(usual, rows.getFirst()));
            }
        }
        take(holds, scopesByName, now, answers);
        return answers;
    }

    /** A REQUEST and what is held for it. */
    private record Hold(Usual usual, Row row) {}

    private static boolean isTheirs(Row row, RequestInfo asked, LeaseTerms terms) {
        return row.held()
                && row.server().equals(asked.server())
                && MadcapLeases.fits(row, asked, terms);
    }

    private void take(
            Map<UUID, Hold> holds,
            Map<String, Optional<Scope>> scopesByName,
            Instant now,
            List<Optional<MadcapOutcome>> answers) {
        Map<UUID, Duration> durations = new LinkedHashMap<>();
        holds.forEach((lease, hold) ->
                scopesByName
                        .getOrDefault(hold.row().scope(), Optional.empty())
                        .ifPresent(scope ->
                                durations.put(lease, times.lasting(scope, hold.usual().terms()))));
        Set<UUID> renewed = leases.renew(durations, now);
        List<Taken> taken = new ArrayList<>();
        holds.forEach((lease, hold) -> {
            if (renewed.contains(lease)) {
                Usual each = hold.usual();
                LeaseTerms terms = each.terms();
                Instant startsAt = now.plusSeconds(terms.delaySeconds());
                Instant endsAt = startsAt.plusSeconds(terms.leaseSeconds());
                taken.add(new Taken(lease, each.asked().message().xid(), startsAt, endsAt));
                List<String> addresses = hold.row().addresses();
                answers.set(each.index(), Optional.of(terms.granted(addresses, now)));
            }
        });
        store.grant(taken);
    }

    /** Ends leases and what is held for them; the answers are in the requests' order. */
    List<Optional<MadcapOutcome>> release(List<RequestInfo> asked) {
        List<Optional<MadcapOutcome>> answers = none(asked);
        List<LeaseId> ids = asked.stream().map(RequestInfo::leaseId).toList();
        store.lock(ids);
        Map<String, List<Row>> known = store.find(ids);
        Map<Integer, Set<UUID>> wanted = new LinkedHashMap<>();
        Set<UUID> all = new LinkedHashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            Set<UUID> own = new LinkedHashSet<>();
            known.getOrDefault(MadcapLeaseStore.hash(asked.get(i).leaseId()), List.of()).stream()
                    .filter(MadcapLeases.isEndedBy(asked.get(i)))
                    .forEach(row -> own.add(row.lease()));
            // What nobody knows, or another request ends already, is decided alone.
            if (!own.isEmpty() && Collections.disjoint(all, own)) {
                wanted.put(i, own);
                all.addAll(own);
            }
        }
        if (!all.isEmpty()) {
            Set<UUID> released = leases.release(all);
            store.end(released);
            wanted.forEach((index, own) -> {
                if (released.containsAll(own)) {
                    answers.set(index, Optional.of(new MadcapOutcome.Released()));
                }
            });
        }
        return answers;
    }

    /** What an ordinary request is to get. */
    private Optional<LeaseTerms> terms(
            RequestInfo asked, Map<String, Optional<Scope>> scopesByName, Instant now) {
        return scopesByName
                .computeIfAbsent(asked.scope(), scopes::find)
                .filter(scope -> !MadcapLeases.wantsCertainAddresses(asked.message()))
                .flatMap(scope ->
                        times.decide(asked.message(), scope, now)
                                        instanceof Decision.Possible(LeaseTerms terms)
                                ? Optional.of(terms)
                                : Optional.empty());
    }

    private static List<Optional<MadcapOutcome>> none(List<RequestInfo> asked) {
        return new ArrayList<>(Collections.nCopies(asked.size(), Optional.empty()));
    }
}
