package org.madcast.allocator;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.StoreException;
import org.springframework.boot.web.server.PortInUseException;

/**
 * Why the service did not start.
 *
 * @param message one line that says what to do
 * @param exitCode what the process ends with
 */
record StartFailure(String message, int exitCode) {

    /** Anything else; the log above says more. */
    static final int OTHER = 1;

    /** The database cannot be used. */
    static final int DATABASE = 74;

    /** The port is in use. */
    static final int PORT_IN_USE = 75;

    /** Finds the known cause in a failed start. */
    static StartFailure of(Throwable failure) {
        Throwable root = failure;
        for (@Nullable Throwable at = failure; at != null; at = at.getCause()) {
            root = at;
            if (at instanceof PortInUseException port) {
                return new StartFailure(
                        "port %d is in use; end what uses it, or choose another with --server.port=N"
                                .formatted(port.getPort()),
                        PORT_IN_USE);
            }
            if (at instanceof StoreException store) {
                return new StartFailure(oneLine(store), DATABASE);
            }
            if (at instanceof SQLException database) {
                return new StartFailure(
                        "cannot use the database of spring.datasource.url: " + oneLine(database),
                        DATABASE);
            }
        }
        return new StartFailure("did not start: " + oneLine(root), OTHER);
    }

    private static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        return (message == null ? failure.toString() : message).replaceAll("\\s*\\R\\s*", " ");
    }
}
