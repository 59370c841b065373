package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database's server is lost under load and its standby takes over, while the service stays. Who
 * reads all of the answers afterwards finds every acknowledged lease kept and none granted twice.
 */
@Tag("slow")
class FailoverTest {

    private static final Logger LOG = LoggerFactory.getLogger(FailoverTest.class);
    private static final int CLIENTS = 12;
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);
    private static final String SCOPE =
            "{\"ranges\":[\"239.1.2.0-239.1.2.199\"],\"allowUnscoped\":true,"
                    + "\"quarantineSeconds\":0}";

    private final Journal journal = new Journal();

    /** A server whose machine lost power, and one that hangs and is there again some day. */
    @ParameterizedTest(name = "frozen: {0}")
    @ValueSource(booleans = {false, true})
    void losesNothingAndIsBackSoon(boolean frozen) throws Exception {
        RunningService.shared(); // unpacks the embedded programs
        try (ReplicatedDatabase database =
                        new ReplicatedDatabase(
                                RunningService.newDirectory("failover"),
                                RunningService.programs());
                RunningService service =
                        RunningService.at(
                                database.jdbcUrl(),
                                "--madcast.database-patience=1400ms",
                                "--spring.datasource.hikari.connection-timeout=1000");
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            assertThat(service.rest().post("/v1/scopes/small", SCOPE).status()).isEqualTo(201);
            List<JournaledClient> clients = new ArrayList<>();
            List<Future<?>> work = new ArrayList<>();
            Random random = new Random(32);
            for (int i = 0; i < CLIENTS; i++) {
                JournaledClient client =
                        new JournaledClient(
                                service.rest(), "small", journal, new Random(random.nextLong()));
                clients.add(client);
                work.add(threads.submit(client::work));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> answered(clients) > 500);

            long lostNs = System.nanoTime();
            database.lose(frozen);
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            database.promote();
            long before = answered(clients);
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> answered(clients) > before + CLIENTS);
            Duration away = Duration.ofNanos(System.nanoTime() - lostNs);
            LOG.warn(
                    "{}: {} ms without service, of which promoting was delayed by 500",
                    database.version(),
                    away.toMillis());

            LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            clients.forEach(JournaledClient::stop);
            for (Future<?> each : work) {
                each.get();
            }
            journal.requireNoneTwice();
            journal.requireKept(service.rest());
            assertThat(service.rest().get("/actuator/health/readiness").status()).isEqualTo(200);
            assertThat(away).isLessThan(BACK_WITHIN);
        }
    }

    private static long answered(List<JournaledClient> clients) {
        return clients.stream().mapToLong(JournaledClient::answered).sum();
    }
}
