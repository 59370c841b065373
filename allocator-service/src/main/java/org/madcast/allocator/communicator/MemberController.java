package org.madcast.allocator.communicator;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.Valid;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.MemberSecret;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.madcast.allocator.web.Requester;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A communicator's members: they register, stay and leave. */
@RestController
@RequestMapping(
        path = "/v1/communicators/{id}/members/{rank}",
        produces = MediaType.APPLICATION_JSON_VALUE)
class MemberController {

    private final MembershipService membership;

    MemberController(MembershipService membership) {
        this.membership = membership;
    }

    @Operation(summary = "Register a rank")
    @Refuses({
        ProblemType.NO_SUCH_COMMUNICATOR,
        ProblemType.FOREIGN_OWNER,
        ProblemType.COMMUNICATOR_ENDED,
        ProblemType.RANK_OUT_OF_RANGE,
        ProblemType.RANK_TAKEN
    })
    @PutMapping
    CommunicatorBodies.Joined join(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @PathVariable UUID id,
            @PathVariable int rank,
            @Valid @RequestBody CommunicatorBodies.Join body) {
        Member.Endpoint endpoint = body.endpoint();
        MembershipOutcome outcome = membership.join(by, id, rank, endpoint, body.instance());
        if (outcome instanceof MembershipOutcome.Joined joined) {
            return new CommunicatorBodies.Joined(
                    joined.rank(), joined.secret(), joined.expiresAt());
        }
        throw problem(outcome);
    }

    @Operation(summary = "Keep a rank alive, and its communicator's lease")
    @Refuses({
        ProblemType.NO_SUCH_MEMBER,
        ProblemType.FOREIGN_OWNER,
        ProblemType.COMMUNICATOR_ENDED,
        ProblemType.CONFLICT
    })
    @PostMapping("/renewal")
    CommunicatorBodies.Renewed renew(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @PathVariable UUID id,
            @PathVariable int rank,
            @RequestHeader(name = MemberSecret.HEADER, required = false) @Nullable String secret,
            @Valid @RequestBody(required = false) CommunicatorBodies.@Nullable Renewal body) {
        @Nullable Duration wanted =
                body == null || body.durationSeconds() == null
                        ? null
                        : Duration.ofSeconds(body.durationSeconds());
        MembershipOutcome outcome = membership.renew(by, id, rank, secret, wanted);
        if (outcome instanceof MembershipOutcome.Renewed renewed) {
            return new CommunicatorBodies.Renewed(renewed.leaseExpiresAt(), renewed.expiresAt());
        }
        throw problem(outcome);
    }

    @Operation(summary = "Take a rank out; with the last one the lease is given back")
    @Refuses({ProblemType.NO_SUCH_MEMBER, ProblemType.FOREIGN_OWNER})
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void leave(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @PathVariable UUID id,
            @PathVariable int rank,
            @RequestHeader(name = MemberSecret.HEADER, required = false) @Nullable String secret) {
        MembershipOutcome outcome = membership.leave(by, id, rank, secret);
        if (!(outcome instanceof MembershipOutcome.Left)) {
            throw problem(outcome);
        }
    }

    static Problem noSuchCommunicator() {
        return new Problem(
                ProblemType.NO_SUCH_COMMUNICATOR, "POST /v1/communicators makes or finds one.");
    }

    static Problem ended(Instant endedAt, @Nullable String reason) {
        return new Problem(
                        ProblemType.COMMUNICATOR_ENDED,
                        "Its group may be leased to another job by now: do not send to it.")
                .with("endedAt", endedAt)
                .with("reason", reason);
    }

    private static Problem problem(MembershipOutcome outcome) {
        return switch (outcome) {
            case MembershipOutcome.NoSuchCommunicator unknown -> noSuchCommunicator();
            case MembershipOutcome.Foreign foreign -> Requester.foreign();
            case MembershipOutcome.NoSuchMember unknown -> MemberSecret.noSuchMember();
            case MembershipOutcome.Ended ended -> ended(ended.endedAt(), ended.reason());
            case MembershipOutcome.RankOutOfRange out ->
                    new Problem(
                                    ProblemType.RANK_OUT_OF_RANGE,
                                    "Ranks are 0 to " + (out.size() - 1) + ".")
                            .with("size", out.size());
            case MembershipOutcome.RankTaken taken ->
                    new Problem(
                                    ProblemType.RANK_TAKEN,
                                    "Rank %d is held by %s."
                                            .formatted(taken.rank(), taken.holder()))
                            .with("rank", taken.rank())
                            .with("holder", taken.holder());
            case MembershipOutcome.Joined done -> throw unexpected(done);
            case MembershipOutcome.Renewed done -> throw unexpected(done);
            case MembershipOutcome.Left done -> throw unexpected(done);
        };
    }

    private static IllegalStateException unexpected(MembershipOutcome outcome) {
        return new IllegalStateException("no problem: " + outcome);
    }
}
