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
     */
    record PoolExhausted(String scope, @Nullable Instant nextFreeAt) implements Refused {}

    /**
     * The scope does not lease for so long.
     *
     * @param scope the scope
     * @param longest its longest
     */
    record TooLong(String scope, Duration longest) implements Refused {}

    /** The idempotency key came before with another request. */
    record KeyReused() implements Refused {}
}
