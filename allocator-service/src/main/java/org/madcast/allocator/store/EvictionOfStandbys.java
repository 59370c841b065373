package org.madcast.allocator.store;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Connections to a server that has become a standby leave the pool, so that the next one leads to
 * the server that took over. The pool makes one by its name.
 */
public final class EvictionOfStandbys implements SQLExceptionOverride {

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return "25006".equals(failure.getSQLState())
                ? Override.MUST_EVICT
                : Override.CONTINUE_EVICT;
    }
}
