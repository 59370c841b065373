package org.madcast.agent;

import org.jspecify.annotations.Nullable;

/**
 * Ends a command: the message is the one line on stderr that says what to do, the code is what the
 * process ends with.
 */
public final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    /** A failure without an underlying one. */
    public CommandFailure(ExitCode exitCode, String message) {
        this(exitCode, message, null);
    }

    /** A failure with the one that caused it, which is shown with {@code -v}. */
    public CommandFailure(ExitCode exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** What the process ends with. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
