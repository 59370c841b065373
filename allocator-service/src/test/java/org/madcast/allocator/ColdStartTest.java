package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.madcast.allocator.Rest.Answer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/** What a service that has just begun answers to many at once. */
@Timeout(180)
class ColdStartTest {

    private static final int MANY = 16;
    private static final String PATIENCE = "--madcast.database-patience=800ms";
    private static final Duration TO_CONNECT = Duration.ofMillis(250);

    /** As on a busy machine: the last of these connections is there after four seconds. */
    @Test
    void whoWaitsWhileConnectionsAreMadeGetsOne() throws Exception {
        try (CuttableProxy slow = new CuttableProxy(RunningService.databasePort());
                RunningService service =
                        RunningService.replicaThrough(
                                slow.port(),
                                "--spring.datasource.hikari.connection-timeout=1000",
                                "--spring.datasource.hikari.maximum-pool-size=" + (2 * MANY),
                                "--spring.datasource.hikari.minimum-idle=1")) {
            slow.delay(TO_CONNECT);
            DataSource pool = service.part(DataSource.class);
            pool.unwrap(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
            CountDownLatch all = new CountDownLatch(MANY);
            List<Future<Boolean>> callers = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(MANY)) {
                for (int i = 0; i < MANY; i++) {
                    callers.add(threads.submit(() -> holdUntilAllHaveOne(pool, all)));
                }
            }
            for (Future<Boolean> caller : callers) {
                assertThat(caller.get()).isTrue();
            }
        }
    }

    private static boolean holdUntilAllHaveOne(DataSource pool, CountDownLatch all)
            throws Exception {
        try (Connection _ = pool.getConnection()) {
            all.countDown();
            return all.await(60, TimeUnit.SECONDS);
        }
    }

    /** A pool that has all of its connections makes no more. */
    @Test
    void whoWaitsWhileAllConnectionsAreInUseIsToldSo() throws Exception {
        try (RunningService service =
                RunningService.replica(
                        "--spring.datasource.hikari.connection-timeout=1000",
                        "--spring.datasource.hikari.maximum-pool-size=3",
                        "--spring.datasource.hikari.minimum-idle=1")) {
            DataSource pool = service.part(DataSource.class);
            try (Connection _ = pool.getConnection();
                    Connection _ = pool.getConnection()) { // the third listens
                long askedNs = System.nanoTime();
                assertThat(service.rest().get("/v1/leases").problem()).isEqualTo("store-busy");
                assertThat(Duration.ofNanos(System.nanoTime() - askedNs))
                        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
            }
        }
    }

    /** Transactions of slow code hold their locks for long, and others wait for those. */
    @Test
    void requestsThatWaitForEachOtherAreServedWhileTheServiceWarmsUp() throws Exception {
        try (RunningService service = RunningService.replica(PATIENCE)) {
            assertThat(grantBehindALock(service).status()).isEqualTo(201);
        }
    }

    @Test
    void requestsThatWaitForEachOtherAreEndedLater() throws Exception {
        try (RunningService service = RunningService.replica(PATIENCE, "--madcast.warm-up=0s")) {
            assertThat(grantBehindALock(service).problem()).isEqualTo("store-busy");
        }
    }

    /** A grant in a scope that another transaction has locked for three times the patience. */
    private static Answer grantBehindALock(RunningService service) throws Exception {
        String scope = service.addScope(4, 0);
        String body = "{\"job\":\"%s\",\"scope\":\"%s\"}".formatted(RunningService.newJob(), scope);
        try (ExecutorService hand = Executors.newSingleThreadExecutor();
                Connection other =
                        service.part(DataSource.class)
                                .unwrap(HikariDataSource.class)
                                .getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select from scope where name = '" + scope + "' for update");
            Future<Answer> answer = hand.submit(() -> service.rest().post("/v1/leases", body));
            Thread.sleep(2400);
            other.rollback();
            return answer.get();
        }
    }

    /** Else the first requests would each take a connection, and none wait for the others. */
    @Test
    void requestsAreGatheredBeforeAnyCanCome() {
        SmartLifecycle batcher = RunningService.shared().part("leaseBatcher", SmartLifecycle.class);
        assertThat(batcher.getPhase())
                .isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE);
    }
}
