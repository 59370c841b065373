package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Tokens end, are replaced, have limits and tell when they were used; guessing them is slow. */
class TokenTermsTest {

    private static final String OPERATOR = "the-operator-of-the-terms";

    private static RunningService service;
    private static Rest rest;

    @BeforeAll
    static void start() {
        service =
                RunningService.replica(
                        "--madcast.access.operator-token=" + OPERATOR,
                        "--madcast.access.use-interval=200ms");
        rest = service.rest();
    }

    @AfterAll
    static void end() {
        service.close();
    }

    private static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    private static String newName() {
        return "t-" + UUID.randomUUID();
    }

    private static Rest.Answer made(String name, String terms) {
        Rest.Answer made =
                rest.post(
                        "/v1/tokens",
                        "{\"name\":\"%s\",\"role\":\"job\"%s}".formatted(name, terms),
                        bearer(OPERATOR));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made;
    }

    private static int reads(String token) {
        return rest.get("/v1/leases?size=1", bearer(token)).status();
    }

    private static Rest.Answer grant(String token, int count, String... more) {
        String[] headers = new String[2 + more.length];
        System.arraycopy(bearer(token), 0, headers, 0, 2);
        System.arraycopy(more, 0, headers, 2, more.length);
        return rest.post(
                "/v1/leases",
                "{\"job\":\"%s\",\"count\":%d}".formatted(RunningService.newJob(), count),
                headers);
    }

    private static JsonNode listed(String name) {
        JsonNode all = rest.get("/v1/tokens", bearer(OPERATOR)).json().path("tokens");
        return StreamSupport.stream(all.spliterator(), false)
                .filter(it -> it.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aTokenEndsWhenItWasSaidTo() {
        // The database keeps microseconds, and rounds.
        Instant end = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.MICROS);
        String name = newName();
        String token = made(name, ",\"expiresAt\":\"" + end + "\"").string("token");
        assertThat(reads(token)).isEqualTo(200);
        assertThat(Instant.parse(listed(name).path("expiresAt").asString())).isEqualTo(end);
        await().until(() -> reads(token), it -> it == 401);
        assertThat(Instant.now()).isAfterOrEqualTo(end.minusMillis(500));
        Rest.Answer ended = rest.get("/v1/leases", bearer(token));
        assertThat(ended.problem()).isEqualTo("token-needed");
        assertThat(ended.string("detail")).contains("ended");
        Rest.Answer past =
                rest.post(
                        "/v1/tokens",
                        "{\"name\":\"x\",\"role\":\"job\",\"expiresAt\":\"2020-01-01T00:00:00Z\"}",
                        bearer(OPERATOR));
        assertThat(past.problem()).isEqualTo("invalid-request");
    }

    @Test
    void aSuccessorOwnsWhatItsPredecessorMadeAndBothAreGoodForAWhile() {
        String name = newName();
        String first = made(name, "").string("token");
        Rest.Answer lease = grant(first, 1);
        String rotation = "/v1/tokens/" + name + "/rotation";
        Rest.Answer rotated = rest.post(rotation, "{\"overlapSeconds\":3}", bearer(OPERATOR));
        assertThat(rotated.status()).as(rotated.text()).isEqualTo(200);
        assertThat(rotated.response().headers().firstValue("Cache-Control")).contains("no-store");
        String second = rotated.string("token");
        assertThat(reads(first)).isEqualTo(200);
        assertThat(reads(second)).isEqualTo(200);
        Rest.Answer renewed =
                rest.post(
                        "/v1/leases/" + lease.string("id") + "/renewal",
                        "{\"durationSeconds\":60}",
                        "Authorization",
                        "Bearer " + second,
                        "Madcast-Lease-Secret",
                        lease.string("secret"));
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        await().until(() -> reads(first), it -> it == 401);
        assertThat(reads(second)).isEqualTo(200);

        String third =
                rest.post(rotation, "{\"overlapSeconds\":0}", bearer(OPERATOR)).string("token");
        assertThat(reads(second)).isEqualTo(401);
        assertThat(reads(third)).isEqualTo(200);
        assertThat(rest.post("/v1/tokens/none/rotation", "{}", bearer(OPERATOR)).problem())
                .isEqualTo("no-such-token");
    }

    @Test
    void aSuccessorLastsAsLongAsItsPredecessorDid() {
        String name = newName();
        Instant end = Instant.now().plusSeconds(3600);
        made(name, ",\"expiresAt\":\"" + end + "\"");
        service.jdbc()
                .sql(
                        "update access_token set made_at = made_at - interval '40 min',"
                                + " expires_at = expires_at - interval '40 min' where name = ?")
                .param(name)
                .update();
        Rest.Answer rotated = rest.post("/v1/tokens/" + name + "/rotation", "{}", bearer(OPERATOR));
        assertThat(Instant.parse(rotated.string("expiresAt")))
                .isBetween(end.minusSeconds(60), end.plusSeconds(60));
        // The predecessor's own end comes before a day has passed.
        assertThat(Instant.parse(rotated.string("predecessorUntil"))).isBefore(end);
    }

    @Test
    void aTokenMakesNoMoreRequestsInASecondThanItMay() {
        String token = made(newName(), ",\"requestsPerSecond\":2").string("token");
        Rest.Answer refused =
                IntStream.range(0, 2000)
                        .mapToObj(_ -> rest.get("/v1/leases?size=1", bearer(token)))
                        .filter(it -> it.status() == 429)
                        .findFirst()
                        .orElseThrow();
        assertThat(refused.problem()).isEqualTo("too-many-requests");
        assertThat(refused.json().path("requestsPerSecond").asInt()).isEqualTo(2);
        assertThat(refused.response().headers().firstValue("Retry-After")).contains("1");
        await().until(() -> reads(token), it -> it == 200);
    }

    @Test
    void aTokenHasNoMoreGroupsThanItMayWhoeverTheyBelongTo() {
        String token = made(newName(), ",\"mostGroups\":3").string("token");
        Rest.Answer first = grant(token, 2);
        assertThat(first.status()).isEqualTo(201);
        String[] another = {"Madcast-Owner-Secret", "secret-" + UUID.randomUUID()};
        Rest.Answer refused = grant(token, 2, another);
        assertThat(refused.problem()).isEqualTo("quota-exceeded");
        assertThat(refused.string("of")).isEqualTo("token");
        assertThat(refused.string("detail"))
                .isEqualTo("This token may have 3 groups at a time, and this one has 2.");
        assertThat(grant(token, 1, another).status()).isEqualTo(201);
        assertThat(grant(token, 1).status()).isEqualTo(409);
        Rest.Answer released =
                rest.delete(
                        "/v1/leases/" + first.string("id"),
                        "Authorization",
                        "Bearer " + token,
                        "Madcast-Lease-Secret",
                        first.string("secret"));
        assertThat(released.status()).isEqualTo(204);
        assertThat(grant(token, 2).status()).isEqualTo(201);
    }

    @Test
    void theListTellsWhenAndFromWhereATokenWasLastUsed() {
        String name = newName();
        Instant before = Instant.now().minusSeconds(5);
        String token = made(name, "").string("token");
        assertThat(listed(name).has("lastUsedAt")).isFalse();
        assertThat(reads(token)).isEqualTo(200);
        await().until(() -> listed(name).has("lastUsedAt"));
        JsonNode used = listed(name);
        assertThat(Instant.parse(used.path("lastUsedAt").asString())).isAfter(before);
        assertThat(used.path("lastUsedFrom").asString()).isEqualTo("127.0.0.1");
    }

    /** On a replica of its own: this address is slowed down there. */
    @Test
    void whoTriesTokensIsSlowedDownAndLoggedOnce() {
        Logger log = (Logger) LoggerFactory.getLogger("org.madcast.allocator.access.Guesses");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        String inUse = made(newName(), "").string("token");
        String unused = made(newName(), "").string("token");
        try (RunningService other = RunningService.replica("--madcast.access.job-token=")) {
            Rest tried = other.rest();
            assertThat(tried.get("/v1/leases", bearer(inUse)).status()).isEqualTo(200);
            for (int i = 0; i < 100; i++) {
                assertThat(tried.get("/v1/leases", bearer("the same wrong one")).status())
                        .isEqualTo(401);
            }
            Rest.Answer refused =
                    IntStream.range(0, 2000)
                            .mapToObj(it -> tried.get("/v1/leases", bearer("guess-" + it)))
                            .filter(it -> it.status() != 401)
                            .findFirst()
                            .orElseThrow();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.response().headers().firstValue("Retry-After")).contains("1");
            // A job that worked before goes on.
            assertThat(tried.get("/v1/leases", bearer(inUse)).status()).isEqualTo(200);
            await().until(() -> tried.get("/v1/leases", bearer(unused)).status(), it -> it == 200);
            assertThat(lines.list)
                    .singleElement()
                    .satisfies(it ->
                            assertThat(it.getFormattedMessage())
                                    .contains("127.0.0.1 tries tokens"));
        } finally {
            log.detachAppender(lines);
        }
    }
}
