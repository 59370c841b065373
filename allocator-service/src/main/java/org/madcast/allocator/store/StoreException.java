package org.madcast.allocator.store;

/** The embedded database cannot be used; the message says why and what to do. */
public final class StoreException extends RuntimeException {

    /** With a message for the operator. */
    public StoreException(String message) {
        super(message);
    }

    /** With a message for the operator and the failure below it. */
    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
