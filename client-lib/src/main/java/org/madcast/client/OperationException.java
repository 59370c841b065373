package org.madcast.client;

import org.jspecify.annotations.Nullable;

/**
 * The operation of a reduction threw, on this rank or on another, so that this rank has no result.
 * The communicator remains usable.
 */
public final class OperationException extends MadcastException {

    private static final long serialVersionUID = 1L;

    /**
     * With the rank.
     *
     * @param cause what the operation threw, if that was on this rank
     */
    public OperationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
