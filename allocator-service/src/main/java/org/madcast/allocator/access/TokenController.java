package org.madcast.allocator.access;

import io.swagger.v3.oas.annotations.Operation;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

/** Tokens: an operator makes them for jobs, agents and people, and revokes them. */
@RestController
@RequestMapping(path = "/v1/tokens", produces = MediaType.APPLICATION_JSON_VALUE)
class TokenController {

    private static final String ROLES = "viewer|job|operator";

    private final Tokens tokens;

    TokenController(Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * What is asked for.
     *
     * @param name what it is called in lists and in the log
     * @param role {@code viewer}, {@code job} or {@code operator}
     */
    record Wish(
            @NotNull @Pattern(regexp = Token.NAME) String name,
            @NotNull @Pattern(regexp = ROLES) String role) {}

    /**
     * A token.
     *
     * @param token what its holder shows; only in the answer that made it
     */
    record View(String name, String role, Instant madeAt, String madeBy, @Nullable String token) {

        static View of(Token token, @Nullable String secret) {
            return new View(
                    token.name(), token.role().word(), token.madeAt(), token.madeBy(), secret);
        }
    }

    /** All of them. */
    record Views(List<View> tokens) {}

    @Operation(summary = "List the tokens, without what their holders show")
    @GetMapping
    Views list() {
        return new Views(tokens.all().stream().map(it -> View.of(it, null)).toList());
    }

    @Operation(summary = "Make a token; it is told once")
    @Refuses(ProblemType.TOKEN_EXISTS)
    @PostMapping
    ResponseEntity<View> make(
            @Valid @RequestBody Wish wish, @RequestAttribute(Caller.ATTRIBUTE) Caller visitor) {
        Tokens.Made made =
                tokens.make(wish.name(), Role.of(wish.role()), visitor.name())
                        .orElseThrow(() ->
                                new Problem(
                                                ProblemType.TOKEN_EXISTS,
                                                "Revoke it first, or choose another name.")
                                        .with("name", wish.name()));
        return ResponseEntity.status(HttpStatus.CREATED)
                .cacheControl(CacheControl.noStore())
                .body(View.of(made.token(), made.secret()));
    }

    @Operation(summary = "Revoke a token; other replicas take a few seconds to notice")
    @Refuses(ProblemType.NO_SUCH_TOKEN)
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable @Pattern(regexp = Token.NAME) String name) {
        if (!tokens.revoke(name)) {
            throw new Problem(ProblemType.NO_SUCH_TOKEN, "There is no token of this name.")
                    .with("name", name);
        }
    }
}
