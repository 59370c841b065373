package org.madcast.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Finds and runs the system's tools. Any thread; a failed command is a {@link LabException}. */
final class Commands {
    private static final Executor STDERR_READERS = Executors.newVirtualThreadPerTaskExecutor();

    /** The tools that a lab uses, and the packages that bring them. */
    static final Map<String, String> PACKAGES =
            Map.of(
                    "ip", "iproute2",
                    "tc", "iproute2",
                    "bridge", "iproute2",
                    "nsenter", "util-linux",
                    "nft", "nftables",
                    "kill", "procps");

    private Commands() {}

    /** Runs a tool to its end and gives its standard output. */
    static String run(String tool, List<String> arguments) {
        return run(tool, arguments, "");
    }

    /** Runs a tool with this text as its standard input. */
    static String run(String tool, List<String> arguments, String input) {
        List<String> command = new ArrayList<>();
        command.add(path(tool).toString());
        command.addAll(arguments);
        return runCommand(command, input);
    }

    /** Runs a tool inside a namespace; for tools that cannot enter one by themselves. */
    static String runInside(String namespace, String tool, List<String> arguments, String input) {
        List<String> command = new ArrayList<>(entering(namespace));
        command.add(path(tool).toString());
        command.addAll(arguments);
        return runCommand(command, input);
    }

    /** What a command line begins with to run inside a namespace; the process id stays its own. */
    static List<String> entering(String namespace) {
        return List.of(path("nsenter").toString(), "--net=" + Namespaces.path(namespace), "--");
    }

    /** Where a tool is; root's directories count even when the PATH leaves them out. */
    static Optional<Path> find(String tool) {
        String searched = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(
                        Stream.of(searched.split(":", -1)).filter(entry -> !entry.isEmpty()),
                        Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin"))
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Path path(String tool) {
        return find(tool)
                .orElseThrow(() ->
                        new LabException(
                                "the command '%s' is missing: install %s"
                                        .formatted(tool, PACKAGES.get(tool))));
    }

    private static String runCommand(List<String> command, String input) {
        String line = String.join(" ", command);
        try {
            Process process = new ProcessBuilder(command).start();
            CompletableFuture<String> complaint =
                    CompletableFuture.supplyAsync(
                            () -> readAll(process.getErrorStream()), STDERR_READERS);
            feed(process, input);
            String output = readAll(process.getInputStream());
            int code = process.waitFor();
            if (code != 0) {
                throw new LabException(
                        line + ": exit code " + code + ": " + flat(complaint.join()));
            }
            return output;
        } catch (IOException | UncheckedIOException e) {
            throw new LabException(line + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException(line + ": interrupted", e);
        }
    }

    private static void feed(Process process, String input) throws IOException {
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // A tool that ends before it has read everything says why by its exit code.
            if (process.isAlive()) {
                throw e;
            }
        }
    }

    private static String readAll(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String flat(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
