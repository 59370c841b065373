package org.madcast.allocator.lease;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.madcast.allocator.web.Requester;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Leases: grant, renew, release, get and list. */
@RestController
@RequestMapping(path = LeaseController.PATH, produces = MediaType.APPLICATION_JSON_VALUE)
class LeaseController {

    static final String PATH = "/v1/leases";
    static final String SECRET = "Madcast-Lease-Secret";
    static final String KEY = "Idempotency-Key";

    private final LeaseService leases;
    private final LeaseQueries queries;

    LeaseController(LeaseService leases, LeaseQueries queries) {
        this.leases = leases;
        this.queries = queries;
    }

    @Operation(summary = "Grant a lease of one or more groups")
    @Refuses({
        ProblemType.NO_SUCH_SCOPE,
        ProblemType.POOL_EXHAUSTED,
        ProblemType.SCOPE_CLOSED,
        ProblemType.QUOTA_EXCEEDED,
        ProblemType.NOT_POSSIBLE_HERE,
        ProblemType.LEASE_TOO_LONG,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.CONFLICT
    })
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<LeaseBodies.View> grant(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @Valid @RequestBody LeaseBodies.Grant body,
            @RequestHeader(name = KEY, required = false) @Size(min = 1, max = Limits.KEY_LENGTH)
                    @Nullable String idempotencyKey) {
        return switch (leases.grant(by, body.toRequest(), idempotencyKey)) {
            case GrantOutcome.Granted granted ->
                    ResponseEntity.status(HttpStatus.CREATED)
                            .cacheControl(CacheControl.noStore()) // It tells the secret.
                            .body(LeaseBodies.View.of(granted.lease(), granted.secret()));
            case GrantOutcome.Refused refused -> throw Refusals.of(refused);
        };
    }

    @Operation(summary = "Give a lease another time to run")
    @Refuses({
        ProblemType.NO_SUCH_LEASE,
        ProblemType.FOREIGN_OWNER,
        ProblemType.LEASE_ENDED,
        ProblemType.LEASE_TOO_LONG,
        ProblemType.LEASE_RESERVED,
        ProblemType.CONFLICT
    })
    @PostMapping("/{id}/renewal")
    LeaseBodies.View renew(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @PathVariable UUID id,
            @RequestHeader(name = SECRET, required = false) @Nullable String secret,
            @Valid @RequestBody LeaseBodies.Renewal body) {
        Duration duration = Duration.ofSeconds(body.durationSeconds());
        RenewalOutcome outcome = leases.renew(by, id, secret, duration);
        if (outcome instanceof RenewalOutcome.Done) {
            return get(id);
        }
        throw problem(outcome);
    }

    @Operation(
            summary = "Give a lease back",
            description = "An operator takes it back by force, without its secret.")
    @Refuses({
        ProblemType.NO_SUCH_LEASE,
        ProblemType.FOREIGN_OWNER,
        ProblemType.ROLE_NEEDED,
        ProblemType.LEASE_ENDED
    })
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void release(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @PathVariable UUID id,
            @RequestHeader(name = SECRET, required = false) @Nullable String secret,
            @RequestParam(defaultValue = "false") boolean force) {
        if (force && !by.operates()) {
            throw new Problem(ProblemType.ROLE_NEEDED, "Only operators release by force.");
        }
        RenewalOutcome outcome = force ? leases.takeBack(by, id) : leases.release(by, id, secret);
        if (!(outcome instanceof RenewalOutcome.Released)) {
            throw problem(outcome);
        }
    }

    @Operation(summary = "Get a lease")
    @Refuses(ProblemType.NO_SUCH_LEASE)
    @GetMapping("/{id}")
    LeaseBodies.View get(@PathVariable UUID id) {
        return queries.find(id)
                .map(it -> LeaseBodies.View.of(it, null))
                .orElseThrow(LeaseController::noSuchLease);
    }

    @Operation(summary = "List leases, the newest first")
    @GetMapping
    LeaseBodies.PageOf<LeaseBodies.View> list(
            @RequestParam(required = false)
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    @Nullable String job,
            @RequestParam(required = false)
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    @Nullable String scope,
            @RequestParam(required = false) @Nullable LeaseState state,
            @RequestParam(defaultValue = "0") @Min(0) @Max(Limits.PAGES) int page,
            @RequestParam(defaultValue = "50") @Min(1) @Max(Limits.PAGE_SIZE) int size) {
        LeaseQueries.Found found =
                queries.list(new LeaseQueries.Filter(job, scope, state), page, size);
        return new LeaseBodies.PageOf<>(
                found.items().stream().map(it -> LeaseBodies.View.of(it, null)).toList(),
                page,
                size,
                found.total());
    }

    private static Problem problem(RenewalOutcome outcome) {
        return switch (outcome) {
            case RenewalOutcome.NoSuchLease unknown -> noSuchLease();
            case RenewalOutcome.Foreign foreign -> Requester.foreign();
            case RenewalOutcome.Ended ended -> Refusals.ended(ended);
            case RenewalOutcome.TooLong tooLong -> Refusals.tooLong(tooLong.longest());
            case RenewalOutcome.Obstructed reserved -> Refusals.obstructed(reserved);
            case RenewalOutcome.Done done -> throw new IllegalStateException("no problem: " + done);
            case RenewalOutcome.Released done ->
                    throw new IllegalStateException("no problem: " + done);
        };
    }

    private static Problem noSuchLease() {
        return new Problem(
                ProblemType.NO_SUCH_LEASE,
                "Check the lease's id, and its secret in " + SECRET + ".");
    }
}
