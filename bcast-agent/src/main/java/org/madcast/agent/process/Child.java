package org.madcast.agent.process;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
            String name,
            Process process,
            boolean atOnce,
            Consumer<String> onText,
            Consumer<String> onErrorText) {
        this.name = name;
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        this.readers =
                List.of(
                        read(process.getInputStream(), atOnce, onText),
                        read(process.getErrorStream(), atOnce, onErrorText));
    }

    /**
     * Starts a process whose lines are consumed without their ends.
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
        Process process = start(command, environment);
        return new Child(
                name,
                process,
                false,
                text -> onLine.accept(bare(text)),
                text -> onErrorLine.accept(bare(text)));
    }

    /**
     * Starts a process whose text is consumed as it is: line by line, and the last one even if it
     * does not end.
     *
     * @param atOnce whether to consume the beginning of a line, too, when no more of it is there
     */
    public static Child startForText(
            String name,
            List<String> command,
            Map<String, String> environment,
            boolean atOnce,
            Consumer<String> onText,
            Consumer<String> onErrorText)
            throws IOException {
        return new Child(name, start(command, environment), atOnce, onText, onErrorText);
    }

    private static Process start(List<String> command, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String bare(String line) {
        String text = line.endsWith("\n") ? line.substring(0, line.length() - 1) : line;
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /** A virtual one would keep a carrier while it reads a pipe, and there are few. */
    private static Thread read(InputStream stream, boolean atOnce, Consumer<String> onText) {
        return Thread.ofPlatform()
                .daemon()
                .name("child-output")
                .start(() -> {
                    StringBuilder text = new StringBuilder();
                    try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
                        char[] chunk = new char[8192];
                        for (int read = reader.read(chunk); read >= 0; read = reader.read(chunk)) {
                            text.append(chunk, 0, read);
                            consume(text, onText);
                            if (atOnce && !text.isEmpty() && !reader.ready()) {
                                onText.accept(text.toString());
                                text.setLength(0);
                            }
                        }
                    } catch (IOException _) {
                        // The process was ended while a line was under way.
                    }
                    if (!text.isEmpty()) {
                        onText.accept(text.toString());
                    }
                });
    }

    private static void consume(StringBuilder text, Consumer<String> onText) {
        int start = 0;
        for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
            onText.accept(text.substring(start, end + 1));
            start = end + 1;
        }
        text.delete(0, start);
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
            // Its end is noticed by the caller that awaits it.
        }
    }

    /** Its standard input, for bytes. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    /** Completes when it has ended. */
    public CompletableFuture<Process> onExit() {
        return process.onExit();
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
