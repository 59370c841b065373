package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.madcast.allocator.Rest.Answer;
import org.madcast.allocator.store.EmbeddedDatabase;
import org.madcast.allocator.store.StoreException;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

class RestartTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void leasesSurviveARestart() throws IOException {
        Path dataDir = RunningService.newDirectory("restart");
        Answer granted;
        try (RunningService service = RunningService.on(dataDir)) {
            granted = service.rest().post("/v1/leases", "{\"job\":\"j\"}");
            assertThat(granted.status()).isEqualTo(201);
        }
        assertThat(dataDir.resolve("postgres/postmaster.pid")).doesNotExist();
        try (RunningService service = RunningService.on(dataDir)) {
            Answer renewed =
                    service.rest()
                            .post(
                                    "/v1/leases/" + granted.string("id") + "/renewal",
                                    "{\"durationSeconds\":60}",
                                    "Madcast-Lease-Secret",
                                    granted.string("secret"));
            assertThat(renewed.status()).isEqualTo(200);
            assertThat(renewed.json().path("groups")).isEqualTo(granted.json().path("groups"));
        }
    }

    @Test
    void aServerThatAKilledServiceLeftIsReplaced() throws Exception {
        Path dataDir = RunningService.newDirectory("orphan");
        Process killed = openAndHang(dataDir);
        String said = killed.inputReader().readLine();
        assertThat(said).startsWith("jdbc:postgresql:");
        killed.destroyForcibly();
        assertThat(killed.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(dataDir.resolve("postgres/postmaster.pid")).exists();

        try (EmbeddedDatabase database =
                        EmbeddedDatabase.open(dataDir, RunningService.programs(), MINUTE);
                Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select text from left_behind")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).isEqualTo("committed");
            assertThatThrownBy(() -> DriverManager.getConnection(said, EmbeddedDatabase.USER, "x"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aDataDirectoryHasOneServiceAndIsPrivate() throws IOException {
        Path dataDir = RunningService.newDirectory("private");
        try (EmbeddedDatabase database =
                EmbeddedDatabase.open(dataDir, RunningService.programs(), MINUTE)) {
            assertThatThrownBy(
                            () -> EmbeddedDatabase.open(dataDir, RunningService.programs(), MINUTE))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("in use by another");
            assertThat(Files.getPosixFilePermissions(dataDir.resolve("password")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThatThrownBy(() ->
                            DriverManager.getConnection(
                                    database.jdbcUrl(), EmbeddedDatabase.USER, "guess"))
                    .hasMessageContaining("password");
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aServerThatCannotStartSaysWhyOnce(CapturedOutput log) throws Exception {
        String died = "The database server has died";
        Path dataDir = RunningService.newDirectory("broken");
        Path settings = dataDir.resolve("postgres/postgresql.conf");
        Path serversLog = dataDir.resolve("postgres.log");
        try (EmbeddedDatabase database =
                EmbeddedDatabase.open(dataDir, RunningService.programs(), MINUTE)) {
            String good = Files.readString(settings);
            Files.writeString(settings, good + "\nnonsense\n");
            killServer(dataDir);
            await().atMost(MINUTE)
                    .until(() -> Files.readString(serversLog).split("FATAL: ", -1).length > 6);
            Files.writeString(settings, good);
            await().atMost(MINUTE)
                    .until(() -> log.getAll().contains("The database server is back"));
            connect(database).close();
            assertThat(log.getAll())
                    .containsOnlyOnce(died)
                    .containsOnlyOnce("the database server does not start: ")
                    .containsPattern(
                            "does not start: .*FATAL: .*postgresql.conf\" contains errors; see "
                                    + serversLog);
            killServer(dataDir);
            await().atMost(MINUTE).until(() -> log.getAll().split(died, -1).length == 3);
        }
    }

    private static void killServer(Path dataDir) throws IOException {
        String pid =
                Files.readAllLines(dataDir.resolve("postgres/postmaster.pid")).getFirst().trim();
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Runs in a process of its own, and is killed there. */
    public static final class Hanging {

        /** Opens the database of the directory given, writes a row and waits. */
        public static void main(String[] args) throws Exception {
            EmbeddedDatabase database =
                    EmbeddedDatabase.open(Path.of(args[0]), Path.of(args[1]), MINUTE);
            try (Connection connection = connect(database);
                    Statement statement = connection.createStatement()) {
                statement.execute("create table left_behind as select 'committed'::text as text");
            }
            System.out.println(database.jdbcUrl());
            Thread.currentThread().join();
        }
    }

    private static Connection connect(EmbeddedDatabase database) throws SQLException {
        return DriverManager.getConnection(
                database.jdbcUrl(), EmbeddedDatabase.USER, database.password());
    }

    private static Process openAndHang(Path dataDir) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dlogging.level.root=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hanging.class.getName(),
                        dataDir.toString(),
                        RunningService.programs().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
