package org.madcast.client.lease;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The service did not answer in time, or cannot now: the same request may well succeed later. */
final class TemporaryFailureException extends IOException {

    @Serial private static final long serialVersionUID = 1;

    TemporaryFailureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
