package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditEntry;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.audit.AuditLog;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.GrantRequest;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.RenewalOutcome;
import org.madcast.allocator.lease.Shape;
import org.madcast.allocator.madcap.MadcapDecision.Answer;
import org.madcast.allocator.madcap.MadcapDecision.End;
import org.madcast.allocator.madcap.MadcapDecision.Extend;
import org.madcast.allocator.madcap.MadcapDecision.Fresh;
import org.madcast.allocator.madcap.MadcapStore.Extended;
import org.madcast.allocator.madcap.MadcapStore.Row;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.CommitTogether;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.madcap.Feature;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.Option;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/**
 * Serves the MADCAP requests that change leases: gathers those of many clients, decides each by
 * {@link MadcapDecision}, and does what was decided for all in a few statements of one transaction.
 * From any thread, on any number of replicas: what has one lease identifier is changed by one
 * transaction at a time, and the lease table holds the owners.
 */
@Service
class MadcapService implements SmartLifecycle {

    private static final int SWEEP_BATCH = 1000;

    private final ScopeCatalog scopes;
    private final LeaseService leases;
    private final MadcapStore store;
    private final AuditLog audit;
    private final RetryingTransaction transaction;
    private final MadcapProperties properties;
    private final CommitTogether<MadcapRequest, MadcapOutcome> offers;
    private final CommitTogether<MadcapRequest, MadcapOutcome> requests;
    private final CommitTogether<MadcapRequest, MadcapOutcome> releases;
    private volatile boolean running;

    /** Of all clients, as they were counted last. */
    private volatile long addressesInUse;

    MadcapService(
            ScopeCatalog scopes,
            LeaseService leases,
            MadcapStore store,
            RetryingTransaction transaction,
            AuditLog audit,
            MadcapProperties properties) {
        this.scopes = scopes;
        this.leases = leases;
        this.store = store;
        this.audit = audit;
        this.transaction = transaction;
        this.properties = properties;
        this.offers = new CommitTogether<>("madcap-offers", transaction, this::serveOffers);
        this.requests = new CommitTogether<>("madcap-requests", transaction, this::serveAll);
        this.releases = new CommitTogether<>("madcap-releases", transaction, this::serveAll);
    }

    /** Serves a DISCOVER, REQUEST, RENEW or RELEASE. */
    MadcapOutcome serve(MadcapRequest request) {
        return switch (request.message().type()) {
            case DISCOVER -> offers.submit(request);
            case REQUEST, RENEW -> requests.submit(request);
            case RELEASE -> releases.submit(request);
            case GETINFO, OFFER, ACK, NAK ->
                    throw new IllegalArgumentException("not to be admitted: " + request);
        };
    }

    /**
     * Whether there is a lease with a message's lease identifier that has addresses of another
     * family than the message's. While the database cannot say, none is known.
     */
    boolean isOfAnotherFamily(Message message) {
        LeaseId leaseId = message.leaseId();
        if (leaseId == null) {
            return false;
        }
        try {
            return store.find(List.of(leaseId)).values().stream()
                    .flatMap(List::stream)
                    .anyMatch(it -> !it.held() && it.isOfAnotherFamily(message.family()));
        } catch (DataAccessException unknown) {
            return false;
        }
    }

    /** Stops holding addresses: the client accepted another server's offer. */
    void endHold(LeaseId leaseId, String server) {
        transaction.call(() -> {
            Instant now = store.lock(List.of(leaseId));
            Stream<Row> rows = store.find(List.of(leaseId)).values().stream().flatMap(List::stream);
            return end(rows.filter(it -> it.isHoldOf(server)).toList(), Map.of(), now);
        });
    }

    /** Ends what has expired, and counts what has not. */
    @Scheduled(fixedDelayString = "${madcast.madcap.sweep-interval:5s}")
    void sweep() {
        if (!properties.enabled()) {
            return;
        }
        int ended;
        do {
            ended = store.sweep(SWEEP_BATCH);
        } while (ended == SWEEP_BATCH);
        addressesInUse = store.countAddresses();
    }

    private List<MadcapOutcome> serveOffers(List<MadcapRequest> batch) {
        store.mayBeForgotten();
        return serveAll(batch);
    }

    private List<MadcapOutcome> serveAll(List<MadcapRequest> batch) {
        List<Serving> all = batch.stream().map(Serving::new).toList();
        Instant now = store.lock(ids(all));
        List<Serving> open = all;
        while (!open.isEmpty()) {
            // Of one identifier each sees what was done for the one before it.
            Set<LeaseId> seen = new HashSet<>();
            serveOnce(open.stream().filter(it -> seen.add(it.request.leaseId())).toList(), now);
            open = open.stream().filter(it -> it.outcome == null).toList();
        }
        return all.stream().map(it -> Objects.requireNonNull(it.outcome)).toList();
    }

    /** A request that is being served. */
    private static final class Serving {

        private final MadcapRequest request;
        private MadcapDecision decision = MadcapDecision.impossible(Option.Kind.NO_OPTION);
        private @Nullable MadcapOutcome outcome;

        Serving(MadcapRequest request) {
            this.request = request;
        }
    }

    private static List<LeaseId> ids(List<Serving> requests) {
        return requests.stream().map(it -> it.request.leaseId()).toList();
    }

    /** Serves requests, each of another lease identifier. */
    private void serveOnce(List<Serving> requests, Instant now) {
        Map<String, List<Row>> rows = store.find(ids(requests));
        Stream<String> named = requests.stream().map(it -> it.request.scope());
        Stream<String> leased = rows.values().stream().flatMap(List::stream).map(Row::scope);
        MadcapDecision.Rules rules =
                new MadcapDecision.Rules(
                        properties, scopes.find(Stream.concat(named, leased).toList()), now);
        for (Serving each : requests) {
            String hash = MadcapStore.hash(each.request.leaseId());
            each.decision = rules.decide(each.request, rows.getOrDefault(hash, List.of()));
        }
        extend(requests, now);
        List<Serving> fresh = withinQuotas(requests, now);
        List<Row> ended = new ArrayList<>();
        Map<UUID, Actor> by = new HashMap<>();
        for (Serving each : fresh) {
            ended.addAll(((Fresh) each.decision).replaced());
            by.putAll(MadcapRecords.released(each.request, ((Fresh) each.decision).replaced()));
        }
        for (Serving each : requests) {
            switch (each.decision) {
                case Answer(MadcapOutcome outcome) -> each.outcome = outcome;
                case End(List<Row> own) -> {
                    ended.addAll(own);
                    by.putAll(MadcapRecords.released(each.request, own));
                    each.outcome = new MadcapOutcome.Released();
                }
                case Extend _, Fresh _ -> {}
            }
        }
        end(ended, by, now);
        grant(fresh, now);
    }

    private int end(List<Row> rows, Map<UUID, Actor> by, Instant now) {
        if (!rows.isEmpty()) {
            List<UUID> ids = rows.stream().map(Row::lease).toList();
            leases.releaseAll(ids, by, now);
            store.end(ids);
        }
        return rows.size();
    }

    private void extend(List<Serving> requests, Instant now) {
        Map<UUID, Duration> durations = new LinkedHashMap<>();
        for (Serving each : requests) {
            if (each.decision instanceof Extend extend) {
                durations.put(extend.row().lease(), extend.lasting());
            }
        }
        if (durations.isEmpty()) {
            return;
        }
        Map<UUID, RenewalOutcome> outcomes = leases.renewAll(durations, now);
        List<Extended> extended = new ArrayList<>();
        List<AuditEntry> granted = new ArrayList<>();
        for (Serving each : requests) {
            if (!(each.decision instanceof Extend(var row, var terms, _, var otherwise))) {
                continue;
            }
            switch (Objects.requireNonNull(outcomes.get(row.lease()))) {
                case RenewalOutcome.Done _ -> {
                    extended.add(
                            new Extended(
                                    row.lease(),
                                    each.request.message().xid(),
                                    terms.startsAt(now),
                                    terms.endsAt(now)));
                    each.outcome = terms.granted(row.addresses(), now);
                    if (row.held()) {
                        granted.add(MadcapRecords.granted(each.request, row, extended.getLast()));
                    }
                }
                case RenewalOutcome.TooLong _, RenewalOutcome.Obstructed _ ->
                        each.decision = MadcapDecision.impossible(Option.Kind.LEASE_TIME.code());
                case RenewalOutcome.Ended _,
                        RenewalOutcome.Released _,
                        RenewalOutcome.NoSuchLease _,
                        RenewalOutcome.Foreign _ ->
                        each.decision = otherwise;
            }
        }
        store.extend(extended);
        audit.recordAll(granted);
    }

    /** Those that may get a new lease; the others get their answer. */
    private List<Serving> withinQuotas(List<Serving> requests, Instant now) {
        List<Serving> fresh = requests.stream().filter(it -> it.decision instanceof Fresh).toList();
        if (fresh.isEmpty()) {
            return fresh;
        }
        store.endExpired(ids(fresh));
        Map<InetAddress, Long> inUse =
                store.addressesOf(fresh.stream().map(it -> it.request.client()).toList());
        List<Serving> allowed = new ArrayList<>();
        for (Serving each : fresh) {
            if (each.decision instanceof Fresh(var terms, _, var replaced)) {
                long less = replaced.stream().mapToLong(it -> it.addresses().size()).sum();
                long more = terms.desired() - less;
                InetAddress client = each.request.client();
                if (addressesInUse + terms.minimum() > properties.quota().addresses()) {
                    refused(each.request, "quota-exceeded");
                    each.decision = new Answer(full(each.request, terms, now, null));
                } else if (inUse.getOrDefault(client, 0L) + more
                        > properties.quota().addressesPerClient()) {
                    refused(each.request, "quota-exceeded");
                    each.decision = MadcapDecision.impossible(Option.Kind.NO_OPTION);
                } else {
                    inUse.merge(client, more, Long::sum);
                    allowed.add(each);
                }
            }
        }
        return allowed;
    }

    /** Leases as many addresses as there are between what is wanted at least and at most. */
    private void grant(List<Serving> fresh, Instant now) {
        Map<Serving, Integer> counts = new LinkedHashMap<>();
        fresh.forEach(it -> counts.put(it, ((Fresh) it.decision).terms().desired()));
        List<Row> rows = new ArrayList<>();
        while (!counts.isEmpty()) {
            List<GrantOutcome> outcomes =
                    leases.grantAll(
                            counts.entrySet().stream()
                                    .map(it -> whole(it.getKey(), it.getValue()))
                                    .toList(),
                            now);
            int next = 0;
            for (Serving each : List.copyOf(counts.keySet())) {
                GrantOutcome outcome = outcomes.get(next++);
                LeaseTerms terms = ((Fresh) each.decision).terms();
                int count = counts.getOrDefault(each, 0);
                if (outcome instanceof GrantOutcome.PoolExhausted && count > terms.minimum()) {
                    counts.put(each, Math.max(terms.minimum(), count / 2));
                    continue;
                }
                counts.remove(each);
                switch (outcome) {
                    case GrantOutcome.Granted granted ->
                            rows.add(Row.of(each.request, terms, now, granted.lease()));
                    case GrantOutcome.Refused refused -> refused(each.request, refused.reason());
                }
                each.outcome = outcome(each, terms, outcome, now);
            }
        }
        store.insert(rows);
        audit.recordAll(MadcapRecords.granted(rows));
    }

    private void refused(MadcapRequest request, String reason) {
        audit.refused(
                AuditKind.REFUSED, MadcapRecords.by(request), "madcap " + request.scope(), reason);
    }

    private MadcapOutcome outcome(
            Serving serving, LeaseTerms terms, GrantOutcome outcome, Instant now) {
        return switch (outcome) {
            case GrantOutcome.Granted granted ->
                    terms.granted(
                            Row.of(serving.request, terms, now, granted.lease()).addresses(), now);
            case GrantOutcome.PoolExhausted exhausted ->
                    full(serving.request, terms, now, exhausted.nextFreeAt());
            case GrantOutcome.Refused _ ->
                    MadcapDecision.impossible(Option.Kind.NO_OPTION).outcome();
        };
    }

    /** What to request of the lease table: addresses that the lease owns on all ports. */
    private static GrantRequest whole(Serving serving, int count) {
        MadcapRequest request = serving.request;
        return new GrantRequest(
                "madcap",
                null,
                request.client().getHostAddress(),
                Map.of("madcap-server", request.server()),
                request.scope(),
                Shape.whole(count),
                ((Fresh) serving.decision).lasting(),
                null);
    }

    /** The pool has nothing left: the client may wait, if it knows how to. */
    private MadcapOutcome full(
            MadcapRequest request, LeaseTerms terms, Instant now, @Nullable Instant nextFreeAt) {
        boolean mayWait =
                request.message().features().supported().contains(Feature.RETRY_AFTER)
                        && request.message().type() == MessageType.REQUEST;
        if (!mayWait) {
            boolean named = request.message().has(Option.NumberOfAddresses.class);
            return new MadcapOutcome.Refused(
                    new MadcapError.CouldNotBeCompleted(
                            named
                                    ? Option.Kind.NUMBER_OF_ADDRESSES.code()
                                    : Option.Kind.NO_OPTION));
        }
        Instant latest = now.plus(properties.retryAfter());
        Instant retryAt =
                Optional.ofNullable(nextFreeAt).filter(it -> it.isBefore(latest)).orElse(latest);
        return new MadcapOutcome.Later(
                terms.leaseSeconds(),
                Math.max(retryAt.getEpochSecond() + 1, now.getEpochSecond() + 1),
                now.getEpochSecond());
    }

    @Override
    public void start() {
        if (properties.enabled()) {
            offers.start();
            requests.start();
            releases.start();
            running = true;
        }
    }

    @Override
    public void stop() {
        running = false;
        offers.stop();
        requests.stop();
        releases.stop();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
