package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.madcast.allocator.Rest.Answer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Grants and releases are called without the framework where a request is plain, and by it where
 * not: both answer alike. A media type with a parameter is not plain, and neither is a query.
 */
class LeaseCallsTest {

    private static final String BY_FRAMEWORK = "application/json;charset=UTF-8";
    private static final String SECRET = "Madcast-Lease-Secret";
    private static final Set<String> OF_EACH_ANSWER =
            Set.of("date", "content-length", "transfer-encoding", "x-request-id");

    private final Rest rest = RunningService.shared().rest();
    private final String job = RunningService.newJob();

    static List<String> bodies() {
        return List.of(
                "{\"job\":\"JOB\"}",
                "{\"job\":\"JOB\",\"count\":3,\"user\":\"ana\",\"labels\":{\"a\":\"\u00e9\"},"
                        + "\"durationSeconds\":60,\"layout\":{\"block\":true}}",
                "{\"job\":\"JOB\",\"scope\":\"none\"}",
                "{\"job\":\"JOB\",\"layout\":{\"alignment\":3}}",
                "{\"job\":\" \"}",
                "{\"job\":\"JOB\",\"count\":0}",
                "{\"job\":\"JOB\",\"job\":\"JOB\"}",
                "{\"job\":\"JOB\",\"unknown\":1}",
                "{\"job\":\"JOB\"} more",
                "{\"job\":",
                "null",
                "[]",
                "");
    }

    private static ObjectNode steady(Answer answer) {
        JsonNode body = answer.json();
        assertThat(body.isObject()).as(answer.text()).isTrue();
        ObjectNode steady = ((ObjectNode) body).deepCopy();
        List.of(
                        "id",
                        "secret",
                        "groups",
                        "grantedAt",
                        "startsAt",
                        "expiresAt",
                        "endedAt",
                        "instance")
                .forEach(steady::remove);
        return steady;
    }

    private static Set<String> headers(Answer answer) {
        Set<String> names = new TreeSet<>(answer.response().headers().map().keySet());
        names.removeAll(OF_EACH_ANSWER);
        return names;
    }

    private static void assertAlike(Answer plain, Answer byFramework) {
        assertThat(plain.status()).isEqualTo(byFramework.status());
        assertThat(steady(plain)).isEqualTo(steady(byFramework));
        assertThat(headers(plain)).isEqualTo(headers(byFramework));
        for (String name : List.of("content-type", "cache-control")) {
            assertThat(plain.response().headers().allValues(name))
                    .isEqualTo(byFramework.response().headers().allValues(name));
        }
    }

    private Answer grant(String body, String type, String... key) {
        return key.length == 0
                ? rest.post("/v1/leases", body, "Content-Type", type)
                : rest.post("/v1/leases", body, "Content-Type", type, "Idempotency-Key", key[0]);
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void grantsAnswerAlike(String body) {
        String ofJob = body.replace("JOB", job);
        assertAlike(grant(ofJob, "application/json"), grant(ofJob, BY_FRAMEWORK));
    }

    @Test
    void aKeyIsOneKey() {
        String body = "{\"job\":\"" + job + "\"}";
        Answer plain = grant(body, "application/json", "key-of-" + job);
        Answer byFramework = grant(body, BY_FRAMEWORK, "key-of-" + job);
        assertThat(plain.string("id")).isEqualTo(byFramework.string("id"));
        assertAlike(plain, byFramework);
        String tooLong = "k".repeat(1000);
        assertAlike(grant(body, "application/json", tooLong), grant(body, BY_FRAMEWORK, tooLong));
    }

    private Answer release(String id, String query, String secret) {
        return rest.delete("/v1/leases/" + id + query, SECRET, secret);
    }

    @Test
    void releasesAnswerAlike() {
        Answer first = grant("{\"job\":\"" + job + "\"}", "application/json");
        Answer second = grant("{\"job\":\"" + job + "\"}", "application/json");
        Answer plain = release(first.string("id"), "", first.string("secret"));
        Answer byFramework = release(second.string("id"), "?force=false", second.string("secret"));
        assertThat(plain.status()).isEqualTo(204);
        assertThat(byFramework.status()).isEqualTo(204);
        assertThat(headers(plain)).isEqualTo(headers(byFramework));
        assertAlike(
                release(first.string("id"), "", "guess"),
                release(first.string("id"), "?force=false", "guess"));
        assertAlike(
                release(first.string("id"), "", first.string("secret")),
                release(second.string("id"), "?force=false", second.string("secret")));
        assertAlike(release("nothing", "", "guess"), release("nothing", "?force=false", "guess"));
    }
}
