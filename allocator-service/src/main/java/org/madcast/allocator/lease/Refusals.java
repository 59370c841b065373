package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import org.madcast.allocator.scope.ScopeBodies;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;

/** The problems that tell why a lease was refused. */
public final class Refusals {

    private Refusals() {}

    public static Problem of(GrantOutcome.Refused refused) {
        return switch (refused) {
            case GrantOutcome.NoSuchScope unknown -> ScopeBodies.noSuchScope(unknown.scope());
            case GrantOutcome.PoolExhausted exhausted -> exhausted(exhausted);
            case GrantOutcome.TooLong tooLong -> tooLong(tooLong.longest());
            case GrantOutcome.ScopeClosed closed ->
                    new Problem(ProblemType.SCOPE_CLOSED, "Ask for another scope.")
                            .with("scope", closed.scope())
                            .with("closedAt", closed.closedAt());
            case GrantOutcome.QuotaExceeded quota -> quota(quota);
            case GrantOutcome.NotPossible never ->
                    new Problem(
                                    ProblemType.NOT_POSSIBLE_HERE,
                                    "In scope %s: %s %s."
                                            .formatted(
                                                    never.scope(), never.field(), never.reason()))
                            .with("scope", never.scope())
                            .with("field", never.field());
            case GrantOutcome.StartsTooEarly early ->
                    Problem.invalid(
                            "startsAt", "must not be in the past; it is now " + early.now());
            case GrantOutcome.StartsTooLate late ->
                    Problem.invalid("startsAt", "must not be after " + late.latest());
            case GrantOutcome.KeyReused reused ->
                    new Problem(
                            ProblemType.IDEMPOTENCY_KEY_REUSED,
                            "Use a new Idempotency-Key for each new request.");
        };
    }

    public static Problem ended(RenewalOutcome.Ended ended) {
        return new Problem(
                        ProblemType.LEASE_ENDED,
                        "Its groups may be leased to another job by now: do not send to them.")
                .with("endedAt", ended.endedAt());
    }

    public static Problem obstructed(RenewalOutcome.Obstructed reserved) {
        return new Problem(
                        ProblemType.LEASE_RESERVED,
                        "Another lease of its groups starts then; renew for less, or move.")
                .with("until", reserved.until());
    }

    private static Problem quota(GrantOutcome.QuotaExceeded quota) {
        String where = quota.scope().isEmpty() ? "" : " of scope " + quota.scope();
        String who = quota.scope().isEmpty() ? "This " : "One ";
        Problem problem =
                new Problem(
                        ProblemType.QUOTA_EXCEEDED,
                        "%s%s may have %d groups%s at a time, and this one has %d."
                                .formatted(
                                        who, quota.owner(), quota.quota(), where, quota.inUse()));
        if (!quota.scope().isEmpty()) {
            problem = problem.with("scope", quota.scope());
        }
        return problem.with("of", quota.owner())
                .with("quota", quota.quota())
                .with("inUse", quota.inUse());
    }

    public static Problem tooLong(Duration longest) {
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
                : problem.retryAfter(Duration.between(exhausted.now(), nextFreeAt));
    }
}
