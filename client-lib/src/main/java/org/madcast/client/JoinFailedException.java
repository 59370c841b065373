package org.madcast.client;

import org.jspecify.annotations.Nullable;

/** The ranks did not find each other: one is missing, was there twice, or named another size. */
public final class JoinFailedException extends MadcastException {

    private static final long serialVersionUID = 1L;

    /** With what went wrong and what to do. */
    public JoinFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
