package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.madcast.allocator.Rest.Answer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The database goes away and comes back, while the service stays. */
class StoreAwayTest {

    private static final String SOCKET_TIMEOUT =
            "--spring.datasource.hikari.data-source-properties.socketTimeout=";

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
            await().atMost(Duration.ofSeconds(60)).until(() -> grant(rest).status() == 201);
            assertThat(
                            rest.delete(
                                            "/v1/leases/" + lease.string("id"),
                                            "Madcast-Lease-Secret",
                                            lease.string("secret"))
                                    .status())
                    .isEqualTo(204);
        }
    }

    /** A server that lost power, or a firewall that forgot the connections: nobody says so. */
    @Test
    void aConnectionThatGoesSilentWhileALeaseIsWrittenIsGivenUp() throws Exception {
        RunningService near = RunningService.shared();
        String scope = near.addScope(16, 0);
        try (CuttableProxy proxy = new CuttableProxy(RunningService.databasePort());
                RunningService service =
                        RunningService.replicaThrough(proxy.port(), SOCKET_TIMEOUT + "2");
                ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = near.part(DataSource.class).getConnection();
                Statement statement = other.createStatement()) {
            Future<Answer> writing;
            other.setAutoCommit(false);
            try {
                statement.execute("select from scope where name = '" + scope + "' for update");
                writing = thread.submit(() -> grant(service.rest(), scope));
                await().until(() -> waitsFor(near, "select xmin::text"));
                proxy.silence();
            } finally {
                other.rollback();
                other.setAutoCommit(true);
            }
            assertAway(writing.get(20, TimeUnit.SECONDS));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> grant(service.rest(), scope).status() == 201);
        }
    }

    private static boolean waitsFor(RunningService service, String statement) {
        return service.jdbc()
                .sql(
                        """
                        select exists (select from pg_stat_activity
                            where wait_event_type = 'Lock' and query like '%' || ? || '%')
                        """)
                .param(statement)
                .query(Boolean.class)
                .single();
    }

    @Test
    void connectionsAreNotWaitedForWithoutEnd() throws SQLException {
        DataSource guarded = RunningService.shared().part(DataSource.class);
        try (Connection connection = guarded.getConnection()) {
            assertThat(connection.getNetworkTimeout()).isEqualTo(30_000);
        }
        // While a connection is made, the socket is given up sooner: a host may be frozen.
        assertThat(guarded.unwrap(HikariDataSource.class).getDataSourceProperties())
                .containsEntry("socketTimeout", "2")
                .containsEntry("connectTimeout", "2")
                .containsEntry("tcpKeepAlive", "true");
    }

    /** A migration, which may wait for leases that are written, or make an index. */
    @Test
    void aMigrationMayTakeLongerThanAnythingElse() throws Exception {
        RunningService near = RunningService.shared();
        String name = "patient_" + UUID.randomUUID().toString().replace('-', '_');
        near.jdbc().sql("create database " + name).update();
        DataSource database = RunningService.databaseNamed(name);
        Flyway.configure().dataSource(database).target("60").load().migrate();
        try (ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table lease_group");
            Future<RunningService> starting =
                    thread.submit(() -> RunningService.onDatabaseNamed(name, SOCKET_TIMEOUT + "1"));
            await().atMost(Duration.ofSeconds(60)).until(() -> hasWaited(near, name));
            other.rollback();
            try (RunningService service = starting.get(60, TimeUnit.SECONDS)) {
                assertThat(grant(service.rest()).status()).isEqualTo(201);
            }
        }
    }

    private static boolean hasWaited(RunningService service, String database) {
        return service.jdbc()
                .sql(
                        """
                        select exists (select from pg_stat_activity where datname = ?
                            and wait_event_type = 'Lock'
                            and clock_timestamp() - query_start > interval '2 s')
                        """)
                .param(database)
                .query(Boolean.class)
                .single();
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void isToldOnceByWhateverFails(CapturedOutput log) throws IOException {
        String told = "The database does not answer: ";
        try (CuttableProxy proxy = new CuttableProxy(RunningService.databasePort());
                RunningService service = RunningService.replicaThrough(proxy.port())) {
            Rest rest = service.rest();
            assertThat(rest.get("/scopes").status()).isEqualTo(200);
            proxy.cut();
            for (int i = 0; i < 2; i++) {
                assertAway(rest.get("/v1/leases"));
                assertThat(rest.get("/scopes", "Accept", "text/html").status()).isEqualTo(503);
            }
        }
        assertThat(log.getAll())
                .containsOnlyOnce(told)
                .doesNotContain("Cannot listen", "HHH0", "marked as broken");
    }

    @Test
    void openPagesHearOfItWithoutWaitingForIt() throws IOException {
        try (CuttableProxy proxy = new CuttableProxy(RunningService.databasePort());
                RunningService service = RunningService.replicaThrough(proxy.port());
                HttpClient http = HttpClient.newHttpClient()) {
            URI events = URI.create(service.rest().origin() + "/events");
            AtomicInteger ticks = new AtomicInteger();
            CompletableFuture<?> listening =
                    http.sendAsync(
                            HttpRequest.newBuilder(events).build(),
                            BodyHandlers.fromLineSubscriber(new Ticks(ticks)));
            await().atMost(Duration.ofSeconds(60)).until(() -> ticks.get() > 2);
            proxy.cut();
            // One more may have been on its way; waiting for others takes 3 s each time.
            int before = ticks.get() + 1;
            await().atMost(Duration.ofSeconds(60)).until(() -> ticks.get() >= before + 6);
            assertAway(service.rest().get("/v1/leases"));
            assertThat(listening).isNotDone();
            http.shutdownNow();
        }
    }

    /** Counts what open pages hear. */
    private record Ticks(AtomicInteger count) implements Flow.Subscriber<String> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (line.startsWith("event:tick")) {
                count.incrementAndGet();
            }
        }

        @Override
        public void onError(Throwable over) {}

        @Override
        public void onComplete() {}
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
            await().atMost(Duration.ofSeconds(60)).until(() -> grant(rest).status() == 201);
            assertThat(rest.get("/v1/leases/" + lease.string("id")).string("state"))
                    .isEqualTo("ACTIVE");
        }
    }

    private static Answer grant(Rest rest, String scope) {
        return rest.post("/v1/leases", "{\"job\":\"away\",\"scope\":\"%s\"}".formatted(scope));
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
