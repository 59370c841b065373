package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is recorded, and what is found of it. */
class AuditTest {

    private static final String OPERATOR = "an-operator-who-is-recorded";
    private static final String JOB = "a-job-that-is-recorded";

    private static RunningService service;
    private static Rest rest;

    @BeforeAll
    static void start() {
        service =
                RunningService.replica(
                        "--madcast.access.from-loopback=none",
                        "--madcast.access.operator-token=" + OPERATOR,
                        "--madcast.access.job-token=" + JOB);
        rest = service.rest();
    }

    @AfterAll
    static void end() {
        service.close();
    }

    private static String[] by(String token, String... more) {
        List<String> headers = new ArrayList<>(List.of("Authorization", "Bearer " + token));
        headers.addAll(List.of(more));
        return headers.toArray(String[]::new);
    }

    private static List<JsonNode> found(String query) {
        Rest.Answer answer = rest.get("/v1/audit?" + query, by(OPERATOR));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        List<JsonNode> items = new ArrayList<>();
        answer.json().path("items").forEach(items::add);
        return items;
    }

    private static List<String> whats(String query) {
        return found(query).stream().map(it -> it.path("what").asString()).toList();
    }

    private static Rest.Answer grant(String body, String... more) {
        Rest.Answer granted = rest.post("/v1/leases", body, by(JOB, more));
        assertThat(granted.status()).as(granted.text()).isEqualTo(201);
        return granted;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void whoHadAGroupThenAndWhoReleasedItIsOneQuery() {
        String scope = service.addScope(1, 0);
        String wish = "{\"job\":\"%s\",\"scope\":\"" + scope + "\",\"user\":\"ada\"}";
        Rest.Answer first = grant(wish.formatted("first"), "X-Request-Id", "my-own.number");
        assertThat(first.response().headers().firstValue("X-Request-Id")).contains("my-own.number");
        String group = first.json().at("/groups/0/address").asString();
        Instant whenFirst = Instant.parse(first.string("grantedAt")).plusMillis(1);
        rest.delete("/v1/leases/" + first.string("id") + "?force=true", by(OPERATOR));
        Rest.Answer second = grant(wish.formatted("second"));
        assertThat(second.json().at("/groups/0/address").asString()).isEqualTo(group);

        List<JsonNode> then = found("group=" + group + "&at=" + encoded(whenFirst.toString()));
        assertThat(then).hasSize(2);
        JsonNode released = then.getFirst();
        assertThat(released.path("what").asString()).isEqualTo("lease.released");
        assertThat(released.path("who").asString()).isEqualTo("configured-operator");
        assertThat(released.path("role").asString()).isEqualTo("operator");
        assertThat(released.path("subject").asString()).isEqualTo("first");
        assertThat(released.at("/detail/anothers").asBoolean()).isTrue();
        assertThat(released.at("/detail/groups/0").asString()).startsWith(group + ":");
        JsonNode granted = then.getLast();
        assertThat(granted.path("what").asString()).isEqualTo("lease.granted");
        assertThat(granted.path("who").asString()).isEqualTo("configured-job");
        assertThat(granted.path("role").asString()).isEqualTo("job");
        assertThat(granted.path("address").asString()).isEqualTo("127.0.0.1");
        assertThat(granted.path("requestId").asString()).isEqualTo("my-own.number");
        assertThat(granted.at("/detail/user").asString()).isEqualTo("ada");
        assertThat(granted.at("/detail/scope").asString()).isEqualTo(scope);

        List<JsonNode> now = found("group=" + group + "&at=" + encoded(inAMinute()));
        assertThat(now).hasSize(1);
        assertThat(now.getFirst().path("subject").asString()).isEqualTo("second");
        assertThat(whats("group=" + group)).hasSize(3);
        assertThat(found("group=" + group + "&at=" + encoded("2020-01-01T00:00:00Z"))).isEmpty();
    }

    @Test
    void withAPortOnlyTheLeasesOfThatPortAreFound() {
        String scope = service.addScope(1, 0);
        Rest.Answer granted = grant("{\"job\":\"one\",\"scope\":\"%s\"}".formatted(scope));
        String group = granted.json().at("/groups/0/address").asString();
        int port = granted.json().at("/groups/0/port").asInt();
        assertThat(whats("group=" + group + ":" + port)).containsExactly("lease.granted");
        assertThat(whats("group=" + group + ":" + (port + 1))).isEmpty();
        assertThat(whats("group=" + group)).containsExactly("lease.granted");
    }

    private static String inAMinute() {
        Instant now =
                service.jdbc()
                        .sql("select now()")
                        .query(java.time.OffsetDateTime.class)
                        .single()
                        .toInstant();
        return now.plusSeconds(60).toString();
    }

    /** A year later the lease itself is long forgotten. */
    @Test
    void whoHadAGroupIsKnownWhenItsLeaseIsForgotten() {
        String scope = service.addScope(1, 0);
        Rest.Answer granted = grant("{\"job\":\"old\",\"scope\":\"%s\"}".formatted(scope));
        String group = granted.json().at("/groups/0/address").asString();
        String lease = granted.string("id");
        ageBy(lease, "3 hours");
        await().until(() -> whats("lease=" + lease).size() == 2);
        service.jdbc().sql("delete from lease where id = ?::uuid").param(lease).update();
        Instant granting = Instant.parse(granted.string("grantedAt"));
        String during = encoded(granting.minusSeconds(9000).toString());
        assertThat(whats("group=" + group + "&at=" + during))
                .containsExactly("lease.expired", "lease.granted");
        String after = encoded(granting.minusSeconds(3600).toString());
        assertThat(whats("group=" + group + "&at=" + after)).isEmpty();
    }

    /** Makes a lease of an hour an older one. */
    private static void ageBy(String lease, String age) {
        for (String sql :
                List.of(
                        "update lease set starts_at = starts_at - age, expires_at = expires_at - age",
                        "update lease_group set blocked = tstzrange(lower(blocked) - age,"
                                + " upper(blocked) - age)",
                        "update audit set at = at - age, detail = jsonb_set(detail::jsonb,"
                                + " '{startsAt}', to_jsonb(at - age))::json")) {
            String table = sql.split(" ", -1)[1];
            String column =
                    table.equals("lease") ? "id" : table.equals("audit") ? "lease" : "lease_id";
            service.jdbc()
                    .sql(
                            sql
                                    + " from (select ?::interval as age) as older where "
                                    + column
                                    + " = ?::uuid")
                    .params(age, lease)
                    .update();
        }
    }

    @Test
    void everyGroupOfALeaseIsFound() {
        String scope = service.addScope(3, 0);
        Rest.Answer granted =
                grant("{\"job\":\"three\",\"count\":3,\"scope\":\"%s\"}".formatted(scope));
        for (JsonNode group : granted.json().path("groups")) {
            String address = group.path("address").asString();
            // Other scopes of these tests may lease the same address.
            String lease = granted.string("id");
            assertThat(found("group=" + address + ":" + group.path("port").asInt()))
                    .filteredOn(it -> it.path("lease").asString().equals(lease))
                    .hasSize(1);
            assertThat(found("group=" + address))
                    .filteredOn(it -> it.path("lease").asString().equals(lease))
                    .hasSize(1);
        }
    }

    @Test
    void aRenewalIsRecordedOnlyByAnother() {
        Rest.Answer granted = grant("{\"job\":\"renewed\"}");
        String[] secret = {"Madcast-Lease-Secret", granted.string("secret")};
        String path = "/v1/leases/" + granted.string("id") + "/renewal";
        assertThat(rest.post(path, "{\"durationSeconds\":60}", by(JOB, secret)).status())
                .isEqualTo(200);
        assertThat(whats("lease=" + granted.string("id"))).containsExactly("lease.granted");
        assertThat(rest.post(path, "{\"durationSeconds\":60}", by(OPERATOR, secret)).status())
                .isEqualTo(200);
        assertThat(whats("lease=" + granted.string("id")))
                .containsExactly("lease.renewed", "lease.granted");
    }

    @Test
    void aScopesChangeIsRecordedWithBeforeAndAfter() {
        String name = "audited-" + UUID.randomUUID().toString().substring(0, 8);
        String body = "{\"ranges\":[\"239.195.249.0/28\"],\"quarantineSeconds\":%d}";
        rest.post("/v1/scopes/" + name, body.formatted(60), by(OPERATOR));
        rest.put("/v1/scopes/" + name, body.formatted(300), by(OPERATOR));
        assertThat(rest.delete("/v1/scopes/" + name, by(OPERATOR)).status()).isEqualTo(204);
        List<JsonNode> all = found("what=scope&subject=" + name);
        assertThat(all.stream().map(it -> it.path("what").asString()))
                .containsExactly("scope.removed", "scope.changed", "scope.made");
        JsonNode changed = all.get(1).path("detail");
        assertThat(changed.at("/before/quarantineSeconds").asInt()).isEqualTo(60);
        assertThat(changed.at("/after/quarantineSeconds").asInt()).isEqualTo(300);
        // As it was, it can be made again.
        String again = changed.path("before").toString();
        assertThat(rest.post("/v1/scopes/" + name, again, by(OPERATOR)).status()).isEqualTo(201);
        rest.delete("/v1/scopes/" + name, by(OPERATOR));
    }

    @Test
    void tokensAndSignInsAreRecorded() {
        String name = "t-" + UUID.randomUUID();
        String wish = "{\"name\":\"%s\",\"role\":\"viewer\"}".formatted(name);
        String secret = rest.post("/v1/tokens", wish, by(OPERATOR)).string("token");
        assertThat(rest.form("/sign-in", "token=" + secret).status()).isEqualTo(303);
        rest.delete("/v1/tokens/" + name, by(OPERATOR));
        assertThat(rest.form("/sign-in", "token=" + secret).status()).isEqualTo(401);
        assertThat(whats("subject=" + name)).containsExactly("token.revoked", "token.made");
        assertThat(whats("who=" + name)).containsExactly("sign-in");
        await().until(() -> !found("what=sign-in-failed&address=127.0.0.0/8").isEmpty());
        assertThat(rest.get("/v1/audit", by(OPERATOR)).text()).doesNotContain(secret);
    }

    /** However often it is asked for: two entries at most in this time. */
    @Test
    void whatIsRefusedIsRecordedAndCountedNotRepeated() {
        String job = "t-" + UUID.randomUUID();
        String wish = "{\"name\":\"%s\",\"role\":\"job\"}".formatted(job);
        String secret = rest.post("/v1/tokens", wish, by(OPERATOR)).string("token");
        for (int i = 0; i < 20; i++) {
            assertThat(rest.post("/v1/scopes/mine", "{}", by(secret)).status()).isEqualTo(403);
        }
        await().until(() -> !found("what=refused&who=" + job).isEmpty());
        String scope = service.addScope(1, 0);
        grant("{\"job\":\"a\",\"scope\":\"%s\"}".formatted(scope));
        String full = "{\"job\":\"b\",\"scope\":\"%s\"}".formatted(scope);
        assertThat(rest.post("/v1/leases", full, by(secret)).status()).isEqualTo(409);
        await().until(() -> found("what=refused&who=" + job).size() == 2);
        List<JsonNode> refused = found("what=refused&who=" + job);
        assertThat(refused.getFirst().at("/detail/reason").asString()).isEqualTo("pool-exhausted");
        assertThat(refused.getFirst().path("subject").asString()).isEqualTo("POST /v1/leases");
        assertThat(refused.getLast().at("/detail/reason").asString()).isEqualTo("role-needed");
    }

    @Test
    void anUnknownTokenIsRecordedWithItsAddress() {
        assertThat(rest.get("/v1/leases", by("madcast_guessed")).status()).isEqualTo(401);
        await().until(() ->
                found("what=refused&address=127.0.0.1").stream()
                        .anyMatch(it -> it.path("who").asString().equals("127.0.0.1")));
        assertThat(rest.get("/v1/audit", by(JOB)).problem()).isEqualTo("role-needed");
    }

    @Test
    void pagesFollowEachOther() {
        String job = RunningService.newJob();
        for (int i = 0; i < 5; i++) {
            grant("{\"job\":\"%s\"}".formatted(job));
        }
        Rest.Answer first = rest.get("/v1/audit?subject=" + job + "&size=3", by(OPERATOR));
        Rest.Answer second =
                rest.get(
                        "/v1/audit?subject=%s&size=3&before=%s"
                                .formatted(job, first.json().path("next").asString()),
                        by(OPERATOR));
        assertThat(first.json().path("items").size()).isEqualTo(3);
        assertThat(second.json().path("items").size()).isEqualTo(2);
        assertThat(second.json().has("next")).isFalse();
    }

    @Test
    void whatCannotBeLookedForIsSaid() {
        for (String wrong :
                List.of(
                        "group=10.0.0.1",
                        "group=x",
                        "group=ff02::1%25eth0",
                        "address=10.0.0.0/33",
                        "at=2026-03-03T14:00:00Z",
                        "at=noon&group=239.1.1.1",
                        "what=%27",
                        "before=0")) {
            Rest.Answer answer = rest.get("/v1/audit?" + wrong, by(OPERATOR));
            assertThat(answer.problem()).as(wrong).isEqualTo("invalid-request");
        }
        assertThat(rest.get("/v1/audit?group=%5Bff18::1%5D:5000", by(OPERATOR)).status())
                .isEqualTo(200);
    }

    /** A grant that is rolled back was not made, and is not recorded. */
    @Test
    void aRepeatedGrantIsRecordedOnce() {
        String[] key = {"Idempotency-Key", UUID.randomUUID().toString()};
        String job = RunningService.newJob();
        String wish = "{\"job\":\"%s\"}".formatted(job);
        assertThat(grant(wish, key).string("id")).isEqualTo(grant(wish, key).string("id"));
        assertThat(whats("subject=" + job)).containsExactly("lease.granted");
    }
}
