package org.madcast.packaging;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of this machine, run to its end. Immutable but for its environment; for one thread. */
final class Program {

    private final Map<String, String> environment = new LinkedHashMap<>();

    /** What a program said, on both of its outputs, and ended with. */
    record Outcome(int code, String text) {

        /** The text, when the program ended well. */
        String orFail() {
            if (code != 0) {
                throw new AssertionError("ended with code " + code + ":\n" + text);
            }
            return text.strip();
        }
    }

    /** True when a program of this name is on the path, or in the directories of root's. */
    static boolean exists(String name) {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin:/sbin";
        return Stream.of(path.split(File.pathSeparator, -1))
                .anyMatch(it -> Files.isExecutable(Path.of(it, name)));
    }

    /** Sets a variable for all runs. */
    Program with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Runs it; one that takes longer than the limit is ended and fails. */
    Outcome run(Duration limit, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("madcast", ".out");
        try {
            Process process = start(output, List.of(command));
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
                throw new AssertionError(
                        List.of(command) + " took longer than " + limit + Files.readString(output));
            }
            return new Outcome(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }

    /** Starts it, with both of its outputs in a file. */
    Process start(Path output, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        builder.environment().putAll(environment);
        builder.environment()
                .merge("PATH", "/usr/sbin:/sbin", (old, more) -> old + File.pathSeparator + more);
        return builder.redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output.toFile())
                .start();
    }
}
