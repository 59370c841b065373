package org.madcast.allocator.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Webhooks: an operator says where entries of the audit are sent. */
@RestController
@RequestMapping(path = "/v1/webhooks", produces = MediaType.APPLICATION_JSON_VALUE)
class WebhookController {

    private static final int KEY_BYTES = 32;
    private static final int KINDS = 32;

    private final WebhookStore store;
    private final AuditLog audit;
    private final SecureRandom random = new SecureRandom();

    WebhookController(WebhookStore store, AuditLog audit) {
        this.store = store;
        this.audit = audit;
    }

    /**
     * What is asked for.
     *
     * @param url where to tell it, http or https
     * @param kinds those kinds only; left out: all
     * @param secret {@code whsec_} and 24 to 64 bytes in base64; left out: the one that there is,
     *     or a new one
     */
    @Schema(name = "WebhookWish")
    record Wish(
            @NotNull @Size(max = Limits.LINE_LENGTH) String url,
            @Nullable @Size(max = KINDS) List<@NotNull @Size(max = 63) String> kinds,
            @Nullable @Pattern(regexp = CloudEvent.SECRET + "[A-Za-z0-9+/]{32,88}={0,2}")
                    String secret) {}

    /**
     * A webhook.
     *
     * @param secret only in the answer that made it
     */
    @Schema(name = "Webhook")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            String name,
            String url,
            List<String> kinds,
            long waiting,
            long told,
            long dropped,
            int failures,
            @Nullable Instant failingSince,
            @Nullable String lastFailure,
            Instant nextAt,
            @Nullable String secret) {

        static View of(Webhook hook, @Nullable String secret) {
            Webhook.Progress progress = hook.progress();
            return new View(
                    hook.name(),
                    hook.url(),
                    hook.kinds(),
                    progress.waiting(),
                    progress.told(),
                    progress.dropped(),
                    progress.failures(),
                    progress.failingSince(),
                    progress.lastFailure(),
                    progress.nextAt(),
                    secret);
        }
    }

    /** All of them. */
    @Schema(name = "Webhooks")
    record Views(List<View> items) {}

    @Operation(summary = "List the webhooks and how they go")
    @GetMapping
    Views list() {
        return new Views(store.all().stream().map(it -> View.of(it, null)).toList());
    }

    @Operation(
            summary = "Make a webhook, or change it",
            description =
                    "It gets what is recorded from then on, as CloudEvents in JSON, each at least"
                            + " once and in their order, signed as Standard Webhooks are.")
    @PutMapping("/{name}")
    ResponseEntity<View> put(
            @PathVariable @Pattern(regexp = Webhook.NAME) String name,
            @Valid @RequestBody Wish wish) {
        List<String> kinds = wish.kinds() == null ? List.of() : wish.kinds();
        checkUrl(wish.url());
        checkKinds(kinds);
        Optional<Webhook> before = store.find(name);
        String secret =
                wish.secret() != null
                        ? wish.secret()
                        : before.map(Webhook::secret).orElseGet(this::newSecret);
        checkSecret(secret);
        store.put(name, wish.url(), secret, kinds);
        audit.record(AuditKind.WEBHOOK_SET, name, Map.of("url", wish.url(), "kinds", kinds));
        boolean told = before.isPresent() && before.get().secret().equals(secret);
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noStore())
                .body(View.of(store.find(name).orElseThrow(), told ? null : secret));
    }

    @Operation(summary = "Remove a webhook; nothing more is sent to it")
    @Refuses(ProblemType.NOT_FOUND)
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable @Pattern(regexp = Webhook.NAME) String name) {
        if (!store.remove(name)) {
            throw new Problem(ProblemType.NOT_FOUND, "There is no webhook of this name.");
        }
        audit.record(AuditKind.WEBHOOK_REMOVED, name, Map.of());
    }

    private String newSecret() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return CloudEvent.SECRET + Base64.getEncoder().encodeToString(key);
    }

    private static void checkUrl(String text) {
        try {
            URI url = URI.create(text);
            boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            if (web && url.getHost() != null && url.getUserInfo() == null) {
                return;
            }
        } catch (IllegalArgumentException none) {
            // Said below.
        }
        throw Problem.invalid("url", "must be http://HOST/PATH or https://HOST/PATH");
    }

    private static void checkKinds(List<String> kinds) {
        List<String> known = Arrays.stream(AuditKind.values()).map(AuditKind::word).toList();
        if (!known.containsAll(kinds)) {
            throw Problem.invalid("kinds", "must be some of " + String.join(", ", known));
        }
    }

    private static void checkSecret(String secret) {
        try {
            byte[] _ = CloudEvent.key(secret);
        } catch (IllegalArgumentException wrong) {
            throw Problem.invalid("secret", "must be base64 after " + CloudEvent.SECRET);
        }
    }
}
