package org.madcast.allocator;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The service on a real PostgreSQL, both started once for all test classes of this JVM; {@link
 * TestDatabase} says which PostgreSQL. Tests keep apart by jobs and scopes of their own.
 */
final class RunningService implements AutoCloseable {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final AtomicInteger SCOPES = new AtomicInteger();

    private final ConfigurableApplicationContext context;

    private RunningService(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** The one that all tests share. */
    static RunningService shared() {
        return Shared.SERVICE;
    }

    /** Another replica on the shared database. */
    static RunningService replica(String... more) {
        List<String> arguments = new ArrayList<>(replicaArguments());
        arguments.addAll(List.of(more));
        return start(arguments);
    }

    /** Another replica, which serves MADCAP on loopback at this port. */
    static RunningService madcap(int port, String... more) {
        List<String> arguments = new ArrayList<>(replicaArguments());
        arguments.add("--madcast.madcap.enabled=true");
        arguments.add("--madcast.madcap.port=" + port);
        if (Stream.of(more).noneMatch(it -> it.startsWith("--madcast.madcap.networks"))) {
            arguments.add("--madcast.madcap.networks=127.0.0.0/8");
        }
        arguments.addAll(List.of(more));
        return start(arguments);
    }

    /** Another replica that reaches the shared database by this port. */
    static RunningService replicaThrough(int port, String... more) {
        List<String> arguments = new ArrayList<>(argumentsThrough(port));
        arguments.addAll(List.of(more));
        return start(arguments);
    }

    /** A service on another database of the shared server. */
    static RunningService onDatabaseNamed(String name, String... more) {
        List<String> arguments = new ArrayList<>(replicaArguments());
        String url = Objects.requireNonNull(databaseNamed(name).getUrl());
        arguments.set(0, "--spring.datasource.url=" + url);
        arguments.addAll(List.of(more));
        return start(arguments);
    }

    /** A service on a database of another server, whose user madcast needs no password. */
    static RunningService at(String url, String... more) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--spring.datasource.url=" + url);
        arguments.add("--spring.datasource.username=madcast");
        arguments.addAll(List.of(more));
        return start(arguments);
    }

    /** What makes a service a replica that reaches the shared database by this port. */
    static List<String> argumentsThrough(int port) {
        String url = Shared.DATABASE.jdbcUrl();
        List<String> arguments = new ArrayList<>(replicaArguments());
        arguments.set(
                0,
                "--spring.datasource.url="
                        + url.replace(":" + databasePort() + "/", ":" + port + "/"));
        return arguments;
    }

    /**
     * A new database of the shared server with the newest schema, copied from one in which the
     * migrations have run.
     *
     * @return its name, which begins like this
     */
    static String newDatabase(String prefix) {
        String name = prefix + "_" + UUID.randomUUID().toString().replace('-', '_');
        shared().jdbc()
                .sql("create database %s template %s".formatted(name, Migrated.DATABASE.name()))
                .update();
        return name;
    }

    /** Another database of the shared server. */
    static DriverManagerDataSource databaseNamed(String name) {
        URI shared = URI.create(Shared.DATABASE.jdbcUrl().substring("jdbc:".length()));
        return new DriverManagerDataSource(
                "jdbc:postgresql://%s:%d/%s".formatted(shared.getHost(), shared.getPort(), name),
                Shared.DATABASE.user(),
                Shared.DATABASE.password());
    }

    /** The shared database's port. */
    static int databasePort() {
        return URI.create(Shared.DATABASE.jdbcUrl().substring("jdbc:".length())).getPort();
    }

    /** A part of the service, for tests that go past REST. */
    <T> T part(Class<T> type) {
        return context.getBean(type);
    }

    <T> T part(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** A service with an embedded database of its own. */
    static RunningService on(Path dataDir, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--madcast.data-dir=" + dataDir));
        arguments.addAll(List.of(more));
        return start(arguments);
    }

    Rest rest() {
        return new Rest(context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    double metric(String name, String... tags) {
        Counter counter = context.getBean(MeterRegistry.class).find(name).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    JdbcClient jdbc() {
        return context.getBean(JdbcClient.class);
    }

    /**
     * Adds a scope of the addresses 239.120.n.0 to 239.120.n.(count - 1), which no other test has.
     * They lie beside the pool of the scope default, of which other tests lease some at random.
     */
    String addScope(int count, int quarantineSeconds) {
        int number = SCOPES.incrementAndGet();
        String range = "239.120.%d.0-239.120.%d.%d".formatted(number, number, count - 1);
        return addScope("test-" + number, range, quarantineSeconds, "test-" + number, false);
    }

    String addScope(
            String name, String range, int quarantineSeconds, String segment, boolean shares) {
        jdbc().sql(
                        """
                        insert into scope (name, ranges, port_first, port_last, quarantine_seconds,
                            segment, shares_addresses, allow_unscoped)
                        values (?, array[?], 6000, 6001, ?, ?, ?, true)
                        """)
                .params(name, range, quarantineSeconds, segment, shares)
                .update();
        return name;
    }

    static String newJob() {
        return "job-" + UUID.randomUUID();
    }

    /** An empty directory below the build's. */
    static Path newDirectory(String name) throws IOException {
        return Files.createTempDirectory(
                Files.createDirectories(TARGET.resolve("test-data")), name);
    }

    static Path programs() {
        return TARGET.resolve("test-programs");
    }

    @Override
    public void close() {
        context.close();
    }

    private static RunningService start(List<String> arguments) {
        List<String> all = new ArrayList<>();
        if (arguments.stream().noneMatch(it -> it.startsWith("--madcast.madcap.enabled"))) {
            all.add("--madcast.madcap.enabled=false");
        }
        if (arguments.stream().noneMatch(it -> it.startsWith("--madcast.access."))) {
            all.add("--madcast.access.from-loopback=operator");
        }
        // What the machine is too busy for is not the database's fault.
        all.add("--madcast.database-patience=30s");
        all.add("--spring.datasource.hikari.connection-timeout=3000");
        all.add("--madcast.lease.sweep-interval=300ms");
        all.add("--madcast.lease.count-interval=300ms");
        all.add("--madcast.communicator.sweep-interval=250ms");
        all.add("--madcast.statistics.rollup-interval=250ms");
        all.add("--madcast.statistics.forget-interval=300ms");
        all.add("--madcast.alert.interval=300ms");
        all.add("--madcast.dashboard.refresh-interval=500ms");
        all.removeIf(it -> arguments.stream().anyMatch(given -> isSame(given, it)));
        all.addAll(arguments);
        if (arguments.stream().noneMatch(it -> it.startsWith("--madcast.data-dir"))) {
            all.add("--madcast.data-dir=" + TARGET.resolve("test-data/replica"));
        }
        all.add("--server.port=0");
        all.add("--madcast.programs-dir=" + programs());
        return new RunningService(
                SpringApplication.run(AllocatorApplication.class, all.toArray(String[]::new)));
    }

    private static boolean isSame(String argument, String other) {
        return argument.startsWith(other.substring(0, other.indexOf('=') + 1));
    }

    private static List<String> replicaArguments() {
        return List.of(
                "--spring.datasource.url=" + Shared.DATABASE.jdbcUrl(),
                "--spring.datasource.username=" + Shared.DATABASE.user(),
                "--spring.datasource.password=" + Shared.DATABASE.password());
    }

    /** A database that nothing is connected to, so that it can be copied. */
    private record Migrated(String name) {
        static final Migrated DATABASE = new Migrated("migrated");

        Migrated {
            shared().jdbc().sql("create database " + name).update();
            Flyway.configure().dataSource(databaseNamed(name)).load().migrate();
        }
    }

    private static final class Shared {
        static final TestDatabase DATABASE;
        static final RunningService SERVICE;

        static {
            try {
                Path dataDir = newDirectory("shared");
                DATABASE = TestDatabase.open(dataDir, programs());
                SERVICE = start(replicaArguments());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(dataDir)));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private static void end(Path dataDir) {
            SERVICE.close();
            DATABASE.close();
            try (Stream<Path> files = Files.walk(dataDir)) {
                files.sorted(Comparator.reverseOrder()).forEach(it -> it.toFile().delete());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
