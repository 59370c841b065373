package org.madcast.allocator.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs PostgreSQL's programs on one database directory. The caller holds the directory's lock.
 *
 * <p>PostgreSQL refuses to run as root, and containers often are root: then each program runs in a
 * user namespace of its own, where the same user has another number and may still use the files.
 */
final class Postmaster {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final Pattern FATAL = Pattern.compile("\\b(FATAL|PANIC): ");
    private static final int MOST_LOGGED_BYTES = 1 << 20;

    private final PostgresPrograms programs;
    private final Path database;
    private final Path log;

    Postmaster(PostgresPrograms programs, Path database, Path log) {
        this.programs = programs;
        this.database = database;
        this.log = log;
    }

    /** Makes the database's files; only its superuser with this password may connect. */
    void initialize(String superuser, Path passwordFile) {
        run(
                Duration.ofMinutes(2),
                "initdb",
                "--pgdata=" + database,
                "--username=" + superuser,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-instructions");
    }

    /**
     * Starts the server and waits until it answers.
     *
     * @throws StoreException when it does not, with what the server says of it
     */
    void start(int port, List<String> settings, Duration timeout) {
        long loggedBytes = log.toFile().length();
        StringBuilder options = new StringBuilder("-p " + port);
        for (String setting : settings) {
            options.append(" -c ").append(setting);
        }
        try {
            run(
                    timeout.plusSeconds(10),
                    "pg_ctl",
                    "start",
                    "--pgdata=" + database,
                    "--log=" + log,
                    "--wait",
                    "--timeout=" + timeout.toSeconds(),
                    "--options=" + options);
        } catch (StoreException failure) {
            throw new StoreException(
                    "the database server does not start: "
                            + reason(loggedBytes).orElseGet(failure::getMessage),
                    failure);
        }
    }

    /** Of what the server has logged from there on: what it died of, else its last words. */
    private Optional<String> reason(long fromByte) {
        try (InputStream logged = Files.newInputStream(log)) {
            logged.skipNBytes(fromByte);
            List<String> lines =
                    new String(logged.readNBytes(MOST_LOGGED_BYTES), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank())
                            .toList();
            return lines.stream()
                    .filter(line -> FATAL.matcher(line).find())
                    .findFirst()
                    .or(() -> lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast()))
                    .map(line -> line + "; see " + log);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Ends the server: open transactions are rolled back, everything acknowledged is kept. */
    void stop() {
        run(
                STOP_TIMEOUT.plusSeconds(10),
                "pg_ctl",
                "stop",
                "--pgdata=" + database,
                "--mode=fast",
                "--wait",
                "--timeout=" + STOP_TIMEOUT.toSeconds());
    }

    /** The process that serves this directory now, left over perhaps by a killed service. */
    Optional<ProcessHandle> running() {
        Path pidFile = database.resolve("postmaster.pid");
        try {
            List<String> lines = Files.readAllLines(pidFile, StandardCharsets.UTF_8);
            return lines.isEmpty()
                    ? Optional.empty()
                    : ProcessHandle.of(Long.parseLong(lines.getFirst().trim()))
                            .filter(this::isOurs);
        } catch (NoSuchFileException notRunning) {
            return Optional.empty();
        } catch (IOException | NumberFormatException failure) {
            throw new StoreException("cannot read " + pidFile + ": " + failure, failure);
        }
    }

    /**
     * A number from a stale file may meanwhile be any other program's, be it a PostgreSQL that
     * serves something else: that is left alone. A server works in its database's directory.
     */
    private boolean isOurs(ProcessHandle process) {
        if (!process.info().command().map(it -> it.endsWith("/postgres")).orElse(false)) {
            return false;
        }
        try {
            return Files.isSameFile(
                    Path.of("/proc", Long.toString(process.pid()), "cwd"), database);
        } catch (IOException endedOrNotOurs) {
            return false;
        }
    }

    private void run(Duration timeout, String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "--user"));
        }
        command.add(programs.program(program).toString());
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile(log.getParent(), program, ".out");
            try {
                await(command, output, timeout);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException failure) {
            throw new StoreException("cannot run " + program + ": " + failure, failure);
        }
    }

    private void await(List<String> command, Path output, Duration timeout) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new StoreException(
                        "%s took longer than %s"
                                .formatted(String.join(" ", command), SpokenTime.of(timeout)));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while waiting for " + command, stopped);
        }
        if (process.exitValue() != 0) {
            throw new StoreException(
                    "%s failed (%d): %s; see %s"
                            .formatted(
                                    command,
                                    process.exitValue(),
                                    Files.readString(output, StandardCharsets.UTF_8).strip(),
                                    log));
        }
    }
}
