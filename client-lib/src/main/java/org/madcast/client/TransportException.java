package org.madcast.client;

import org.jspecify.annotations.Nullable;

/** The sockets of this rank do not work: no interface, no permission, the network is gone. */
public final class TransportException extends MadcastException {

    private static final long serialVersionUID = 1L;

    /** With what went wrong and what to do. */
    public TransportException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
