package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database's server is lost while clients make 500 requests a second, and its standby takes
 * over, while the service stays. Who reads all of the answers afterwards finds every acknowledged
 * lease kept and none granted twice.
 */
class FailoverTest {

    private static final Logger LOG = LoggerFactory.getLogger(FailoverTest.class);
    private static final int CLIENTS = 48;
    private static final Duration BACK_WITHIN = Duration.ofSeconds(10);
    private static final String SCOPE =
            "{\"ranges\":[\"239.1.0.0-239.1.3.255\"],\"allowUnscoped\":true,"
                    + "\"quarantineSeconds\":0}";

    private final Journal journal = new Journal();

    /** A sample, which holds nothing about times. */
    @Test
    void losesNothing() throws Exception {
        lose(false, Duration.ZERO);
    }

    /**
     * A server whose machine lost power, and one that hangs and is there again some day; in all at
     * 500 requests a second, since what was late is made up for.
     */
    @Tag("slow")
    @ParameterizedTest(name = "frozen: {0}")
    @ValueSource(booleans = {false, true})
    void losesNothingAndIsBackSoon(boolean frozen) throws Exception {
        Lost lost = lose(frozen, Duration.ofSeconds(10));
        assertThat(lost.away()).isLessThan(BACK_WITHIN);
        assertThat(lost.rate())
                .as("requests a second")
                .isGreaterThan(0.95 * PacedClients.REQUESTS_PER_SECOND);
    }

    /**
     * What the clients saw.
     *
     * @param away how long there was no service
     * @param rate answered requests a second, from the first one on
     */
    private record Lost(Duration away, double rate) {}

    /** Loses the first server; afterwards the clients go on for a while. */
    private Lost lose(boolean frozen, Duration afterwards) throws Exception {
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
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(service.rest().post("/v1/scopes/small", SCOPE).status()).isEqualTo(201);
            PacedClients clients = new PacedClients(threads, journal, new Random(32));
            List<JournaledClient> all = clients.begin(CLIENTS, "small", List.of(service.rest()));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> clients.answered() > PacedClients.REQUESTS_PER_SECOND);
            Duration away = awayWhile(database, frozen, clients);
            LockSupport.parkNanos(afterwards.toNanos());
            double rate = clients.rate();
            clients.stop();
            LOG.warn(
                    "{}: {} ms without service, of which promoting was delayed by 500; {} requests"
                            + " answered, {} a second, {} times made again; the longest took {} ms",
                    database.version(),
                    away.toMillis(),
                    clients.answered(),
                    Math.round(rate),
                    clients.repeated(),
                    PacedClients.longest(all).toMillis());
            journal.requireNoneTwice();
            journal.requireKept(service.rest());
            assertThat(service.rest().get("/actuator/health/readiness").status()).isEqualTo(200);
            return new Lost(away, rate);
        }
    }

    private static Duration awayWhile(
            ReplicatedDatabase database, boolean frozen, PacedClients clients) throws IOException {
        long lostNs = System.nanoTime();
        database.lose(frozen);
        LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        database.promote();
        long before = clients.answered();
        await().pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(60))
                .until(() -> clients.answered() > before + CLIENTS);
        return Duration.ofNanos(System.nanoTime() - lostNs);
    }
}
