package org.madcast.client;

import org.jspecify.annotations.Nullable;

/**
 * Trouble in the environment: a dead rank, a network that does not carry, ranks that disagree.
 * Mistakes of the caller are {@link IllegalArgumentException} and {@link IllegalStateException}.
 */
public sealed class MadcastException extends RuntimeException
        permits JoinFailedException, RankLostException, MismatchException, TransportException {

    private static final long serialVersionUID = 1L;

    MadcastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
