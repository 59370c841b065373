package org.madcast.allocator.access.oidc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.Secrets;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/**
 * Seals what a browser keeps for the service, so that any replica can read it back and nobody can
 * change it: with a key of the installation, which only the database has. It is not hidden from the
 * browser. From any thread.
 */
@Component
class Seals {

    /** What every sealed text begins with. */
    static final String PREFIX = "oidc.";

    private static final TypeReference<Map<String, String>> FIELDS = new TypeReference<>() {};
    private static final String UNTIL = "until";

    private final Secrets secrets;
    private final ObjectMapper json;

    Seals(Secrets secrets, ObjectMapper json) {
        this.secrets = secrets;
        this.json = json;
    }

    /** What was sealed, and until when it is good. */
    record Opened(Map<String, String> fields, Instant until) {

        String field(String name) {
            return fields.getOrDefault(name, "");
        }
    }

    /**
     * Seals some fields.
     *
     * @param purpose what for: sealed for one purpose, it is no good for another
     */
    String seal(String purpose, Map<String, String> fields, Instant until) {
        Map<String, String> all = new TreeMap<>(fields);
        all.put(UNTIL, until.toString());
        String text =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(
                                json.writeValueAsString(all).getBytes(StandardCharsets.UTF_8));
        return PREFIX + text + "." + secrets.derived(purpose, text);
    }

    /** What was sealed for this purpose; null if this is no such thing. Its time may be over. */
    @Nullable Opened open(String purpose, String sealed) {
        int dot = sealed.lastIndexOf('.');
        if (!sealed.startsWith(PREFIX) || dot < PREFIX.length()) {
            return null;
        }
        String text = sealed.substring(PREFIX.length(), dot);
        byte[] right = secrets.derived(purpose, text).getBytes(StandardCharsets.UTF_8);
        byte[] shown = sealed.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(right, shown)) {
            return null;
        }
        try {
            Map<String, String> fields =
                    json.readValue(Base64.getUrlDecoder().decode(text), FIELDS);
            return new Opened(fields, Instant.parse(fields.getOrDefault(UNTIL, "")));
        } catch (JacksonException | DateTimeException | IllegalArgumentException other) {
            return null;
        }
    }
}
