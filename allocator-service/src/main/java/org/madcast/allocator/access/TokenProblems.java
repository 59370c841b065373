package org.madcast.allocator.access;

import java.time.Duration;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;

/** The problems of requests that are not let in. */
public final class TokenProblems {

    private static final Duration RETRY = Duration.ofSeconds(1);

    private TokenProblems() {}

    /** The problem of a token that is not let in now. */
    public static Problem of(Tokens.Shown shown) {
        return switch (shown) {
            case Tokens.Shown.Unknown unknown ->
                    new Problem(
                            ProblemType.TOKEN_NEEDED,
                            "The token is not known; perhaps it was revoked.");
            case Tokens.Shown.Expired expired ->
                    new Problem(
                                    ProblemType.TOKEN_NEEDED,
                                    "The token has ended; an operator makes a successor.")
                            .with("expiredAt", expired.at());
            case Tokens.Shown.Guessed guessed ->
                    new Problem(
                                    ProblemType.TOO_MANY_REQUESTS,
                                    "Too many tokens that are not known came from this address;"
                                            + " one a second is looked at.")
                            .retryAfter(RETRY);
            case Tokens.Shown.TooOften often ->
                    new Problem(
                                    ProblemType.TOO_MANY_REQUESTS,
                                    "The token may make %d requests a second."
                                            .formatted(often.perSecond()))
                            .with("requestsPerSecond", often.perSecond())
                            .retryAfter(RETRY);
            case Tokens.Shown.Undecided undecided ->
                    new Problem(ProblemType.PROVIDER_UNAVAILABLE, undecided.why())
                            .retryAfter(RETRY);
            case Tokens.Shown.Known known ->
                    throw new IllegalArgumentException("a token that is let in is no problem");
        };
    }

    static Problem notAllowed(Caller visitor, Role needed) {
        String detail = "This is for the role " + needed.word() + "; ";
        Problem problem =
                visitor.known()
                        ? new Problem(
                                ProblemType.ROLE_NEEDED,
                                detail + "the token is for " + visitor.role().word() + ".")
                        : new Problem(
                                ProblemType.TOKEN_NEEDED,
                                detail + "bring a token: Authorization: Bearer TOKEN.");
        return problem.with("role", needed.word());
    }
}
