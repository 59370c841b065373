package org.madcast.allocator.rest;

import java.time.Duration;
import java.time.Instant;
import org.madcast.allocator.lease.GrantOutcome;
import org.madcast.allocator.lease.RenewalOutcome;

/** The problems that tell why a lease was refused. */
final class Refusals {

    private Refusals() {}

    static Problem of(GrantOutcome.Refused refused) {
        return switch (refused) {
            case GrantOutcome.NoSuchScope unknown ->
                    new Problem(
                                    ProblemType.NO_SUCH_SCOPE,
                                    "GET /v1/scopes lists the scopes that there are.")
                            .with("scope", unknown.scope());
            case GrantOutcome.PoolExhausted exhausted -> exhausted(exhausted);
            case GrantOutcome.TooLong tooLong -> tooLong(tooLong.longest());
            case GrantOutcome.KeyReused reused ->
                    new Problem(
                            ProblemType.IDEMPOTENCY_KEY_REUSED,
                            "Use a new Idempotency-Key for each new request.");
        };
    }

    static Problem ended(RenewalOutcome.Ended ended) {
        return new Problem(
                        ProblemType.LEASE_ENDED,
                        "Its groups may be somebody else's by now: do not send to them.")
                .with("endedAt", ended.endedAt());
    }

    static Problem tooLong(Duration longest) {
        return new Problem(
                        ProblemType.LEASE_TOO_LONG,
                        "durationSeconds is at most " + longest.toSeconds() + " here.")
                .with("longestSeconds", longest.toSeconds());
    }

    private static Problem exhausted(GrantOutcome.PoolExhausted exhausted) {
        Problem problem =
                new Problem(ProblemType.POOL_EXHAUSTED, "Release leases, or ask for another scope.")
                        .with("scope", exhausted.scope())
                        .with("nextFreeAt", exhausted.nextFreeAt());
        Instant nextFreeAt = exhausted.nextFreeAt();
        return nextFreeAt == null
                ? problem
                : problem.retryAfter(Duration.between(Instant.now(), nextFreeAt));
    }
}
