package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/** Communicators made of others, and members that are not heard of any more. */
class ChildCommunicatorTest {

    private static final String SECRET = "Madcast-Member-Secret";

    private final Rest rest = RunningService.shared().rest();
    private final String job = RunningService.newJob();

    @Test
    void ranksThatAgreeOnParentAndNameMeet() {
        String parent = make("world", 4, "").string("id");
        Answer evens = make("split/1/0", 2, parent);
        Answer odds = make("split/1/1", 2, parent);
        assertThat(evens.status()).isEqualTo(201);
        assertThat(evens.string("parent")).isEqualTo(parent);
        assertThat(make("split/1/0", 2, parent).string("id")).isEqualTo(evens.string("id"));
        assertThat(odds.string("id")).isNotEqualTo(evens.string("id"));
        assertThat(odds.json().at("/lease/address"))
                .isNotEqualTo(evens.json().at("/lease/address"));
        assertThat(odds.string("token")).isNotEqualTo(evens.string("token"));
        String other = make("other", 4, "").string("id");
        assertThat(make("split/1/0", 2, other).string("id")).isNotEqualTo(evens.string("id"));
        assertThat(make("split/1/0", 2, "").string("id")).isNotEqualTo(evens.string("id"));
        assertThat(make("split/1/0", 3, parent).problem()).isEqualTo("size-mismatch");
    }

    @Test
    void aChildLivesOnButIsNotMadeOfTheDead() {
        String parent = make("world", 1, "").string("id");
        String secret = join(parent, 0).string("memberSecret");
        Answer child = make("dup/1", 1, parent);
        join(child.string("id"), 0);
        rest.delete("/v1/communicators/" + parent + "/members/0", SECRET, secret);
        assertThat(make("dup/1", 1, parent).string("id")).isEqualTo(child.string("id"));
        Answer refused = make("dup/2", 1, parent);
        assertThat(refused.status()).isEqualTo(410);
        assertThat(refused.problem()).isEqualTo("communicator-ended");
    }

    @Test
    void refusesChildrenThatCannotBe() {
        String parent = make("world", 2, "").string("id");
        assertThat(make("dup/1", 3, parent).json().at("/errors/0/field").asString())
                .isEqualTo("size");
        assertThat(make("dup/1", 2, UUID.randomUUID().toString()).problem())
                .isEqualTo("no-such-communicator");
        Answer strange =
                rest.post(
                        "/v1/communicators",
                        "{\"job\":\"another\",\"name\":\"x\",\"size\":1,\"parent\":\"%s\"}"
                                .formatted(parent));
        assertThat(strange.json().at("/errors/0/field").asString()).isEqualTo("job");
    }

    @Test
    void whoWaitsForALossLearnsOfIt() {
        String id = make("world", 2, "").string("id");
        String kept = join(id, 0).string("memberSecret");
        String dying = join(id, 1).string("memberSecret");
        Answer alive = rest.get("/v1/communicators/" + id);
        assertThat(alive.json().path("members").findValuesAsString("state"))
                .containsExactly("ALIVE", "ALIVE");
        renew(id, 0, kept, 300);
        Instant asked = Instant.now();
        renew(id, 1, dying, 2);
        Answer told = rest.get("/v1/communicators/" + id + "?waitSeconds=30&until=LOSS");
        assertThat(told.json().path("members").findValuesAsString("state"))
                .as(told.text())
                .containsExactly("ALIVE", "LOST");
        assertThat(Duration.between(asked, Instant.now()))
                .isBetween(Duration.ofMillis(500), Duration.ofSeconds(25));
    }

    private Answer make(String name, int size, String parent) {
        return rest.post(
                "/v1/communicators",
                "{\"job\":\"%s\",\"name\":\"%s\",\"size\":%d%s}"
                        .formatted(
                                job,
                                name,
                                size,
                                parent.isEmpty() ? "" : ",\"parent\":\"" + parent + "\""));
    }

    private Answer join(String id, int rank) {
        return rest.put(
                "/v1/communicators/" + id + "/members/" + rank,
                """
                {"address":"127.0.0.1","port":4000,"host":"h","pid":1,"receiveBufferBytes":1,
                 "datagramBytes":1472,"instance":"%s"}
                """
                        .formatted(UUID.randomUUID()));
    }

    private void renew(String id, int rank, String secret, int seconds) {
        Answer renewed =
                rest.post(
                        "/v1/communicators/" + id + "/members/" + rank + "/renewal",
                        "{\"durationSeconds\":" + seconds + "}",
                        SECRET,
                        secret);
        assertThat(renewed.status()).as(renewed.text()).isEqualTo(200);
    }
}
