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

    private LeaseRules() {}

    /**
     * A lease's times.
     *
     * @param startsAt when its groups become its owner's
     * @param expiresAt when they cease to be
     * @param blockedUntil when somebody else may get them
     */
    record Term(Instant startsAt, Instant expiresAt, Instant blockedUntil) {}

    /** The times of a lease that starts now, or nothing when the scope does not lease so long. */
    static Optional<Term> term(Scope scope, Instant now, Duration duration) {
        if (duration.compareTo(scope.longestLease()) > 0) {
            return Optional.empty();
        }
        Instant expiresAt = now.plus(duration);
        return Optional.of(new Term(now, expiresAt, expiresAt.plus(scope.quarantine())));
    }

    /** Where a lease with these times is in its life. The instant it expires it is expired. */
    static LeaseState state(Instant now, Instant expiresAt, @Nullable Instant releasedAt) {
        if (releasedAt != null) {
            return LeaseState.RELEASED;
        }
        return now.isBefore(expiresAt) ? LeaseState.ACTIVE : LeaseState.EXPIRED;
    }

    /** When the groups of a lease that is released now may go to somebody else. */
    static Instant blockedUntilAfterRelease(Scope scope, Instant now) {
        return now.plus(scope.quarantine());
    }
}
