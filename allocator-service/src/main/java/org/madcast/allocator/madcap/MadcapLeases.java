package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.madcast.allocator.lease.LeaseService;
import org.madcast.allocator.lease.RenewalOutcome;
import org.madcast.allocator.madcap.LeaseTerms.Decision;
import org.madcast.allocator.madcap.MadcapLeaseStore.Row;
import org.madcast.allocator.madcap.MadcapOutcome.Granted;
import org.madcast.allocator.madcap.MadcapOutcome.Refused;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.Message;
import org.madcast.madcap.Option;
import org.madcast.madcap.OptionKind;
import org.springframework.stereotype.Service;

/**
 * Offers, grants, renews and releases by MADCAP. From any thread, on any number of replicas: what
 * has one lease identifier is changed by one transaction at a time, and the lease table says who
 * owns what.
 *
 * <p>A lease keeps its addresses from when it is granted, also when it is to start later, and for
 * the extra allocation time longer than its client knows. An offer is a lease of its own for the
 * time of the hold, which a REQUEST makes a full one.
 *
 * <p>A REQUEST that comes again after the response cache has lost it (the service was restarted) is
 * known by its lease identifier, transaction and client, and gets the same lease.
 */
@Service
class MadcapLeases {

    private final ScopeCatalog scopes;
    private final LeaseService leases;
    private final MadcapLeaseStore store;
    private final MadcapGrants grants;
    private final RetryingTransaction transaction;
    private final MadcapTimes times;
    private final MadcapCommit together;

    MadcapLeases(
            ScopeCatalog scopes,
            LeaseService leases,
            MadcapLeaseStore store,
            MadcapGrants grants,
            RetryingTransaction transaction,
            MadcapTimes times,
            MadcapCommit together) {
        this.scopes = scopes;
        this.leases = leases;
        this.store = store;
        this.grants = grants;
        this.transaction = transaction;
        this.times = times;
        this.together = together;
    }

    /**
     * Who asks for what, of whom.
     *
     * @param message an admitted request
     * @param leaseId its lease identifier
     * @param scope the scope that it names, or, for messages that name none, an empty string
     * @param server the identifier of the server that was asked
     * @param client where it came from; of an address of a link (RFC 4007), not which link
     */
    record RequestInfo(
            Message message, LeaseId leaseId, String scope, String server, InetAddress client) {

        /** The database's addresses have no zones: {@code fe80::1%2} is none. */
        RequestInfo {
            String text = client.getHostAddress();
            int zone = text.indexOf('%');
            client = zone < 0 ? client : InetAddress.ofLiteral(text.substring(0, zone));
        }
    }

    /** Holds addresses for an offer. */
    MadcapOutcome offer(RequestInfo asked) {
        return together.offer(asked).orElseGet(() -> grants.undoingRefusals(() -> offerNow(asked)));
    }

    /** Grants a lease: what was held for it, or else something new. */
    MadcapOutcome request(RequestInfo asked) {
        return together.request(asked)
                .orElseGet(() -> grants.undoingRefusals(() -> requestNow(asked)));
    }

    /** Gives a lease other times; its addresses stay the same. */
    MadcapOutcome renew(RequestInfo asked) {
        return grants.undoingRefusals(() -> renewNow(asked));
    }

    /** Ends a lease, or what is held for one. */
    MadcapOutcome release(RequestInfo asked) {
        return together.release(asked).orElseGet(() -> releaseNow(asked));
    }

    private MadcapOutcome releaseNow(RequestInfo asked) {
        return transaction.call(() -> {
            store.lock(asked.leaseId());
            List<Row> rows = store.find(asked.leaseId()).stream().filter(isEndedBy(asked)).toList();
            rows.forEach(this::end);
            return rows.isEmpty()
                    ? new Refused(new MadcapError.LeaseNotRecognized())
                    : new MadcapOutcome.Released();
        });
    }

    /** Stops holding addresses: the client took another server's offer. */
    void endHold(LeaseId leaseId, String server) {
        transaction.call(() -> {
            store.lock(leaseId);
            List<Row> holds = store.find(leaseId).stream().filter(isHoldOf(server)).toList();
            holds.forEach(this::end);
            return holds.size();
        });
    }

    private MadcapOutcome offerNow(RequestInfo asked) {
        Instant now = store.lock(asked.leaseId());
        List<Row> rows = store.find(asked.leaseId());
        if (rows.stream().anyMatch(row -> !row.held())) {
            return invalid(OptionKind.LEASE_IDENTIFIER);
        }
        rows.stream().filter(isHoldOf(asked.server())).forEach(this::end);
        store.endExpired(asked.leaseId());
        return switch (decide(asked, scope(asked.scope()), now)) {
            case Decision.Impossible(MadcapError error) -> new Refused(error);
            case Decision.Possible(LeaseTerms terms) ->
                    wantsCertainAddresses(asked.message())
                            ? impossible(OptionKind.ADDRESS_RANGE_LIST)
                            : grants.grant(asked, terms, now, times.offerHold(), true);
        };
    }

    private MadcapOutcome requestNow(RequestInfo asked) {
        Instant now = store.lock(asked.leaseId());
        List<Row> rows = store.find(asked.leaseId());
        Optional<Row> granted = rows.stream().filter(row -> !row.held()).findFirst();
        if (granted.isPresent() && granted.get().endsAt().isAfter(now)) {
            return isRepeated(asked, granted.get())
                    ? granted(granted.get(), now)
                    : invalid(OptionKind.LEASE_IDENTIFIER);
        }
        Scope scope = scope(asked.scope());
        return switch (decide(asked, scope, now)) {
            case Decision.Impossible(MadcapError error) -> new Refused(error);
            case Decision.Possible(LeaseTerms terms) -> {
                Optional<Row> kept =
                        granted.or(() -> rows.stream().filter(isHoldOf(asked.server())).findFirst())
                                .filter(row -> fits(row, asked, terms));
                yield kept.flatMap(row -> extended(row, asked, terms, now))
                        .orElseGet(() -> afresh(asked, terms, now, rows));
            }
        };
    }

    /** A new lease, in the place of what of this server's was not what is asked for. */
    private MadcapOutcome afresh(RequestInfo asked, LeaseTerms terms, Instant now, List<Row> rows) {
        if (wantsCertainAddresses(asked.message())) {
            return impossible(OptionKind.ADDRESS_RANGE_LIST);
        }
        rows.stream()
                .filter(row -> !row.held() || isHoldOf(asked.server()).test(row))
                .forEach(this::end);
        store.endExpired(asked.leaseId());
        return grants.grant(asked, terms, now, lasting(scope(asked.scope()), terms), false);
    }

    private MadcapOutcome renewNow(RequestInfo asked) {
        Instant now = store.lock(asked.leaseId());
        Optional<Row> row =
                store.find(asked.leaseId()).stream().filter(it -> !it.held()).findFirst();
        if (row.isEmpty()) {
            return new Refused(new MadcapError.LeaseNotRecognized());
        }
        return switch (decide(asked, scope(row.get().scope()), now)) {
            case Decision.Impossible(MadcapError error) -> new Refused(error);
            case Decision.Possible(LeaseTerms terms) ->
                    extended(row.get(), asked, terms, now)
                            .orElseGet(() -> new Refused(new MadcapError.LeaseNotRecognized()));
        };
    }

    /** Makes a hold a lease, or a lease one of other times; empty when it has ended meanwhile. */
    private Optional<MadcapOutcome> extended(
            Row row, RequestInfo asked, LeaseTerms terms, Instant now) {
        Duration lasting = lasting(scope(row.scope()), terms);
        return switch (leases.renewHeld(row.lease(), lasting)) {
            case RenewalOutcome.Done _ -> {
                Instant startsAt = now.plusSeconds(terms.delaySeconds());
                Instant endsAt = startsAt.plusSeconds(terms.leaseSeconds());
                store.grant(row.lease(), asked.message().xid(), startsAt, endsAt);
                yield Optional.of(terms.granted(row.addresses(), now));
            }
            case RenewalOutcome.TooLong _, RenewalOutcome.Obstructed _ ->
                    Optional.of(impossible(OptionKind.LEASE_TIME));
            case RenewalOutcome.Ended _, RenewalOutcome.Released _, RenewalOutcome.NoSuchLease _ ->
                    Optional.empty();
        };
    }

    private void end(Row row) {
        leases.releaseHeld(row.lease());
        store.end(row.lease());
    }

    private Decision decide(RequestInfo asked, Scope scope, Instant now) {
        return times.decide(asked.message(), scope, now);
    }

    private Duration lasting(Scope scope, LeaseTerms terms) {
        return times.lasting(scope, terms);
    }

    private Scope scope(String name) {
        return scopes.find(name)
                .orElseThrow(() -> new IllegalStateException("scope " + name + " is gone"));
    }

    private static Granted granted(Row row, Instant now) {
        boolean later = row.startsAt().isAfter(now);
        Instant from = later ? row.startsAt() : now;
        return new Granted(
                AddressRanges.of(row.addresses()),
                Math.max(1, Duration.between(from, row.endsAt()).toSeconds()),
                later ? Long.valueOf(row.startsAt().getEpochSecond()) : null,
                now.getEpochSecond());
    }

    static boolean fits(Row row, RequestInfo asked, LeaseTerms terms) {
        Option.AddressRangeList wanted = asked.message().find(Option.AddressRangeList.class);
        int count = row.addresses().size();
        return row.scope().equals(asked.scope())
                && count >= terms.minimum()
                && count <= terms.desired()
                && (wanted == null
                        || wanted.ranges().isEmpty()
                        || AddressRanges.same(wanted.ranges(), row.addresses()));
    }

    static boolean wantsCertainAddresses(Message message) {
        Option.AddressRangeList wanted = message.find(Option.AddressRangeList.class);
        return wanted != null && !wanted.ranges().isEmpty();
    }

    private static boolean isRepeated(RequestInfo asked, Row row) {
        return row.xid() == asked.message().xid()
                && row.client().equals(asked.client())
                && row.server().equals(asked.server());
    }

    /** What a RELEASE ends: the lease, and what this server holds for one. */
    static Predicate<Row> isEndedBy(RequestInfo asked) {
        return row -> !row.held() || isHoldOf(asked.server()).test(row);
    }

    private static Predicate<Row> isHoldOf(String server) {
        return row -> row.held() && row.server().equals(server);
    }

    private static Refused invalid(OptionKind kind) {
        return new Refused(new MadcapError.InvalidRequest(kind.code()));
    }

    private static Refused impossible(OptionKind kind) {
        return new Refused(new MadcapError.CouldNotBeCompleted(kind.code()));
    }
}
