package org.madcast.mpi.object;

/** Objects that cannot be sent, or a message of objects that is refused. */
public final class ObjectException extends RuntimeException {

    @java.io.Serial private static final long serialVersionUID = 1L;

    ObjectException(String message, Throwable cause) {
        super(message, cause);
    }
}
