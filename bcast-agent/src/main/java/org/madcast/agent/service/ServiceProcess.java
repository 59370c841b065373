package org.madcast.agent.service;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.process.Installation;
import org.madcast.agent.process.JavaCommand;
import org.madcast.agent.process.OwnSession;

/**
 * An allocation service with its embedded database, started on a port of this machine's loopback
 * address. It ends when {@link #stop} is called or this process is gone, however that went, unless
 * {@link #keep} was called before.
 */
public final class ServiceProcess {

    private static final Duration LONGEST_START = Duration.ofSeconds(90);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);

    /** What a service needs from the JVM: little memory, a quick start. */
    static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xms64m",
                    "-Xmx384m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED");

    /**
     * What a service needs that is to serve for days: fast code once it is warm, and room for what
     * requests leave behind, so that they rarely wait for the collector.
     */
    static final List<String> LASTING_JVM_OPTIONS =
            List.of(
                    "-Xms192m",
                    "-Xmx512m",
                    "-Xmn128m",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED");

    /** Where Linux tells whose program is at the other end of a connection. */
    private static final Path SOCKETS = Path.of("/proc/self/net/tcp");

    /** Has the service watch the pipe on its standard input, which ends with this process. */
    static final String END_WITH_INPUT = "--madcast.end-with-input=true";

    private final Process process;
    private final int port;
    private final Path directory;

    private ServiceProcess(Process process, int port, Path directory) {
        this.process = process;
        this.port = port;
        this.directory = directory;
    }

    /**
     * Makes sure that a service can listen on this port.
     *
     * @throws CommandFailure naming the process that does
     */
    public static void requireFree(int port) {
        PortHolder.requireFree(port);
    }

    /**
     * Starts one; {@link #awaitHealthy} says when it can be used.
     *
     * @param directory where its data and its log are kept
     * @throws CommandFailure when another process listens on the port
     */
    public static ServiceProcess start(int port, Path directory) throws IOException {
        PortHolder.requireFree(port);
        Path data = Files.createDirectories(directory.resolve("data"));
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.addAll(Installation.serviceStartOptions());
        // What it would leave in the machine's own when it is killed goes away with the directory.
        options.add("-Djava.io.tmpdir=" + temporary);
        options.add("-XX:-UsePerfData");
        List<String> command =
                JavaCommand.ofJar(
                        options,
                        Installation.serviceJar(),
                        List.of(
                                "--server.port=" + port,
                                "--server.address=127.0.0.1",
                                END_WITH_INPUT,
                                roleWithoutToken(),
                                "--madcast.data-dir=" + data,
                                "--madcast.programs-dir=" + programs(directory)));
        ProcessBuilder builder =
                new ProcessBuilder(OwnSession.of(command))
                        .redirectErrorStream(true)
                        .redirectOutput(log(directory).toFile());
        return new ServiceProcess(builder.start(), port, directory);
    }

    /**
     * Unpacking the database's programs takes seconds, so they are kept wherever that is possible.
     */
    private static Path programs(Path directory) {
        return keptPrograms().orElseGet(() -> directory.resolve("programs"));
    }

    /** Where the database's programs are kept between runs, if they can be. */
    static Optional<Path> keptPrograms() {
        Path kept = Installation.cache().resolve("postgresql");
        boolean usable = Files.isDirectory(kept) || Files.isWritable(Installation.cache());
        return usable ? Optional.of(kept) : Optional.empty();
    }

    private static Path log(Path directory) {
        return directory.resolve("service.log");
    }

    /**
     * The option that lets this user's programs in without a token, where that can be told, else
     * those of this machine.
     */
    static String roleWithoutToken() {
        return Files.isReadable(SOCKETS)
                ? "--madcast.access.from-own-user=job"
                : "--madcast.access.from-loopback=job";
    }

    /** Returns when it answers. */
    public void awaitHealthy() throws InterruptedException {
        ServiceClient client = new ServiceClient(uri(), null);
        long deadlineNs = System.nanoTime() + LONGEST_START.toNanos();
        while (!client.isHealthy()) {
            if (process.waitFor(POLL)) {
                throw new CommandFailure(
                        ExitCode.SERVICE, "the allocation service did not start: " + lastError());
            }
            if (System.nanoTime() > deadlineNs) {
                throw new CommandFailure(
                        ExitCode.SERVICE,
                        "the allocation service did not answer within "
                                + LONGEST_START.toSeconds()
                                + " s: "
                                + lastError());
            }
        }
    }

    /** The last thing in its log that looks like an error, on one line. */
    private String lastError() {
        try {
            List<String> lines =
                    new String(Files.readAllBytes(log(directory)), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank())
                            .toList();
            return lines.stream()
                    .filter(line -> line.contains("ERROR") || line.startsWith("Caused by:"))
                    .reduce((_, second) -> second)
                    .orElse(lines.isEmpty() ? "it said nothing" : lines.getLast())
                    .strip();
        } catch (IOException e) {
            return "its log cannot be read: " + e.getMessage();
        }
    }

    /** Where it listens. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Its port. */
    public int port() {
        return port;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Where its data and its log are kept. */
    public Path directory() {
        return directory;
    }

    /** False once it has ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Has it go on when this process ends. */
    public void keep() {
        try (OutputStream input = process.getOutputStream()) {
            input.write('\n');
        } catch (IOException _) {
            // It has ended already.
        }
    }

    /** Ends it and, through it, its database; with its input open, which it does not miss then. */
    public void stop() {
        process.toHandle().destroy();
        try {
            if (!process.waitFor(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
            process.waitFor();
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        OrphanedDatabase.end(directory);
    }
}
