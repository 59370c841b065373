package org.madcast.agent.process;

import org.madcast.nativecalls.ProcessCalls;

/**
 * Ends this process without what the JVM does at its end: it waits up to 0.3 s for threads that
 * wait in the kernel, as the one always does that listens for all virtual threads. Shutdown hooks
 * do not run. Any thread.
 */
public final class ProcessEnd {

    private static final String JAVA_OPTIONS = "MADCAST_JAVA_OPTIONS";

    private ProcessEnd() {}

    /** Does beforehand what takes some milliseconds. */
    public static void makeReady() {
        ProcessCalls.prepareExit();
    }

    /**
     * Ends it with this code; comes back where that cannot be done, or where the JVM was given
     * options, who may want what it does at its end, such as writing a recording.
     */
    public static void atOnce(int code) {
        System.out.flush();
        System.err.flush();
        String options = System.getenv(JAVA_OPTIONS);
        if (options == null || options.isBlank()) {
            ProcessCalls.exit(code);
        }
    }
}
