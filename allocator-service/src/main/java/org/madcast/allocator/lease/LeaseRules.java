package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.Scope;

/**
 * Decides about leases. Pure: it is told the time, and it changes nothing.
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
     * @param blockedUntil when somebody else may get them
     */
    record Term(Instant startsAt, Instant expiresAt, Instant blockedUntil) {}

    /** The times of a lease that starts then, or nothing when the scope does not lease so long. */
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

    /** What to answer to whoever would change a lease that has ended, nothing when it has not. */
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
     * Why the scope can never grant this shape, if so.
     *
     * @return the field of the request that cannot be, and why
     */
    static Optional<GrantOutcome.NotPossible> impossible(Scope scope, Shape shape) {
        if (scope.sharesAddresses() && shape.ports() > 1) {
            return Optional.of(
                    new GrantOutcome.NotPossible(
                            scope.name(),
                            "portsPerAddress",
                            "is 1 where addresses are shared by port"));
        }
        if (scope.sharesAddresses() && shape.layout() == Shape.Layout.BLOCK) {
            return Optional.of(
                    new GrantOutcome.NotPossible(
                            scope.name(),
                            "layout",
                            "cannot be a block where addresses are shared"));
        }
        if (shape.ports() != Shape.ALL_PORTS
                && scope.ports().last() + shape.ports() - 1 > LAST_PORT) {
            return Optional.of(
                    new GrantOutcome.NotPossible(
                            scope.name(), "portsPerAddress", "leads beyond port " + LAST_PORT));
        }
        return Optional.empty();
    }
}
