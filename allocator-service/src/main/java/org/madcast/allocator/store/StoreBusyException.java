package org.madcast.allocator.store;

import org.springframework.dao.DataAccessResourceFailureException;

/** There is more to write than can wait. Nothing was done. */
public final class StoreBusyException extends DataAccessResourceFailureException {

    private static final long serialVersionUID = 1L;

    /** One that says what waits. */
    public StoreBusyException(String message) {
        super(message);
    }
}
