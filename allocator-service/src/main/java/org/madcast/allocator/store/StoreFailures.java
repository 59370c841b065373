package org.madcast.allocator.store;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.hibernate.TransactionException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

/** Distinguishes a database that is in trouble from a request that is wrong. */
public final class StoreFailures {

    private static final int LONGEST_CHAIN = 16;

    /** No character of the encoding, and one that is not allowed in a text. */
    private static final List<String> UNSTORABLE = List.of("22021", "22P05");

    private StoreFailures() {}

    /**
     * What is wrong with the database, null when the failure does not come of that. The deepest
     * cause with a known state decides. A connection that breaks inside of a transaction is
     * sometimes only reported as a rollback that failed.
     */
    public static @Nullable StoreTrouble trouble(Throwable failure) {
        List<Throwable> chain = chain(failure);
        for (Throwable at : chain.reversed()) {
            StoreTrouble told =
                    at instanceof SQLException sql ? troubleOf(sql.getSQLState()) : null;
            if (told != null) {
                return told;
            }
        }
        if (chain.stream().anyMatch(StoreFailures::isBusy)) {
            return StoreTrouble.BUSY;
        }
        return chain.stream().anyMatch(StoreFailures::isUnreachable) ? StoreTrouble.AWAY : null;
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
        return chain(failure).stream()
                .anyMatch(it ->
                        it instanceof SQLException told
                                && told.getSQLState() != null
                                && wanted.test(told.getSQLState()));
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        @Nullable Throwable at = failure;
        for (; at != null && chain.size() < LONGEST_CHAIN; at = below(at)) {
            chain.add(at);
        }
        return chain;
    }

    /** Of a transaction that could not be rolled back either, why it was to be. */
    private static @Nullable Throwable below(Throwable failure) {
        return failure instanceof TransactionSystemException end
                        && end.getApplicationException() != null
                ? end.getApplicationException()
                : failure.getCause();
    }

    /** The pool has no connection free, or a batch did not come to its end in time. */
    private static boolean isBusy(Throwable at) {
        return at instanceof SQLTransientConnectionException
                || at instanceof StoreBusyException
                || at instanceof TimeoutException;
    }

    private static boolean isUnreachable(Throwable at) {
        return at instanceof DataAccessResourceFailureException
                || at instanceof CannotCreateTransactionException
                || at instanceof TransactionException;
    }

    private static @Nullable StoreTrouble troubleOf(@Nullable String state) {
        if (state == null) {
            return null;
        }
        return switch (state) {
            case "25006" -> StoreTrouble.READ_ONLY;
            // Disk full; the disk cannot be read or written.
            case "53100", "58030" -> StoreTrouble.FULL;
            // No memory, no connection, a limit; a lock not had in time; a statement ended for
            // time.
            case "53200", "53300", "53400", "55P03", "57014" -> StoreTrouble.BUSY;
            // Connection lost; server ending or starting.
            default -> state.startsWith("08") || state.startsWith("57P") ? StoreTrouble.AWAY : null;
        };
    }
}
