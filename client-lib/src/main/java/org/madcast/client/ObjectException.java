package org.madcast.client;

/**
 * A message of objects that is not read: the filter refuses a class, which the text names, a class
 * is missing or another one than the sender's, or the bytes are no message of objects. Only the
 * receiving rank gets it, after the whole message has come: the ranks stay in step, and later calls
 * work.
 */
public final class ObjectException extends MadcastException {

    private static final long serialVersionUID = 1L;

    /** With the class, or what is wrong. */
    public ObjectException(String message, Throwable cause) {
        super(message, cause);
    }
}
