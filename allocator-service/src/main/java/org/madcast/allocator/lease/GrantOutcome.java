package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of a request for a lease. */
public sealed interface GrantOutcome {

    /**
     * It was granted, now or, when its idempotency key is known, before.
     *
     * @param lease the lease
     * @param secret what its owner shows to renew or release it; it is stored nowhere
     */
    record Granted(Lease lease, String secret) implements GrantOutcome {}

    /** It was not. */
    sealed interface Refused extends GrantOutcome {

        /** Why, in a word that stays the same. */
        default String reason() {
            return switch (this) {
                case NoSuchScope scope -> "no-such-scope";
                case PoolExhausted pool -> "pool-exhausted";
                case TooLong duration -> "lease-too-long";
                case KeyReused key -> "idempotency-key-reused";
                case ScopeClosed scope -> "scope-closed";
                case QuotaExceeded quota -> "quota-exceeded";
                case NotPossible shape -> "not-possible-here";
                case StartsTooEarly start -> "starts-in-the-past";
                case StartsTooLate start -> "starts-too-late";
            };
        }
    }

    /**
     * There is no such scope.
     *
     * @param scope the name asked for
     */
    record NoSuchScope(String scope) implements Refused {}

    /**
     * Every group is leased or in quarantine, or fewer are free than asked for.
     *
     * @param scope the scope
     * @param nextFreeAt when the next group becomes free unless its lease is renewed, null when no
     *     time is known
     * @param now the time, by the clock that the other one is of
     */
    record PoolExhausted(String scope, @Nullable Instant nextFreeAt, Instant now)
            implements Refused {}

    /**
     * The scope's longest lease is shorter.
     *
     * @param scope the scope
     * @param longest its longest
     */
    record TooLong(String scope, Duration longest) implements Refused {}

    /** The idempotency key came before with another request. */
    record KeyReused() implements Refused {}

    /**
     * The scope grants nothing any more.
     *
     * @param scope the scope
     * @param closedAt since when
     */
    record ScopeClosed(String scope, Instant closedAt) implements Refused {}

    /**
     * The owner would have more groups than one owner may.
     *
     * @param scope the scope; empty for a token, whose groups of all scopes count
     * @param owner job, user or token
     * @param quota how many groups one may have at a time
     * @param inUse how many this one has
     */
    record QuotaExceeded(String scope, String owner, int quota, long inUse) implements Refused {}

    /**
     * The scope can never grant this, however empty it is.
     *
     * @param scope the scope
     * @param field what cannot be, as the request calls it
     * @param reason why
     */
    record NotPossible(String scope, String field, String reason) implements Refused {}

    /**
     * The lease would start before now.
     *
     * @param now the time
     */
    record StartsTooEarly(Instant now) implements Refused {}

    /**
     * The lease would start too far ahead.
     *
     * @param latest the latest start
     */
    record StartsTooLate(Instant latest) implements Refused {}
}
