package org.madcast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Trouble in the environment: a dead rank, a network that does not carry, ranks that disagree.
 * Mistakes of the caller are {@link IllegalArgumentException} and {@link IllegalStateException}.
 */
public sealed class MadcastException extends RuntimeException
        permits JoinFailedException,
                RankLostException,
                RevokedException,
                MismatchException,
                MessageTooLongException,
                ObjectException,
                OperationException,
                TransportException {

    private static final long serialVersionUID = 1L;

    MadcastException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Waits for a future; its failure is thrown as it is. */
    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof MadcastException cause) {
                throw cause;
            }
            throw failed;
        }
    }
}
