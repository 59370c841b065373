package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import tools.jackson.databind.JsonNode;

class LeaseRestTest {

    private static final String END_RELEASED = "at + interval '30 days', ended";
    private static final String END_EXPIRED = "ended, null";
    private static final String SECRET = "Madcast-Lease-Secret";

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final String job = RunningService.newJob();

    @Test
    void grantsFromTheDefaultScopeForAnHour() {
        Answer answer = grant("");
        assertThat(answer.status()).isEqualTo(201);
        JsonNode lease = answer.json();
        assertThat(lease.path("groups").size()).isEqualTo(1);
        assertThat(lease.at("/groups/0/address").asString()).matches("239\\.19[2-5]\\..*");
        assertThat(lease.at("/groups/0/port").asInt())
                .isBetween(5000, 32768)
                .matches(it -> it % 2 == 0);
        assertThat(lease.path("state").asString()).isEqualTo("ACTIVE");
        assertThat(lease.path("secret").asString()).hasSizeGreaterThanOrEqualTo(22);
        assertThat(
                        Duration.between(
                                Instant.parse(lease.path("grantedAt").asString()),
                                Instant.parse(lease.path("expiresAt").asString())))
                .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void storesOnlyAHashOfTheSecret() {
        String secret = grant("").string("secret");
        assertThat(
                        service.jdbc()
                                .sql("select count(*) from lease where lease::text like ?")
                                .param("%" + secret + "%")
                                .query(Long.class)
                                .single())
                .isZero();
    }

    @Test
    void grantsSeveralGroupsWithLabels() {
        Answer answer = grant(",\"count\":5,\"user\":\"ana\",\"labels\":{\"a\":\"b\"}");
        assertThat(answer.json().path("groups").size()).isEqualTo(5);
        Answer again = rest.get("/v1/leases/" + answer.string("id"));
        assertThat(again.json().path("groups")).isEqualTo(answer.json().path("groups"));
        assertThat(again.json().at("/labels/a").asString()).isEqualTo("b");
        assertThat(again.string("user")).isEqualTo("ana");
        assertThat(again.json().has("secret")).isFalse();
    }

    @Test
    void renewalKeepsTheGroups() {
        Answer granted = grant("");
        Answer renewed = renew(granted.string("id"), granted.string("secret"), 7200);
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.json().path("groups")).isEqualTo(granted.json().path("groups"));
        assertThat(Instant.parse(renewed.string("expiresAt")))
                .isAfter(Instant.parse(granted.string("expiresAt")));
    }

    @Test
    void aWrongSecretLooksLikeAnUnknownLease() {
        Answer granted = grant("");
        Answer wrong = renew(granted.string("id"), "guess", 60);
        Answer unknown = renew("00000000-0000-0000-0000-000000000000", "guess", 60);
        assertThat(wrong.problem()).isEqualTo(unknown.problem()).isEqualTo("no-such-lease");
        assertThat(wrong.string("detail")).isEqualTo(unknown.string("detail"));
        assertThat(rest.delete("/v1/leases/" + granted.string("id")).status()).isEqualTo(404);
    }

    @Test
    void aReleasedLeaseHasEnded() {
        Answer granted = grant("");
        String path = "/v1/leases/" + granted.string("id");
        assertThat(rest.delete(path, SECRET, granted.string("secret")).status()).isEqualTo(204);
        assertThat(rest.get(path).string("state")).isEqualTo("RELEASED");
        Answer again = renew(granted.string("id"), granted.string("secret"), 60);
        assertThat(again.status()).isEqualTo(410);
        assertThat(again.problem()).isEqualTo("lease-ended");
        assertThat(again.string("endedAt")).isNotEmpty();
        assertThat(rest.delete(path, SECRET, granted.string("secret")).problem())
                .isEqualTo("lease-ended");
    }

    @Test
    void anExpiredLeaseHasEnded() {
        Answer granted = grant("");
        service.jdbc()
                .sql(
                        """
                        update lease set starts_at = now() - interval '2 s',
                            expires_at = now() - interval '1 s' where id = ?::uuid
                        """)
                .param(granted.string("id"))
                .update();
        Answer renewed = renew(granted.string("id"), granted.string("secret"), 60);
        assertThat(renewed.problem()).isEqualTo("lease-ended");
        assertThat(rest.get("/v1/leases/" + granted.string("id")).string("state"))
                .isEqualTo("EXPIRED");
    }

    @Test
    void theSameIdempotencyKeyIsTheSameLease() {
        String key = RunningService.newJob();
        String body = "{\"job\":\"%s\",\"count\":2}".formatted(job);
        Answer first = rest.post("/v1/leases", body, "Idempotency-Key", key);
        Answer second = rest.post("/v1/leases", body, "Idempotency-Key", key);
        assertThat(second.json()).isEqualTo(first.json());
        assertThat(renew(second.string("id"), second.string("secret"), 60).status()).isEqualTo(200);
        Answer other = rest.post("/v1/leases", body.replace("2", "3"), "Idempotency-Key", key);
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.problem()).isEqualTo("idempotency-key-reused");
    }

    @Test
    void listsByJobAndStateInPages() {
        String released = grant("").string("id");
        service.jdbc()
                .sql("update lease set released_at = now() where id = ?::uuid")
                .param(released)
                .update();
        String newest = "";
        for (int i = 0; i < 3; i++) {
            newest = grant("").string("id");
        }
        JsonNode page = rest.get("/v1/leases?job=" + job + "&state=ACTIVE&size=2").json();
        assertThat(page.path("total").asInt()).isEqualTo(3);
        assertThat(page.path("items").size()).isEqualTo(2);
        assertThat(page.at("/items/0/id").asString()).isEqualTo(newest);
        JsonNode last = rest.get("/v1/leases?job=" + job + "&state=ACTIVE&size=2&page=1").json();
        assertThat(last.path("items").size()).isEqualTo(1);
        JsonNode gone = rest.get("/v1/leases?job=" + job + "&state=RELEASED&scope=default").json();
        assertThat(gone.at("/items/0/id").asString()).isEqualTo(released);
    }

    @Test
    void listsScopesWithTheirFilling() {
        String scope = service.addScope(4, 60);
        Answer granted = grant(",\"scope\":\"" + scope + "\",\"count\":2");
        assertThat(granted.status()).isEqualTo(201);
        JsonNode view = scope(scope);
        assertThat(view.path("capacity").asInt()).isEqualTo(4);
        assertThat(view.path("leased").asInt()).isEqualTo(2);
        rest.delete("/v1/leases/" + granted.string("id"), SECRET, granted.string("secret"));
        assertThat(scope(scope).path("leased").asInt()).isZero();
        assertThat(scope(scope).path("quarantined").asInt()).isEqualTo(2);
        assertThat(scope("default").path("capacity").asInt()).isEqualTo(261_888);
    }

    /** However long it might have lasted. */
    @Test
    void aReleasedLeaseIsForgottenAWeekAfterItsRelease() {
        String forgotten = endedLease(END_RELEASED, 8, "239.140.1.1", true);
        String kept = endedLease(END_RELEASED, 6, "239.140.1.2", true);
        String resting = endedLease(END_RELEASED, 8, "239.140.1.3", false);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> rest.get("/v1/leases/" + forgotten).status() == 404);
        assertThat(rest.get("/v1/leases/" + kept).string("state")).isEqualTo("RELEASED");
        assertThat(rest.get("/v1/leases/" + resting).string("state")).isEqualTo("RELEASED");
    }

    /** Its groups may rest longer than that: nobody else gets them meanwhile. */
    @Test
    void anExpiredLeaseIsForgottenAWeekLaterUnlessItsGroupsRest() {
        String forgotten = endedLease(END_EXPIRED, 8, "239.140.2.1", true);
        String kept = endedLease(END_EXPIRED, 6, "239.140.2.2", true);
        String resting = endedLease(END_EXPIRED, 8, "239.140.2.3", false);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> rest.get("/v1/leases/" + forgotten).status() == 404);
        assertThat(rest.get("/v1/leases/" + kept).string("state")).isEqualTo("EXPIRED");
        assertThat(rest.get("/v1/leases/" + resting).string("state")).isEqualTo("EXPIRED");
    }

    /** One that was granted nine days ago, and ended. */
    private String endedLease(String end, int daysAgo, String address, boolean settled) {
        long granted = Instant.now().minus(Duration.ofDays(9)).toEpochMilli();
        UUID id = new UUID(granted << 16 | 0x7000, UUID.randomUUID().getLeastSignificantBits());
        service.jdbc()
                .sql(
                        """
                        with l as (
                            insert into lease (id, scope, job, secret_hash, granted_at, starts_at,
                                expires_at, released_at)
                            select :id, 'default', :job, repeat('0', 64), at, at, END
                            from (select now() - interval '9 days' as at,
                                now() - make_interval(days => :days) as ended) as granted
                            returning *)
                        insert into lease_group (lease_id, ordinal, scope, address, port, segment,
                            blocked, settled)
                        select id, 0, scope, :address::inet, 4000, job,
                            tstzrange(starts_at, now() + interval '1 h'), :settled
                        from l
                        """
                                .replace("END", end))
                .param("id", id)
                .param("job", job)
                .param("days", daysAgo)
                .param("address", address)
                .param("settled", settled)
                .update();
        return id.toString();
    }

    private JsonNode scope(String name) {
        for (JsonNode item : rest.get("/v1/scopes").json().path("items")) {
            if (item.path("name").asString().equals(name)) {
                return item;
            }
        }
        throw new AssertionError("no scope " + name);
    }

    private Answer grant(String more) {
        return rest.post("/v1/leases", "{\"job\":\"" + job + "\"" + more + "}");
    }

    private Answer renew(String id, String secret, int seconds) {
        return rest.post(
                "/v1/leases/" + id + "/renewal",
                "{\"durationSeconds\":" + seconds + "}",
                SECRET,
                secret);
    }
}
