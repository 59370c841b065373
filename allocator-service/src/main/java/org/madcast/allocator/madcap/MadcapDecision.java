package org.madcast.allocator.madcap;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.madcast.allocator.madcap.LeaseTerms.Decision;
import org.madcast.allocator.madcap.MadcapStore.Row;
import org.madcast.allocator.scope.Scope;
import org.madcast.madcap.MadcapError;
import org.madcast.madcap.MessageType;
import org.madcast.madcap.Option;

/** What to do for a request, by what has its lease identifier. */
sealed interface MadcapDecision {

    /** Nothing; this is the answer. */
    record Answer(MadcapOutcome outcome) implements MadcapDecision {}

    /** End these leases. */
    record End(List<Row> rows) implements MadcapDecision {}

    /**
     * Renew a lease, or make a hold one; its addresses stay the same.
     *
     * @param row the lease
     * @param terms what its client receives
     * @param lasting how long it is kept
     * @param otherwise what to do if it has ended meanwhile
     */
    record Extend(Row row, LeaseTerms terms, Duration lasting, MadcapDecision otherwise)
            implements MadcapDecision {}

    /**
     * Grant a new lease.
     *
     * @param terms what its client receives
     * @param lasting how long it is kept
     * @param replaced leases that end for it
     */
    record Fresh(LeaseTerms terms, Duration lasting, List<Row> replaced)
            implements MadcapDecision {}

    /**
     * Decides requests. Pure.
     *
     * <p>A lease keeps its addresses from when it is granted, also when it is to start later, and
     * for the extra allocation time longer than its client knows. An offer is a lease of its own
     * for the time of the hold, which a REQUEST makes a full one. A REQUEST that comes again after
     * the response cache has lost it (the service was restarted) is known by its lease identifier,
     * transaction and client, and gets the same lease.
     *
     * @param settings the limits
     * @param scopes by name
     * @param now the database's time
     */
    record Rules(MadcapProperties settings, Map<String, Scope> scopes, Instant now) {

        /**
         * What to do.
         *
         * @param rows what has the request's lease identifier and keeps addresses
         */
        MadcapDecision decide(MadcapRequest request, List<Row> rows) {
            if (rows.stream().anyMatch(row -> isOfAnotherFamily(row, request))) {
                return refusedForFamily(request);
            }
            return switch (request.message().type()) {
                case DISCOVER -> discover(request, rows);
                case REQUEST -> request(request, rows);
                case RENEW -> renew(request, rows);
                case RELEASE -> release(request, rows);
                case GETINFO, OFFER, ACK, NAK ->
                        throw new IllegalArgumentException("changes no lease: " + request);
            };
        }

        /**
         * Of holds only a RELEASE is refused: an offer of another family is replaced by the next.
         */
        private static boolean isOfAnotherFamily(Row row, MadcapRequest request) {
            boolean counts = !row.held() || request.message().type() == MessageType.RELEASE;
            return counts && row.isOfAnotherFamily(request.message().family());
        }

        private static MadcapDecision refusedForFamily(MadcapRequest request) {
            return switch (request.message().type()) {
                case RENEW, RELEASE -> refused(new MadcapError.LeaseNotRecognized());
                default -> invalid(Option.Kind.LEASE_IDENTIFIER);
            };
        }

        private MadcapDecision discover(MadcapRequest request, List<Row> rows) {
            if (rows.stream().anyMatch(row -> !row.held())) {
                return invalid(Option.Kind.LEASE_IDENTIFIER);
            }
            return switch (terms(request, scope(request.scope()))) {
                case Decision.Impossible(MadcapError error) -> refused(error);
                case Decision.Possible(LeaseTerms terms) ->
                        fresh(request, terms, settings.offerHold(), rows);
            };
        }

        private MadcapDecision request(MadcapRequest request, List<Row> rows) {
            Optional<Row> granted = rows.stream().filter(row -> !row.held()).findFirst();
            if (granted.isPresent() && granted.get().endsAt().isAfter(now)) {
                return granted.get().isOf(request)
                        ? new Answer(granted.get().granted(now))
                        : invalid(Option.Kind.LEASE_IDENTIFIER);
            }
            Scope scope = scope(request.scope());
            return switch (terms(request, scope)) {
                case Decision.Impossible(MadcapError error) -> refused(error);
                case Decision.Possible(LeaseTerms terms) -> {
                    MadcapDecision fresh = fresh(request, terms, lasting(scope, terms), rows);
                    yield granted.or(() ->
                                    rows.stream()
                                            .filter(row -> row.isHoldOf(request.server()))
                                            .findFirst())
                            .filter(row -> fits(row, request, terms))
                            .<MadcapDecision>map(row -> extend(row, terms, fresh))
                            .orElse(fresh);
                }
            };
        }

        private MadcapDecision renew(MadcapRequest request, List<Row> rows) {
            MadcapDecision unknown = refused(new MadcapError.LeaseNotRecognized());
            Optional<Row> granted = rows.stream().filter(row -> !row.held()).findFirst();
            if (granted.isEmpty()) {
                return unknown;
            }
            return switch (terms(request, scope(granted.get().scope()))) {
                case Decision.Impossible(MadcapError error) -> refused(error);
                case Decision.Possible(LeaseTerms terms) -> extend(granted.get(), terms, unknown);
            };
        }

        private static MadcapDecision release(MadcapRequest request, List<Row> rows) {
            List<Row> ended = endedBy(request, rows);
            return ended.isEmpty() ? refused(new MadcapError.LeaseNotRecognized()) : new End(ended);
        }

        private MadcapDecision fresh(
                MadcapRequest request, LeaseTerms terms, Duration lasting, List<Row> rows) {
            return request.wantsCertainAddresses()
                    ? impossible(Option.Kind.ADDRESS_RANGE_LIST.code())
                    : new Fresh(terms, lasting, endedBy(request, rows));
        }

        private Extend extend(Row row, LeaseTerms terms, MadcapDecision otherwise) {
            return new Extend(row, terms, lasting(scope(row.scope()), terms), otherwise);
        }

        private Decision terms(MadcapRequest request, Scope scope) {
            long longest =
                    Math.min(
                            settings.longestLease().toSeconds(),
                            scope.longestLease().minus(extra(scope)).toSeconds());
            LeaseTerms.Limits limits =
                    new LeaseTerms.Limits(longest, settings.quota().addressesPerLease());
            return LeaseTerms.decide(request.message(), limits, now.getEpochSecond());
        }

        /** For how long addresses are kept for a lease, from now. */
        private Duration lasting(Scope scope, LeaseTerms terms) {
            return Duration.ofSeconds(terms.delaySeconds() + terms.leaseSeconds())
                    .plus(extra(scope));
        }

        /** The extra allocation time; less where the scope's longest lease is short. */
        private Duration extra(Scope scope) {
            Duration most = scope.longestLease().dividedBy(2);
            Duration wanted = settings.extraAllocation();
            return wanted.compareTo(most) < 0 ? wanted : most;
        }

        private Scope scope(String name) {
            Scope scope = scopes.get(name);
            if (scope == null) {
                throw new IllegalStateException("scope " + name + " is gone");
            }
            return scope;
        }

        /** The lease, and what this server holds for one. */
        private static List<Row> endedBy(MadcapRequest request, List<Row> rows) {
            return rows.stream()
                    .filter(row -> !row.held() || row.isHoldOf(request.server()))
                    .toList();
        }

        private static boolean fits(Row row, MadcapRequest request, LeaseTerms terms) {
            Option.AddressRangeList wanted = request.message().find(Option.AddressRangeList.class);
            int count = row.addresses().size();
            return row.scope().equals(request.scope())
                    && count >= terms.minimum()
                    && count <= terms.desired()
                    && (wanted == null
                            || wanted.ranges().isEmpty()
                            || AddressRanges.same(wanted.ranges(), row.addresses()));
        }

        private static Answer invalid(Option.Kind kind) {
            return refused(new MadcapError.InvalidRequest(kind.code()));
        }
    }

    /** That it cannot be done because of the option with this code. */
    static Answer impossible(int code) {
        return refused(new MadcapError.CouldNotBeCompleted(code));
    }

    private static Answer refused(MadcapError error) {
        return new Answer(new MadcapOutcome.Refused(error));
    }
}
