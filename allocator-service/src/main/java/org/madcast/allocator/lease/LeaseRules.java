package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.Scope;

/**
 * Decides about leases. Pure: the time is a parameter, and nothing is changed.
 *
 * <p>A lease's groups are blocked from its start to the end of its quarantine. Blocking is a range
 * of time, so it ends by itself: nothing has to run for a group to become free.
 */
final class LeaseRules {

    private static final int LAST_PORT = 65535;

    /** How far ahead a lease may start: what is reserved for later is lost to others meanwhile. */
    static final Duration LONGEST_AHEAD = Duration.ofDays(366);

    private LeaseRules() {}

    /**
     * A lease's times.
     *
     * @param startsAt when its groups become its owner's
     * @param expiresAt when they cease to be
     * @param blockedUntil when another lease may get them
     */
    record Term(Instant startsAt, Instant expiresAt, Instant blockedUntil) {}

    /** The times of a lease that starts then; nothing when the scope's longest lease is shorter. */
    static Optional<Term> term(Scope scope, Instant startsAt, Duration duration) {
        if (duration.compareTo(scope.longestLease()) > 0) {
            return Optional.empty();
        }
        Instant expiresAt = startsAt.plus(duration);
        return Optional.of(new Term(startsAt, expiresAt, expiresAt.plus(scope.quarantine())));
    }

    /** Where a lease with these times is in its life. The instant it expires it is expired. */
    static LeaseState state(
            Instant now, Instant startsAt, Instant expiresAt, @Nullable Instant releasedAt) {
        if (releasedAt != null) {
            return LeaseState.RELEASED;
        }
        if (now.isBefore(startsAt)) {
            return LeaseState.SCHEDULED;
        }
        return now.isBefore(expiresAt) ? LeaseState.ACTIVE : LeaseState.EXPIRED;
    }

    /** The answer to a change of a lease that has ended; nothing when it has not. */
    static Optional<RenewalOutcome> over(LeaseStore.Locked lease, Instant now) {
        Instant releasedAt = lease.releasedAt();
        return switch (state(now, lease.startsAt(), lease.expiresAt(), releasedAt)) {
            case SCHEDULED, ACTIVE ->
                    lease.settled()
                            ? Optional.of(new RenewalOutcome.Ended(lease.expiresAt()))
                            : Optional.empty();
            case RELEASED, EXPIRED ->
                    Optional.of(
                            new RenewalOutcome.Ended(
                                    releasedAt == null ? lease.expiresAt() : releasedAt));
        };
    }

    /**
     * Where groups come from, and when.
     *
     * @param scope the scope
     * @param term the lease's times; how long the groups rest after it is the scope's
     */
    record Source(Scope scope, Term term) {}

    /** What the rules say of a request. */
    sealed interface Verdict {

        /** It may be granted from these. */
        record Allowed(List<Source> sources) implements Verdict {}

        /** It may not. */
        record Refused(GrantOutcome.Refused why) implements Verdict {}

        /** It may not for its times, unless a quota of these scopes refuses it first. */
        record WrongTimes(List<Scope> scopes, GrantOutcome.Refused why) implements Verdict {}
    }

    /**
     * Decides a request as far as that needs no look at other leases.
     *
     * @param scopes the scopes that exist, by name
     */
    static Verdict judge(GrantRequest request, Map<String, Scope> scopes, Instant now) {
        List<Scope> from = new ArrayList<>();
        for (String name : request.scopes()) {
            Scope scope = scopes.get(name);
            if (scope == null) {
                return new Verdict.Refused(new GrantOutcome.NoSuchScope(name));
            }
            from.add(scope);
        }
        for (Scope scope : from) {
            Instant closedAt = scope.policy().closedAt();
            if (closedAt != null) {
                return new Verdict.Refused(new GrantOutcome.ScopeClosed(scope.name(), closedAt));
            }
            Optional<GrantOutcome.NotPossible> impossible = impossible(scope, request.shape());
            if (impossible.isPresent()) {
                return new Verdict.Refused(impossible.get());
            }
        }
        Instant startsAt =
                request.startsAt() == null
                        ? now
                        : request.startsAt().truncatedTo(ChronoUnit.MICROS); // as it is stored
        if (startsAt.isBefore(now)) {
            return new Verdict.WrongTimes(from, new GrantOutcome.StartsTooEarly(now));
        }
        if (startsAt.isAfter(now.plus(LONGEST_AHEAD))) {
            return new Verdict.WrongTimes(
                    from, new GrantOutcome.StartsTooLate(now.plus(LONGEST_AHEAD)));
        }
        List<Source> sources = new ArrayList<>();
        for (Scope scope : from) {
            Optional<Term> term = term(scope, startsAt, request.duration());
            if (term.isEmpty()) {
                return new Verdict.WrongTimes(
                        from, new GrantOutcome.TooLong(scope.name(), scope.longestLease()));
            }
            sources.add(new Source(scope, term.get()));
        }
        return new Verdict.Allowed(sources);
    }

    /** Why the scope can never grant this shape, if so. */
    static Optional<GrantOutcome.NotPossible> impossible(Scope scope, Shape shape) {
        boolean block = shape.layout() == Shape.Layout.BLOCK;
        if (scope.sharesAddresses() && shape.ports() > 1) {
            return impossible(scope, "portsPerAddress", "is 1 where addresses are shared by port");
        }
        if (scope.sharesAddresses() && block) {
            return impossible(scope, "layout", "cannot be a block where addresses are shared");
        }
        if (shape.ports() != Shape.ALL_PORTS
                && scope.ports().last() + shape.ports() - 1 > LAST_PORT) {
            return impossible(scope, "portsPerAddress", "leads beyond port " + LAST_PORT);
        }
        if (block && shape.blockIn(scope.addresses()).find(0, it -> false).isEmpty()) {
            return impossible(scope, "count", "addresses in a row do not exist in the scope");
        }
        return Optional.empty();
    }

    private static Optional<GrantOutcome.NotPossible> impossible(
            Scope scope, String field, String reason) {
        return Optional.of(new GrantOutcome.NotPossible(scope.name(), field, reason));
    }
}
