package org.madcast.lab;

import java.io.Serial;

/**
 * The machine did not do what the lab needs: a command failed, a namespace is gone, or a right is
 * missing. The message is one line; for a command it holds the command, its exit code and what it
 * wrote to standard error.
 */
public final class LabException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    LabException(String message) {
        super(message);
    }

    LabException(String message, Throwable cause) {
        super(message, cause);
    }
}
