package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;

/** The database goes away and comes back, while the service stays. */
class StoreAwayTest {

    @Test
    void answers503WithRetryAfterUntilTheDatabaseIsBack() throws IOException {
        try (CuttableProxy proxy = new CuttableProxy(RunningService.databasePort());
                RunningService service = RunningService.replicaThrough(proxy.port())) {
            Rest rest = service.rest();
            Answer lease = grant(rest);
            assertThat(lease.status()).as(lease.text()).isEqualTo(201);
            proxy.cut();
            assertAway(grant(rest));
            assertAway(rest.get("/v1/leases"));
            assertAway(
                    rest.delete(
                            "/v1/leases/" + lease.string("id"),
                            "Madcast-Lease-Secret",
                            lease.string("secret")));
            assertAway(rest.post("/v1/communicators", "{\"job\":\"j\",\"name\":\"w\",\"size\":2}"));
            proxy.restore();
            await().atMost(Duration.ofSeconds(30)).until(() -> grant(rest).status() == 201);
            assertThat(
                            rest.delete(
                                            "/v1/leases/" + lease.string("id"),
                                            "Madcast-Lease-Secret",
                                            lease.string("secret"))
                                    .status())
                    .isEqualTo(204);
        }
    }

    /** The 30 seconds of a database that is moved to another machine. */
    @Test
    @Tag("slow")
    void staysClearAndQuickForHalfAMinute() throws Exception {
        try (CuttableProxy proxy = new CuttableProxy(RunningService.databasePort());
                RunningService service = RunningService.replicaThrough(proxy.port())) {
            Rest rest = service.rest();
            Answer lease = grant(rest);
            proxy.cut();
            long endNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (System.nanoTime() < endNs) {
                long sentNs = System.nanoTime();
                assertAway(grant(rest));
                assertThat(Duration.ofNanos(System.nanoTime() - sentNs))
                        .isLessThan(Duration.ofSeconds(8));
            }
            proxy.restore();
            await().atMost(Duration.ofSeconds(30)).until(() -> grant(rest).status() == 201);
            assertThat(rest.get("/v1/leases/" + lease.string("id")).string("state"))
                    .isEqualTo("ACTIVE");
        }
    }

    private static Answer grant(Rest rest) {
        return rest.post("/v1/leases", "{\"job\":\"away\"}");
    }

    private static void assertAway(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.problem()).isEqualTo("store-unavailable");
        assertThat(answer.response().headers().firstValueAsLong("Retry-After").orElse(0))
                .isPositive();
    }
}
