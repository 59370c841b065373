package org.madcast.allocator.store;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.function.Predicate;
import org.hibernate.TransactionException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;

/** Distinguishes a database that is away from a request that is wrong. */
public final class StoreFailures {

    private static final int LONGEST_CHAIN = 16;

    /** No character of the encoding, and one that is not allowed in a text. */
    private static final List<String> UNSTORABLE = List.of("22021", "22P05");

    private StoreFailures() {}

    /**
     * Whether the failure means that the database cannot be reached, is starting or is ending. A
     * connection that breaks inside of a transaction is sometimes only told as a rollback that did
     * not work.
     */
    public static boolean isAway(Throwable failure) {
        @Nullable Throwable at = failure;
        for (int i = 0; at != null && i < LONGEST_CHAIN; i++, at = at.getCause()) {
            if (at instanceof DataAccessResourceFailureException
                    || at instanceof CannotCreateTransactionException
                    || at instanceof TransactionException
                    || at instanceof SQLTransientConnectionException
                    || (at instanceof SQLException told && isAway(told.getSQLState()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a text has characters that the database cannot hold, such as NUL. */
    public static boolean isUnstorable(Throwable failure) {
        return hasState(failure, UNSTORABLE::contains);
    }

    /** Whether a constraint refused a change (class 23), not the database a value. */
    public static boolean isConflict(Throwable failure) {
        return hasState(failure, it -> it.startsWith("23"));
    }

    private static boolean hasState(Throwable failure, Predicate<String> wanted) {
        @Nullable Throwable at = failure;
        for (int i = 0; at != null && i < LONGEST_CHAIN; i++, at = at.getCause()) {
            if (at instanceof SQLException told
                    && told.getSQLState() != null
                    && wanted.test(told.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** Connection lost (class 08), server ending or starting (57P..), too many clients (53300). */
    private static boolean isAway(@Nullable String state) {
        return state != null
                && (state.startsWith("08") || state.startsWith("57P") || state.equals("53300"));
    }
}
