package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who takes slots waits for who gives them back, never the other way round, or the two would wait
 * for each other: a lease may expire while its owner gives it back, and its slot be taken.
 */
class SlotWaitTest {

    private final RunningService service = RunningService.shared();
    private final Rest rest = service.rest();
    private final String scope = service.addScope(2, 0);
    private final Rest.Answer lease =
            rest.post("/v1/leases", "{\"job\":\"wait\",\"scope\":\"%s\"}".formatted(scope));
    private final String path = "/v1/leases/" + lease.string("id");

    @Test
    void aReleaseWaitsForNobodyWhoTakesItsSlot() throws Exception {
        whileTheSlotIsTaken(() -> assertThat(delete().status()).isEqualTo(204));
        // It was locked in vain, and must not stay blocked until the lease would have expired.
        await().atMost(Duration.ofSeconds(60)).until(() -> freeSlots() == 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1800, 7200})
    void aRenewalWaitsForNobodyWhoTakesItsSlot(int seconds) throws Exception {
        whileTheSlotIsTaken(() -> {
            String body = "{\"durationSeconds\":%d}".formatted(seconds);
            Rest.Answer answer =
                    rest.post(
                            path + "/renewal",
                            body,
                            "Madcast-Lease-Secret",
                            lease.string("secret"));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        });
        assertThat(delete().status()).isEqualTo(204);
    }

    /** What nobody has taken is free at once. */
    @Test
    void aReleaseFreesItsSlot() {
        assertThat(delete().status()).isEqualTo(204);
        assertThat(freeSlots()).isEqualTo(1);
    }

    private int freeSlots() {
        return service.jdbc()
                .sql(
                        """
                        select count(*) from slot s
                        join lease_group g on g.scope = s.scope and g.slot_number = s.number
                        where g.lease_id = ? and s.free_at <= now()
                        """)
                .param(UUID.fromString(lease.string("id")))
                .query(Integer.class)
                .single();
    }

    private Rest.Answer delete() {
        return rest.delete(path, "Madcast-Lease-Secret", lease.string("secret"));
    }

    private void whileTheSlotIsTaken(Runnable work) throws Exception {
        try (Connection other = service.part(DataSource.class).getConnection();
                PreparedStatement take =
                        other.prepareStatement("select from slot where scope = ? for update")) {
            other.setAutoCommit(false);
            take.setString(1, scope);
            take.execute();
            try {
                CompletableFuture.runAsync(work).get(10, TimeUnit.SECONDS);
            } finally {
                other.rollback();
                other.setAutoCommit(true);
            }
        }
    }
}
