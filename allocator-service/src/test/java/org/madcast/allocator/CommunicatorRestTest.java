package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import tools.jackson.databind.JsonNode;

class CommunicatorRestTest {

    private static final String SECRET = "Madcast-Member-Secret";
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final String job = RunningService.newJob();

    @Test
    void sixteenRanksMeetWithOneLease() throws Exception {
        List<Callable<Answer>> ranks = new ArrayList<>();
        for (int rank = 0; rank < 16; rank++) {
            int number = rank;
            ranks.add(() -> {
                String id = make(rest, 16).string("id");
                assertThat(join(rest, id, number, UUID.randomUUID()).status()).isEqualTo(200);
                return rest.get("/v1/communicators/" + id + "?waitSeconds=30");
            });
        }
        Set<String> ids = new HashSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (Future<Answer> met : threads.invokeAll(ranks)) {
                JsonNode communicator = met.get().json();
                assertThat(communicator.path("complete").asBoolean()).isTrue();
                assertThat(communicator.path("members").size()).isEqualTo(16);
                assertThat(communicator.at("/members/7/host").asString()).isEqualTo("h7");
                assertThat(communicator.path("token").asString()).matches("[0-9a-f]{16}");
                ids.add(communicator.path("id").asString() + communicator.path("lease"));
            }
        }
        assertThat(ids).hasSize(1);
        assertThat(rest.get("/v1/leases?job=" + job).json().path("total").asInt()).isEqualTo(1);
    }

    @Test
    void whoWaitsIsWokenByARankAtAnotherReplica() throws Exception {
        String id = make(rest, 2).string("id");
        join(rest, id, 0, UUID.randomUUID());
        try (RunningService other = RunningService.replica();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<Answer> waiting =
                    thread.submit(() -> rest.get("/v1/communicators/" + id + "?waitSeconds=30"));
            assertThat(make(other.rest(), 2).string("id")).isEqualTo(id);
            join(other.rest(), id, 1, UUID.randomUUID());
            assertThat(waiting.get().json().path("complete").asBoolean()).isTrue();
        }
    }

    @Test
    void waitingEndsWhenTheTimeIsUp() {
        String id = make(rest, 2).string("id");
        Answer answer = rest.get("/v1/communicators/" + id + "?waitSeconds=1");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("complete").asBoolean()).isFalse();
        assertThat(answer.json().path("members").isEmpty()).isTrue();
    }

    @Test
    void anotherSizeIsAMismatch() {
        assertThat(make(rest, 2).status()).isEqualTo(201);
        assertThat(make(rest, 2).status()).isEqualTo(200);
        Answer other = make(rest, 3);
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.problem()).isEqualTo("size-mismatch");
        assertThat(other.json().path("expectedSize").asInt()).isEqualTo(2);
    }

    @Test
    void aRankBelongsToOneProcess() {
        String id = make(rest, 2).string("id");
        UUID instance = UUID.randomUUID();
        Answer first = join(rest, id, 1, instance);
        assertThat(join(rest, id, 1, instance).string("memberSecret"))
                .isEqualTo(first.string("memberSecret"));
        Answer taken = join(rest, id, 1, UUID.randomUUID());
        assertThat(taken.problem()).isEqualTo("rank-taken");
        assertThat(taken.string("holder")).isEqualTo("h1:101");
        Answer outside = join(rest, id, 2, UUID.randomUUID());
        assertThat(outside.status()).isEqualTo(400);
        assertThat(outside.problem()).isEqualTo("rank-out-of-range");
        assertThat(join(rest, UUID.randomUUID().toString(), 0, instance).problem())
                .isEqualTo("no-such-communicator");
    }

    @Test
    void theLastOneToLeaveFreesTheLease() {
        Answer made = make(rest, 2);
        String id = made.string("id");
        String first = join(rest, id, 0, UUID.randomUUID()).string("memberSecret");
        String second = join(rest, id, 1, UUID.randomUUID()).string("memberSecret");
        assertThat(leave(id, 0, "guess").problem()).isEqualTo("no-such-member");
        assertThat(leave(id, 0, first).status()).isEqualTo(204);
        assertThat(leaseState(made)).isEqualTo("ACTIVE");
        assertThat(rest.get("/v1/communicators/" + id).json().path("members").size()).isEqualTo(2);
        assertThat(leave(id, 1, second).status()).isEqualTo(204);
        assertThat(leaseState(made)).isEqualTo("RELEASED");
        Answer ended = rest.get("/v1/communicators/" + id + "?waitSeconds=30");
        assertThat(ended.status()).isEqualTo(410);
        assertThat(ended.problem()).isEqualTo("communicator-ended");
        assertThat(renew(id, 1, second, "{}").problem()).isEqualTo("communicator-ended");
        assertThat(make(rest, 5).string("id")).isNotEqualTo(id);
    }

    @Test
    void whoHasLeftAndComesAgainGetsTheNextOneWhichTheOthersFind() {
        Answer old = make(rest, 2);
        String id = old.string("id");
        String first = join(rest, id, 0, UUID.randomUUID()).string("memberSecret");
        String second = join(rest, id, 1, UUID.randomUUID()).string("memberSecret");
        assertThat(make(rest, 2).string("id")).isEqualTo(id);
        assertThat(leave(id, 1, second).status()).isEqualTo(204);
        Answer next = make(rest, 2);
        assertThat(next.status()).isEqualTo(201);
        assertThat(next.string("id")).isNotEqualTo(id);
        assertThat(next.string("token")).isNotEqualTo(old.string("token"));
        assertThat(next.json().at("/lease/id")).isNotEqualTo(old.json().at("/lease/id"));
        assertThat(next.json().path("complete").asBoolean()).isFalse();
        assertThat(renew(id, 0, first, "{}").status()).isEqualTo(200);
        assertThat(leave(id, 0, first).status()).isEqualTo(204);
        assertThat(leaseState(old)).isEqualTo("RELEASED");
        assertThat(make(rest, 2).string("id")).isEqualTo(next.string("id"));
        assertThat(leaseState(next)).isEqualTo("ACTIVE");
    }

    @Test
    void aRankThatIsOverdueMakesWayForTheNextOne() {
        String id = make(rest, 2).string("id");
        join(rest, id, 0, UUID.randomUUID());
        String dying = join(rest, id, 1, UUID.randomUUID()).string("memberSecret");
        assertThat(renew(id, 1, dying, "{\"durationSeconds\":1}").status()).isEqualTo(200);
        await().atMost(LONG).until(() -> !make(rest, 2).string("id").equals(id));
    }

    @Test
    void nobodyComesIntoACommunicatorThatWasComplete() {
        String id = make(rest, 2).string("id");
        UUID instance = UUID.randomUUID();
        join(rest, id, 0, UUID.randomUUID());
        String secret = join(rest, id, 1, instance).string("memberSecret");
        // A rank whose answer was lost says the same again.
        assertThat(join(rest, id, 1, instance).string("memberSecret")).isEqualTo(secret);
        assertThat(leave(id, 1, secret).status()).isEqualTo(204);
        assertThat(join(rest, id, 1, UUID.randomUUID()).problem()).isEqualTo("rank-taken");
        assertThat(join(rest, id, 1, instance).problem()).isEqualTo("rank-taken");
    }

    @Test
    void whoLeavesBeforeAllWereThereMayComeAgain() {
        String id = make(rest, 3).string("id");
        join(rest, id, 0, UUID.randomUUID());
        String secret = join(rest, id, 1, UUID.randomUUID()).string("memberSecret");
        assertThat(leave(id, 1, secret).status()).isEqualTo(204);
        assertThat(make(rest, 3).string("id")).isEqualTo(id);
        assertThat(join(rest, id, 1, UUID.randomUUID()).status()).isEqualTo(200);
        join(rest, id, 2, UUID.randomUUID());
        assertThat(rest.get("/v1/communicators/" + id).json().path("complete").asBoolean())
                .isTrue();
    }

    @Test
    void renewingKeepsTheRankAndTheLease() {
        Answer made = make(rest, 1);
        String id = made.string("id");
        String secret = join(rest, id, 0, UUID.randomUUID()).string("memberSecret");
        service.jdbc()
                .sql("update lease set expires_at = now() + interval '9 s' where id = ?::uuid")
                .param(made.json().at("/lease/id").asString())
                .update();
        Answer renewed = renew(id, 0, secret, "{\"durationSeconds\":30}");
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(renewed.string("leaseExpiresAt"))
                .isGreaterThan(made.json().at("/lease/expiresAt").asString());
        assertThat(renew(id, 0, "guess", "{}").problem()).isEqualTo("no-such-member");
        assertThat(renew(id, 0, secret, "{\"durationSeconds\":0}").problem())
                .isEqualTo("invalid-request");
    }

    /** Its group is promised to somebody else for later. */
    @Test
    void renewingKeepsTheRankWhereTheLeaseCannotGoOn() {
        Answer made = makeIn(service.addScope(1, 0));
        String id = made.string("id");
        String secret = join(rest, id, 0, UUID.randomUUID()).string("memberSecret");
        Instant leaseEnds = Instant.parse(made.json().at("/lease/expiresAt").asString());
        String later =
                "{\"job\":\"%s\",\"scope\":\"%s\",\"startsAt\":\"%s\"}"
                        .formatted(
                                RunningService.newJob(),
                                made.json().at("/lease/scope").asString(),
                                leaseEnds.plusSeconds(1));
        Answer reserved = rest.post("/v1/leases", later);
        assertThat(reserved.status()).as(reserved.text()).isEqualTo(201);
        wantLonger(id);
        Answer renewed = renew(id, 0, secret, "{\"durationSeconds\":300}");
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(Instant.parse(renewed.string("leaseExpiresAt"))).isEqualTo(leaseEnds);
        assertThat(rest.get("/v1/communicators/" + id).json().at("/members/0/expiresAt"))
                .isEqualTo(renewed.json().path("expiresAt"));
    }

    @Test
    void renewingGoesOnWhereTheScopeNowLeasesForShorter() {
        String scope = service.addScope(1, 0);
        Answer made = makeIn(scope);
        String id = made.string("id");
        String secret = join(rest, id, 0, UUID.randomUUID()).string("memberSecret");
        Instant leaseEnds = Instant.parse(made.json().at("/lease/expiresAt").asString());
        service.jdbc()
                .sql("update scope set longest_lease_seconds = 60 where name = ?")
                .param(scope)
                .update();
        wantLonger(id);
        Answer renewed = renew(id, 0, secret, "{}");
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(Instant.parse(renewed.string("leaseExpiresAt")))
                .as("no shorter than it was")
                .isEqualTo(leaseEnds);
        Instant soon = Instant.now().plusSeconds(20);
        service.jdbc()
                .sql("update lease set expires_at = ?::timestamptz where id = ?::uuid")
                .params(soon.toString(), made.json().at("/lease/id").asString())
                .update();
        renewed = renew(id, 0, secret, "{}");
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
        assertThat(Instant.parse(renewed.string("leaseExpiresAt")))
                .isBetween(soon.plusSeconds(20), soon.plusSeconds(60));
    }

    /** So that the next renewal of a rank renews the lease, for longer than there may be. */
    private void wantLonger(String id) {
        service.jdbc()
                .sql("update communicator set lease_seconds = 7200 where id = ?::uuid")
                .param(id)
                .update();
    }

    private Answer makeIn(String scope) {
        return rest.post(
                "/v1/communicators",
                "{\"job\":\"%s\",\"name\":\"w\",\"size\":1,\"scope\":\"%s\",\"durationSeconds\":600}"
                        .formatted(job, scope));
    }

    @Test
    void aCommunicatorThatNobodyJoinsIsFreed() {
        Answer made = make(rest, 2);
        service.jdbc()
                .sql(
                        "update communicator set created_at = now() - interval '61 s' where id = ?::uuid")
                .param(made.string("id"))
                .update();
        await().atMost(LONG).until(() -> leaseState(made).equals("RELEASED"));
    }

    @Test
    void aCommunicatorWhoseRanksAllDiedIsFreed() {
        Answer made = make(rest, 2);
        String id = made.string("id");
        String secret = join(rest, id, 0, UUID.randomUUID()).string("memberSecret");
        assertThat(renew(id, 0, secret, "{\"durationSeconds\":1}").status()).isEqualTo(200);
        await().atMost(LONG).until(() -> leaseState(made).equals("RELEASED"));
        assertThat(renew(id, 0, secret, "{}").problem()).isEqualTo("communicator-ended");
    }

    @Test
    void withoutAGroupThereIsNoCommunicator() {
        String scope = service.addScope(1, 60);
        rest.post("/v1/leases", "{\"job\":\"j\",\"scope\":\"" + scope + "\"}");
        String body =
                "{\"job\":\"%s\",\"name\":\"w\",\"size\":1,\"scope\":\"%s\"}".formatted(job, scope);
        assertThat(rest.post("/v1/communicators", body).problem()).isEqualTo("pool-exhausted");
        assertThat(rest.post("/v1/communicators", body.replace(scope, "none")).problem())
                .isEqualTo("no-such-scope");
        assertThat(
                        service.jdbc()
                                .sql("select count(*) from communicator where job = ?")
                                .param(job)
                                .query(Long.class)
                                .single())
                .isZero();
    }

    private Answer make(Rest at, int size) {
        return at.post(
                "/v1/communicators",
                "{\"job\":\"%s\",\"name\":\"world\",\"size\":%d}".formatted(job, size));
    }

    static Answer join(Rest at, String id, int rank, UUID instance) {
        return at.put(
                "/v1/communicators/" + id + "/members/" + rank,
                """
                {"address":"10.77.0.%d","port":40001,"host":"h%d","pid":%d,
                 "receiveBufferBytes":4194304,"datagramBytes":1472,"instance":"%s"}
                """
                        .formatted(rank + 1, rank, 100 + rank, instance));
    }

    private Answer renew(String id, int rank, String secret, String body) {
        return rest.post(
                "/v1/communicators/" + id + "/members/" + rank + "/renewal", body, SECRET, secret);
    }

    private Answer leave(String id, int rank, String secret) {
        return rest.delete("/v1/communicators/" + id + "/members/" + rank, SECRET, secret);
    }

    private String leaseState(Answer made) {
        return rest.get("/v1/leases/" + made.json().at("/lease/id").asString()).string("state");
    }
}
