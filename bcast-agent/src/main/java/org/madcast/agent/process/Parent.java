package org.madcast.agent.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The process that started this one, seen through the pipe on standard input: lines that it sends,
 * and the end of the pipe when it is gone.
 */
public final class Parent {

    private final BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    /** The next line, or null when the parent is gone or wants no more. */
    public @Nullable String nextLine() {
        try {
            return lines.readLine();
        } catch (IOException _) {
            return null;
        }
    }

    /** Ends this process as soon as the parent is gone; for those who get no lines. */
    public void endWithIt(int exitCode) {
        Thread.ofPlatform()
                .daemon()
                .name("parent")
                .start(() -> {
                    while (nextLine() != null) {
                        // Nothing is said to this process.
                    }
                    Runtime.getRuntime().halt(exitCode);
                });
    }

    /** Sends the parent one line. */
    public static void tell(String line) {
        synchronized (Parent.class) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
