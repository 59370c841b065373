package org.madcast.agent.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process that this one started: its lines go to the given consumers, each called by one thread
 * of the child's own, and lines can be sent to its standard input. It sees the end of its standard
 * input when this process is gone, however that went.
 */
public final class Child {

    private final String name;
    private final Process process;
    private final BufferedWriter input;
    private final List<Thread> readers;

    private Child(
            String name, Process process, Consumer<String> onLine, Consumer<String> onErrorLine) {
        this.name = name;
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.readers =
                List.of(
                        read(process.getInputStream(), onLine),
                        read(process.getErrorStream(), onErrorLine));
    }

    /**
     * Starts a process.
     *
     * @param environment added to this process's own
     */
    public static Child start(
            String name,
            List<String> command,
            Map<String, String> environment,
            Consumer<String> onLine,
            Consumer<String> onErrorLine)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return new Child(name, builder.start(), onLine, onErrorLine);
    }

    private static Thread read(InputStream stream, Consumer<String> onLine) {
        return Thread.ofVirtual()
                .start(() -> {
                    try (BufferedReader reader =
                            new BufferedReader(
                                    new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        reader.lines().forEach(onLine);
                    } catch (IOException | UncheckedIOException _) {
                        // The process was ended while a line was under way.
                    }
                });
    }

    /** What it is called in messages. */
    public String name() {
        return name;
    }

    /** Sends a line to its standard input; nothing happens when it is gone already. */
    public synchronized void send(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException _) {
            // Its end is noticed by whoever awaits it.
        }
    }

    /** True until it has ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** What it ended with; only once it has ended. */
    public int exitValue() {
        return process.exitValue();
    }

    /** Waits until it has ended and all of its lines were consumed; false when the time is over. */
    public boolean await(Duration timeout) throws InterruptedException {
        if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        for (Thread reader : readers) {
            // A grandchild may hold the pipe open: what it says no longer matters.
            reader.join(Duration.ofMillis(500));
        }
        return true;
    }

    /** Asks it to end (TERM); its pipes stay open, so it can still say what it has to. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Ends it (KILL). */
    public void kill() {
        process.destroyForcibly();
    }
}
