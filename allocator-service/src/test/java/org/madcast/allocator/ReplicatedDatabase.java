package org.madcast.allocator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A PostgreSQL server and its hot standby on loopback, with synchronous streaming replication: the
 * first acknowledges a commit only when the second has it on disk. Debian's PostgreSQL where it is
 * installed, else the embedded one.
 */
final class ReplicatedDatabase implements AutoCloseable {

    private static final String CONFIGURATION =
            """

            listen_addresses = '127.0.0.1'
            unix_socket_directories = ''
            wal_level = replica
            wal_keep_size = '256MB'
            """;

    private final Path programs;
    private final Path directory;
    private final int[] ports = {FreePort.tcp(), FreePort.tcp()};

    /** Makes both below an empty directory, and starts them. */
    ReplicatedDatabase(Path directory, Path embedded) throws IOException {
        this.directory = directory;
        this.programs = programs(embedded);
        Path first = files(0);
        run(
                "initdb",
                "-D",
                first.toString(),
                "-U",
                "madcast",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C");
        copy(first, files(1));
        append(0, CONFIGURATION + "port = " + ports[0] + "\nsynchronous_standby_names = '*'\n");
        append(
                1,
                "%sport = %d\nprimary_conninfo = 'host=127.0.0.1 port=%d user=madcast'\n"
                        .formatted(CONFIGURATION, ports[1], ports[0]));
        Files.createFile(files(1).resolve("standby.signal"));
        boolean started = false;
        try {
            start(0);
            start(1);
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** Finds whichever of the two takes changes. */
    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?targetServerType=primary"
                .formatted(ports[0], ports[1]);
    }

    /** What is used, such as {@code PostgreSQL 15.10}. */
    String version() throws IOException {
        Process process =
                new ProcessBuilder(programs.resolve("postgres").toString(), "--version").start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** Ends the first one as if its machine had lost power, or lets it hang. */
    void lose(boolean frozen) throws IOException {
        signal(frozen ? "STOP" : "KILL", 0);
    }

    /** Makes the second one the one that takes changes. */
    void promote() throws IOException {
        run("pg_ctl", "promote", "-D", files(1).toString(), "-w");
    }

    @Override
    public void close() throws IOException {
        signal("KILL", 0);
        signal("KILL", 1);
    }

    private static Path programs(Path embedded) throws IOException {
        Path debian = Path.of("/usr/lib/postgresql/15/bin");
        if (Files.isExecutable(debian.resolve("pg_ctl"))) {
            return debian;
        }
        try (Stream<Path> found = Files.walk(embedded, 3)) {
            Path control = found.filter(it -> it.endsWith("bin/pg_ctl")).findFirst().orElseThrow();
            return control.resolveSibling("");
        }
    }

    private Path files(int which) {
        return directory.resolve(which == 0 ? "first" : "second");
    }

    private void append(int which, String settings) throws IOException {
        Files.writeString(
                files(which).resolve("postgresql.conf"), settings, StandardOpenOption.APPEND);
    }

    private void start(int which) throws IOException {
        run(
                "pg_ctl",
                "start",
                "-w",
                "-D",
                files(which).toString(),
                "-l",
                directory.resolve(which + ".log").toString());
    }

    /** To the server and its children; does nothing when it has ended. */
    private void signal(String name, int which) throws IOException {
        Path file = files(which).resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return;
        }
        long pid = Long.parseLong(Files.readAllLines(file).getFirst().trim());
        ProcessHandle.of(pid)
                .ifPresent(server ->
                        Stream.concat(Stream.of(server), server.children())
                                .forEach(it -> kill(name, it.pid())));
    }

    private static void kill(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** PostgreSQL refuses to run as root; in a user namespace the same user has another number. */
    private void run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "--user"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        Path output = directory.resolve(program + ".out");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command + ": " + Files.readString(output));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> found = Files.walk(from)) {
            for (Path each : found.sorted(Comparator.naturalOrder()).toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                Files.copy(each, target);
                Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(each));
            }
        }
    }
}
