package org.madcast.allocator.audit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An entry as it is sent to a webhook: CloudEvents 1.0, structured JSON, signed as Standard
 * Webhooks does it.
 */
final class CloudEvent {

    static final String TYPE = "application/cloudevents+json; charset=utf-8";

    /** What secrets begin with; base64 follows. */
    static final String SECRET = "whsec_";

    private static final String KIND = "org.madcast.";

    private CloudEvent() {}

    /** Its members. A lease's events have one subject, and come in their order. */
    static Map<String, Object> of(AuditQueries.Entry entry) {
        UUID lease = entry.lease();
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("specversion", "1.0");
        event.put("id", String.valueOf(entry.id()));
        event.put("source", "/v1/audit");
        event.put("type", KIND + entry.what());
        event.put("subject", lease == null ? entry.subject() : lease.toString());
        event.put("time", entry.at().toString());
        event.put("datacontenttype", "application/json");
        event.put("data", AuditController.View.of(entry));
        return event;
    }

    /** The key of a secret. */
    static byte[] key(String secret) {
        return Base64.getDecoder().decode(secret.substring(SECRET.length()));
    }

    /** The signature, over number, time and body. */
    static String signature(String secret, String id, Instant at, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key(secret), "HmacSHA256"));
            String signed = id + "." + at.getEpochSecond() + "." + body;
            byte[] sum = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(sum);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java has HmacSHA256", missing);
        }
    }
}
