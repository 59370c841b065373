package org.madcast.allocator.communicator;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
import org.madcast.allocator.web.Requester;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Communicators: make or find, and wait until all ranks are there. */
@RestController
@RequestMapping(path = "/v1/communicators", produces = MediaType.APPLICATION_JSON_VALUE)
class CommunicatorController {

    private final CommunicatorService communicators;
    private final CommunicatorViews views;
    private final CommunicatorList list;
    private final CommunicatorEnding ending;

    CommunicatorController(
            CommunicatorService communicators,
            CommunicatorViews views,
            CommunicatorList list,
            CommunicatorEnding ending) {
        this.ending = ending;
        this.list = list;
        this.communicators = communicators;
        this.views = views;
    }

    @Operation(
            summary = "Make or find a communicator by job and name, or a child by parent and name")
    @Refuses({
        ProblemType.NO_SUCH_COMMUNICATOR,
        ProblemType.FOREIGN_OWNER,
        ProblemType.NO_SUCH_SCOPE,
        ProblemType.SIZE_MISMATCH,
        ProblemType.COMMUNICATOR_ENDED,
        ProblemType.POOL_EXHAUSTED,
        ProblemType.SCOPE_CLOSED,
        ProblemType.QUOTA_EXCEEDED,
        ProblemType.NOT_POSSIBLE_HERE,
        ProblemType.LEASE_TOO_LONG,
        ProblemType.CONFLICT
    })
    @ApiResponse(responseCode = "200", description = "Found", useReturnTypeSchema = true)
    @ApiResponse(responseCode = "201", description = "Made", useReturnTypeSchema = true)
    @PostMapping
    ResponseEntity<CommunicatorBodies.View> makeOrFind(
            @RequestAttribute(Requester.ATTRIBUTE) Requester by,
            @Valid @RequestBody CommunicatorBodies.Make body) {
        return switch (communicators.makeOrFind(body.toRequest(by))) {
            case MakeOutcome.Found found ->
                    ResponseEntity.status(found.made() ? HttpStatus.CREATED : HttpStatus.OK)
                            .body(views.of(found.communicator(), null));
            case MakeOutcome.SizeMismatch mismatch ->
                    throw new Problem(
                                    ProblemType.SIZE_MISMATCH,
                                    "Job %s has a communicator %s of %d ranks, not %d."
                                            .formatted(
                                                    body.job(),
                                                    body.name(),
                                                    mismatch.expectedSize(),
                                                    body.size()))
                            .with("expectedSize", mismatch.expectedSize());
            case MakeOutcome.Foreign foreign -> throw Requester.foreign();
            case MakeOutcome.NoSuchParent unknown -> throw MemberController.noSuchCommunicator();
            case MakeOutcome.ParentEnded ended ->
                    throw MemberController.ended(ended.endedAt(), ended.reason());
            case MakeOutcome.NoChild wrong -> throw Problem.invalid(wrong.field(), wrong.message());
            case MakeOutcome.NoGroup none -> throw none.problem();
        };
    }

    @Operation(summary = "List communicators, the newest first")
    @GetMapping
    CommunicatorList.Items list(
            @RequestParam(required = false)
                    @Size(max = Limits.NAME_LENGTH)
                    @Pattern(regexp = Limits.PLAIN_TEXT, message = Limits.PLAIN)
                    @Nullable String job,
            @RequestParam(defaultValue = "false") boolean ended,
            @RequestParam(defaultValue = "0") @Min(0) @Max(Limits.PAGES) int page,
            @RequestParam(defaultValue = "50") @Min(1) @Max(Limits.PAGE_SIZE) int size) {
        return list.list(job, ended, page, size);
    }

    @Operation(
            summary = "End a communicator and release its lease",
            description = "Its ranks notice when they renew, or look for its lease.")
    @Refuses({ProblemType.NO_SUCH_COMMUNICATOR, ProblemType.FOREIGN_OWNER})
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void end(@PathVariable UUID id, @RequestAttribute(Requester.ATTRIBUTE) Requester by) {
        switch (ending.end(by, id)) {
            case ENDED -> {}
            case NO_SUCH_COMMUNICATOR -> throw MemberController.noSuchCommunicator();
            case FOREIGN -> throw Requester.foreign();
        }
    }

    /** Waits without holding a database connection; the thread is a virtual one. */
    @Operation(
            summary = "Get a communicator, or wait until all ranks are there or one is lost",
            description = "The token that datagrams carry is shown only to its owner.")
    @Refuses({ProblemType.NO_SUCH_COMMUNICATOR, ProblemType.COMMUNICATOR_ENDED})
    @GetMapping("/{id}")
    CommunicatorBodies.View get(
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") @Min(0) @Max(Limits.WAIT_SECONDS) int waitSeconds,
            @RequestParam(defaultValue = "COMPLETE") CommunicatorService.Until until,
            @RequestAttribute(Requester.ATTRIBUTE) Requester by) {
        Communicator communicator =
                communicators
                        .await(id, until, Duration.ofSeconds(waitSeconds))
                        .orElseThrow(MemberController::noSuchCommunicator);
        Instant endedAt = communicator.endedAt();
        if (endedAt != null) {
            throw MemberController.ended(endedAt, communicator.endReason());
        }
        Instant now = communicators.now();
        CommunicatorBodies.View view =
                views.of(
                        communicator,
                        communicators.members(id).stream()
                                .map(it -> CommunicatorBodies.MemberView.of(it, now))
                                .toList());
        return by.mayUse(communicator.ownedBy()) ? view : view.withoutToken();
    }
}
