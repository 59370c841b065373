package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.scope.Filling;
import org.madcast.allocator.store.StoreTrouble;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * What is answered, logged and said of readiness while the database is there and cannot be used.
 * With the patience that the service has by itself; the bounds here leave room for a slow machine,
 * and are far below the half minute for which a connection may be silent.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoreTroubleTest {

    private static final Duration SOON = Duration.ofSeconds(12);
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int POOL = 5;

    private static Path dataDir;
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        dataDir = RunningService.newDirectory("trouble");
        service =
                RunningService.on(
                        dataDir,
                        "--madcast.database-patience=1400ms",
                        "--madcast.warm-up=0s",
                        "--spring.datasource.hikari.connection-timeout=1000",
                        "--spring.datasource.hikari.maximum-pool-size=" + POOL,
                        "--logging.level.com.zaxxer.hikari=warn");
    }

    @BeforeEach
    void isWell() {
        await().atMost(LONG).until(() -> grant().status() == 201 && isReady());
    }

    @AfterEach
    void isWellAgain() {
        await().atMost(LONG).until(() -> grant().status() == 201 && isReady());
    }

    @AfterAll
    static void end() {
        service.close();
    }

    /** As after a failover: the server that is reached is a standby now. */
    @Test
    void readOnly(CapturedOutput log) throws SQLException {
        String lease = grant().string("id");
        sql("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
        try {
            await().atMost(LONG).until(() -> !isReady());
            assertTrouble(grant(), "store-read-only");
            assertTrouble(
                    service.rest()
                            .post("/v1/communicators", "{\"job\":\"j\",\"name\":\"w\",\"size\":2}"),
                    "store-read-only");
            assertThat(service.rest().get("/v1/leases/" + lease).status()).isEqualTo(200);
        } finally {
            sql(
                    "set default_transaction_read_only = off",
                    "alter system reset default_transaction_read_only",
                    "select pg_reload_conf()");
        }
        assertThat(log.getAll())
                .containsOnlyOnce("The database takes no changes: ")
                .doesNotContain("\tat ");
    }

    /** Processes that do not run: a machine that hangs, or is being moved. */
    @Test
    void frozen(CapturedOutput log) throws Exception {
        List<ProcessHandle> stopped = signal("STOP");
        try {
            for (int i = 0; i < 2; i++) {
                assertTrouble(grant(), "store-unavailable");
                assertTrouble(quickly(() -> service.rest().get("/v1/leases")), "store-unavailable");
            }
            assertThat(quickly(() -> service.rest().get("/scopes", "Accept", "text/html")).status())
                    .isEqualTo(503);
            await().atMost(LONG).until(() -> !isReady());
            assertThat(service.rest().get("/actuator/health/liveness").status()).isEqualTo(200);
        } finally {
            signal("CONT", stopped);
        }
        isWell();
        assertThat(log.getAll())
                .doesNotContainPattern(twice(StoreTrouble.AWAY))
                .doesNotContain("\tat ");
    }

    /** A lock that somebody holds stands for whatever makes a statement take long. */
    @Test
    void slow(CapturedOutput log) throws Exception {
        Thread counting;
        try (Connection other = connection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table lease in access exclusive mode");
            assertTrouble(grant(), "store-busy");
            assertTrouble(quickly(() -> service.rest().get("/v1/leases")), "store-busy");
            // What the service counts for itself waits for the lock, and has no limit.
            counting = Thread.ofVirtual().start(service.part(Filling.Counter.class)::filling);
            await().atMost(LONG).until(StoreTroubleTest::aCountWaits);
            assertTrouble(quickly(() -> service.rest().get("/v1/scopes")), "store-busy");
            assertThat(isReady()).as("writing is possible").isTrue();
            other.rollback();
        }
        counting.join();
        assertThat(log.getAll())
                .doesNotContainPattern(twice(StoreTrouble.BUSY))
                .doesNotContain("\tat ");
    }

    @Test
    void noConnectionIsFree(CapturedOutput log) throws SQLException {
        DataSource pool = service.part(DataSource.class).unwrap(HikariDataSource.class);
        List<Connection> taken = new ArrayList<>();
        try {
            // The listener for arrivals has one.
            for (int i = 1; i < POOL; i++) {
                taken.add(pool.getConnection());
            }
            assertTrouble(grant(), "store-busy");
            assertTrouble(service.rest().get("/v1/scopes"), "store-busy");
            assertThat(isReady()).as("writing is possible").isTrue();
        } finally {
            for (Connection each : taken) {
                each.close();
            }
        }
        assertThat(log.getAll())
                .doesNotContainPattern(twice(StoreTrouble.BUSY))
                .doesNotContain("\tat ");
    }

    /** A trigger stands for the disk; it says what the server says when it finds no room. */
    @Test
    void full(CapturedOutput log) throws SQLException {
        sql(
                """
                create function no_room() returns trigger language plpgsql as
                $$ begin raise exception using errcode = '53100',
                    message = 'could not extend file: No space left on device'; end $$
                """,
                "create trigger no_room before insert on lease execute function no_room()");
        try {
            assertTrouble(grant(), "store-full");
            assertTrouble(grant(), "store-full");
            assertThat(service.rest().get("/v1/leases").status()).isEqualTo(200);
        } finally {
            sql("drop function no_room cascade");
        }
        assertThat(log.getAll())
                .containsOnlyOnce("The database has no room left: ")
                .doesNotContain("\tat ");
    }

    @Test
    void restarted(CapturedOutput log) throws Exception {
        List<ProcessHandle> before = processes();
        before.getFirst().destroyForcibly();
        before.getFirst().onExit().join();
        // Until the next look nobody may know; whoever asks is told, or served by the next server.
        Answer answer = grant();
        if (answer.status() != 201) {
            assertTrouble(answer, "store-unavailable");
        }
        isWell();
        assertThat(log.getAll()).doesNotContain("\tat ");
    }

    /** Another test of this class may have had the minute's only line. */
    private static String twice(StoreTrouble trouble) {
        return "(?s)%s: .*%s: ".formatted(trouble.words(), trouble.words());
    }

    private static Answer grant() {
        return quickly(() ->
                service.rest().post("/v1/leases", "{\"job\":\"trouble\",\"durationSeconds\":60}"));
    }

    private static Answer quickly(Supplier<Answer> request) {
        long sentNs = System.nanoTime();
        Answer answer = request.get();
        assertThat(Duration.ofNanos(System.nanoTime() - sentNs)).isLessThan(SOON);
        return answer;
    }

    private static boolean aCountWaits() throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "select count(*) > 0 from pg_stat_activity"
                                        + " where wait_event_type = 'Lock'"
                                        + " and query like '%sum(quarantined)%'")) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private static boolean isReady() {
        int status = service.rest().get("/actuator/health/readiness").status();
        assertThat(status).isIn(200, 503);
        return status == 200;
    }

    private static void assertTrouble(Answer answer, String problem) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.problem()).as(answer.text()).isEqualTo(problem);
        assertThat(answer.response().headers().firstValueAsLong("Retry-After").orElse(0))
                .isPositive();
    }

    private static void sql(String... statements) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    /** One that is not of the pool. */
    private static Connection connection() throws SQLException {
        HikariDataSource pool = service.part(DataSource.class).unwrap(HikariDataSource.class);
        return DriverManager.getConnection(
                pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
    }

    /** The server, and then its children. */
    private static List<ProcessHandle> processes() throws IOException {
        String pid =
                Files.readAllLines(dataDir.resolve("postgres/postmaster.pid")).getFirst().trim();
        ProcessHandle server = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        return Stream.concat(Stream.of(server), server.children()).toList();
    }

    private static List<ProcessHandle> signal(String name) throws Exception {
        List<ProcessHandle> all = processes();
        signal(name, all);
        return all;
    }

    private static void signal(String name, List<ProcessHandle> to) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        to.forEach(it -> command.add(String.valueOf(it.pid())));
        new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
