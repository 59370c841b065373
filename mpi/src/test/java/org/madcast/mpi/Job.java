package org.madcast.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A launcher for tests: it starts each rank as a process, as users' launchers do. */
public final class Job {

    private static final long LONGEST_SECONDS = 120;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Class<?> program;
    private final List<String> arguments = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> variables = new TreeMap<>();
    private boolean launched = true;
    private long longestSeconds = LONGEST_SECONDS;

    private Job(Class<?> program) {
        this.program = program;
    }

    /** How a rank ended. */
    public record Rank(int exitCode, String output, String errors) {}

    /** A job of this program, a class with a main method. */
    public static Job of(Class<?> program, String... arguments) {
        Job job = new Job(program);
        job.arguments.addAll(List.of(arguments));
        return job;
    }

    /** With an option of the Java virtual machine. */
    public Job option(String option) {
        options.add(option);
        return this;
    }

    /** With a variable of the environment. */
    public Job variable(String name, String value) {
        variables.put(name, value);
        return this;
    }

    /** With more time than the two minutes that most have. */
    public Job within(long seconds) {
        longestSeconds = seconds;
        return this;
    }

    /** Without a launcher: the environment has none of its variables. */
    public Job alone() {
        launched = false;
        return this;
    }

    /** Runs it; every rank must end with code 0. */
    public void passes(int ranks) {
        List<Rank> ended = run(ranks);
        for (int rank = 0; rank < ranks; rank++) {
            Rank each = ended.get(rank);
            assertThat(each.exitCode())
                    .as("rank %d of %d: %s%s", rank, ranks, each.output(), each.errors())
                    .isZero();
        }
    }

    /** Runs it and returns how the ranks ended. */
    public List<Rank> run(int ranks) {
        String id = "mpi-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
        List<Process> processes = new ArrayList<>();
        try {
            int port = freePort();
            List<CompletableFuture<String>> outputs = new ArrayList<>();
            List<CompletableFuture<String>> errors = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                Process process = start(id, rank, ranks, port);
                processes.add(process);
                outputs.add(read(process.getInputStream()));
                errors.add(read(process.getErrorStream()));
            }
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(longestSeconds);
            List<Rank> ended = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                Process process = processes.get(rank);
                boolean done = process.waitFor(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!done) {
                    processes.forEach(Process::destroyForcibly);
                }
                String late = done ? "" : "\nrank " + rank + " did not end\n";
                int code = process.waitFor();
                ended.add(
                        new Rank(
                                done ? code : -1,
                                outputs.get(rank).join(),
                                errors.get(rank).join() + late));
            }
            return ended;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** Below the ports that the system gives to sockets that name none: these come and go. */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_000);
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (BindException taken) {
                // the next one may be free
            }
        }
    }

    private static CompletableFuture<String> read(java.io.InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread _ =
                Thread.startVirtualThread(() -> {
                    try (stream) {
                        text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
                    } catch (IOException broken) {
                        text.complete("(output lost: " + broken.getMessage() + ")");
                    }
                });
        return text;
    }

    private Process start(String id, int rank, int ranks, int port) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(program.getName());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MADCAST_"));
        if (launched) {
            environment.put("MADCAST_JOB_ID", id);
            environment.put("MADCAST_RANK", Integer.toString(rank));
            environment.put("MADCAST_SIZE", Integer.toString(ranks));
            environment.put("MADCAST_ROOT", "127.0.0.1:" + port);
            environment.put("MADCAST_INTERFACE", "lo");
            // Ranks start slowly where other tests keep all processors busy.
            environment.put("MADCAST_JOIN_TIMEOUT", "100s");
        }
        environment.putAll(variables);
        return builder.start();
    }
}
