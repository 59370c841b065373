package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

class PoolTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();

    @Test
    void concurrentGrantsGetDistinctGroups() throws Exception {
        List<Callable<Answer>> grants = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            grants.add(() -> grant("default"));
        }
        Set<String> groups = new HashSet<>();
        for (Answer answer : together(grants)) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            groups.add(answer.json().path("groups").toString());
        }
        assertThat(groups).hasSize(200);
    }

    @Test
    void concurrentRequestsWithOneKeyGetOneLease() throws Exception {
        String job = RunningService.newJob();
        String body = "{\"job\":\"" + job + "\"}";
        List<Callable<Answer>> grants = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            grants.add(() -> rest.post("/v1/leases", body, "Idempotency-Key", job));
        }
        Set<String> leases = new HashSet<>();
        for (Answer answer : together(grants)) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            leases.add(answer.string("id") + answer.string("secret"));
        }
        assertThat(leases).hasSize(1);
    }

    @Test
    void isFilledToTheLastAddressThenRefusedThenGrantedAfterQuarantine() throws Exception {
        String scope = service.addScope(7, 2);
        List<Callable<Answer>> grants = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            grants.add(() -> grant(scope));
        }
        List<Answer> granted = new ArrayList<>();
        for (Answer answer : together(grants)) {
            if (answer.status() == 201) {
                granted.add(answer);
            }
        }
        assertThat(granted).hasSize(7);
        assertExhausted(scope, Instant.parse(granted.getFirst().string("expiresAt")));

        Answer lucky = granted.get(3);
        rest.delete(
                "/v1/leases/" + lucky.string("id"), "Madcast-Lease-Secret", lucky.string("secret"));
        Answer tooEarly = grant(scope);
        assertThat(tooEarly.problem()).isEqualTo("pool-exhausted");
        assertThat(Instant.parse(tooEarly.string("nextFreeAt")))
                .isBefore(Instant.now().plusSeconds(3));
        await().atMost(Duration.ofSeconds(60)).until(() -> grant(scope).status() == 201);
        assertThat(grant(scope).problem()).isEqualTo("pool-exhausted");
    }

    @Test
    void anExpiredLeaseMakesRoomWithoutAnybodysDoing() {
        String scope = service.addScope(1, 0);
        Answer first =
                rest.post(
                        "/v1/leases",
                        "{\"job\":\"j\",\"durationSeconds\":1,\"scope\":\"" + scope + "\"}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(grant(scope).problem()).isEqualTo("pool-exhausted");
        await().atMost(Duration.ofSeconds(60)).until(() -> grant(scope).status() == 201);
    }

    @Test
    void severalGroupsAreGrantedTogetherOrNotAtAll() {
        String scope = service.addScope(3, 60);
        assertThat(grantGroups(scope, 4).problem()).isEqualTo("pool-exhausted");
        Answer all = grantGroups(scope, 3);
        assertThat(all.status()).isEqualTo(201);
        assertThat(all.json().path("groups").size()).isEqualTo(3);
    }

    @Test
    void scopesThatOverlapOnEthernetPassOverEachOthersGroups() {
        String segment = RunningService.newJob();
        service.addScope("over-" + 1, "239.121.200.0-239.121.200.3", 60, segment, false);
        service.addScope("over-" + 2, "239.249.200.0-239.249.200.5", 60, segment, false);
        assertThat(grantGroups("over-1", 4).status()).isEqualTo(201);
        Set<String> groups = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            groups.add(grant("over-2").json().at("/groups/0/address").asString());
        }
        assertThat(groups).containsExactlyInAnyOrder("239.249.200.4", "239.249.200.5");
        assertThat(grant("over-2").problem()).isEqualTo("pool-exhausted");
    }

    @Test
    void whereAddressesAreSharedEachPortIsAGroup() {
        service.addScope("shared-ports", "239.121.201.0-239.121.201.1", 60, "shared-ports", true);
        Answer all = grantGroups("shared-ports", 4);
        assertThat(all.status()).as(all.text()).isEqualTo(201);
        assertThat(grant("shared-ports").problem()).isEqualTo("pool-exhausted");
    }

    private void assertExhausted(String scope, Instant notBefore) {
        Answer refused = grant(scope);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).isEqualTo("pool-exhausted");
        assertThat(Instant.parse(refused.string("nextFreeAt")))
                .isAfterOrEqualTo(notBefore.minusSeconds(60));
        assertThat(refused.response().headers().firstValueAsLong("Retry-After").orElse(0))
                .isPositive();
    }

    private Answer grant(String scope) {
        return grantGroups(scope, 1);
    }

    private Answer grantGroups(String scope, int count) {
        return rest.post(
                "/v1/leases",
                "{\"job\":\"j\",\"scope\":\"%s\",\"count\":%d}".formatted(scope, count));
    }

    private static List<Answer> together(List<Callable<Answer>> calls) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
            List<Answer> answers = new ArrayList<>();
            for (Future<Answer> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        }
    }
}
