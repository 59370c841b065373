package org.madcast.allocator.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Future;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.web.Limits;
import org.madcast.allocator.web.Problem;
import org.madcast.allocator.web.ProblemType;
import org.madcast.allocator.web.Refuses;
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
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Tokens: an operator makes them for jobs, agents and people, replaces and revokes them. */
@RestController
@RequestMapping(path = "/v1/tokens", produces = MediaType.APPLICATION_JSON_VALUE)
class TokenController {

    private static final String ROLES = "viewer|job|operator";
    private static final int DAY_SECONDS = 86_400;
    private static final int MOST_OVERLAP_SECONDS = 90 * DAY_SECONDS;
    private static final int MOST_REQUESTS = 1_000_000;

    private final Tokens tokens;

    TokenController(Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * What is asked for.
     *
     * @param name what it is called in lists and in the log
     * @param role {@code viewer}, {@code job} or {@code operator}
     * @param expiresAt when it ends; it does not, without one
     * @param requestsPerSecond how many requests each replica answers; any number, without one
     * @param mostGroups how many groups may be leased with it at a time; any number, without one
     */
    @Schema(name = "TokenWish")
    record Wish(
            @NotNull @Pattern(regexp = Token.NAME) String name,
            @NotNull @Pattern(regexp = ROLES) String role,
            @Future @Nullable Instant expiresAt,
            @Min(1) @Max(MOST_REQUESTS) @Nullable Integer requestsPerSecond,
            @Min(1) @Max(Limits.QUOTA) @Nullable Integer mostGroups) {

        Token.Terms terms() {
            return new Token.Terms(expiresAt, requestsPerSecond, mostGroups);
        }
    }

    /**
     * How a token is replaced.
     *
     * @param overlapSeconds how long it is good beside its successor; a day, without one
     * @param expiresAt when the successor ends; without one it lasts as long as its predecessor did
     */
    @Schema(name = "TokenRotation")
    record Rotation(
            @Min(0) @Max(MOST_OVERLAP_SECONDS) @Nullable Integer overlapSeconds,
            @Future @Nullable Instant expiresAt) {

        Duration overlap() {
            return Duration.ofSeconds(overlapSeconds == null ? DAY_SECONDS : overlapSeconds);
        }
    }

    /**
     * A token.
     *
     * @param predecessorUntil until when the one that it replaced is good, too
     * @param lastUsedAt about when a request last brought it
     * @param lastUsedFrom from which address
     * @param token what its holder shows; only in the answer that made it
     */
    @Schema(name = "Token")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            String name,
            String role,
            Instant madeAt,
            String madeBy,
            @Nullable Instant expiresAt,
            @Nullable Integer requestsPerSecond,
            @Nullable Integer mostGroups,
            @Nullable Instant predecessorUntil,
            @Nullable Instant lastUsedAt,
            @Nullable String lastUsedFrom,
            @Nullable String token) {

        static View of(Token token, @Nullable String secret) {
            return new View(
                    token.name(),
                    token.role().word(),
                    token.madeAt(),
                    token.madeBy(),
                    token.terms().expiresAt(),
                    token.terms().requestsPerSecond(),
                    token.terms().mostGroups(),
                    token.state().predecessorUntil(),
                    token.state().lastUsedAt(),
                    token.state().lastUsedFrom(),
                    secret);
        }

        static ResponseEntity<View> told(HttpStatus status, Tokens.Made made) {
            return ResponseEntity.status(status)
                    .cacheControl(CacheControl.noStore())
                    .body(of(made.token(), made.secret()));
        }
    }

    /** All of them. */
    @Schema(name = "Tokens")
    record Views(List<View> tokens) {}

    @Operation(summary = "List the tokens, without what their holders show")
    @GetMapping
    Views list() {
        return new Views(tokens.all().stream().map(it -> View.of(it, null)).toList());
    }

    @Operation(summary = "Make a token; it is shown once")
    @Refuses(ProblemType.TOKEN_EXISTS)
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<View> make(
            @Valid @RequestBody Wish wish, @RequestAttribute(Caller.ATTRIBUTE) Caller visitor) {
        Tokens.Made made =
                tokens.make(wish.name(), Role.of(wish.role()), visitor.name(), wish.terms())
                        .orElseThrow(() ->
                                new Problem(
                                                ProblemType.TOKEN_EXISTS,
                                                "Revoke it first, or choose another name.")
                                        .with("name", wish.name()));
        return View.told(HttpStatus.CREATED, made);
    }

    @Operation(
            summary = "Make a token's successor; it is shown once",
            description =
                    "It has the same name, role and limits, and what was made with its predecessor"
                            + " belongs to it. Both are good for a while. A predecessor's"
                            + " predecessor ends now.")
    @Refuses(ProblemType.NO_SUCH_TOKEN)
    @PostMapping("/{name}/rotation")
    ResponseEntity<View> rotate(
            @PathVariable @Pattern(regexp = Token.NAME) String name,
            @Valid @RequestBody Rotation rotation) {
        return View.told(
                HttpStatus.OK,
                tokens.rotate(name, rotation.overlap(), rotation.expiresAt())
                        .orElseThrow(() -> noSuchToken(name)));
    }

    @Operation(summary = "Revoke a token; other replicas take a few seconds to notice")
    @Refuses(ProblemType.NO_SUCH_TOKEN)
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable @Pattern(regexp = Token.NAME) String name) {
        if (!tokens.revoke(name)) {
            throw noSuchToken(name);
        }
    }

    private static Problem noSuchToken(String name) {
        return new Problem(ProblemType.NO_SUCH_TOKEN, "There is no token of this name.")
                .with("name", name);
    }
}
