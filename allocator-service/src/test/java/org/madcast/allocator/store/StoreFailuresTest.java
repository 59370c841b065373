package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

class StoreFailuresTest {

    /** As the pool says it of a connection that has broken. */
    @Test
    void aFailureMayHaveNoState() {
        Exception closed =
                new TransactionSystemException(
                        "rollback", new SQLException("Connection is closed"));
        assertThat(StoreFailures.isUnstorable(closed)).isFalse();
        assertThat(StoreFailures.trouble(closed)).isNull();
    }

    @Test
    void tellsTextThatCannotBeStoredFromADatabaseThatIsAway() {
        Exception nul =
                new DataIntegrityViolationException("text", new SQLException("0x00", "22021"));
        assertThat(StoreFailures.isUnstorable(nul)).isTrue();
        assertThat(StoreFailures.trouble(nul)).isNull();
        assertThat(StoreFailures.trouble(new SQLException("ending", "57P01")))
                .isEqualTo(StoreTrouble.AWAY);
    }

    /** Spring has one exception for a lease in the way and for a value that cannot be read. */
    @Test
    void tellsAConstraintFromAValueThatIsWrong() {
        for (String state : List.of("23505", "23P01", "23514")) {
            assertThat(StoreFailures.isConflict(refused(state))).as(state).isTrue();
        }
        for (String state : List.of("22P02", "22008", "22003", "22021")) {
            assertThat(StoreFailures.isConflict(refused(state))).as(state).isFalse();
        }
        assertThat(StoreFailures.isConflict(new DataIntegrityViolationException("?"))).isFalse();
    }

    @Test
    void theDeepestCauseWithAKnownStateDecides() {
        Map<String, StoreTrouble> expected =
                Map.of(
                        "08006", StoreTrouble.AWAY,
                        "57P03", StoreTrouble.AWAY,
                        "25006", StoreTrouble.READ_ONLY,
                        "53100", StoreTrouble.FULL,
                        "53300", StoreTrouble.BUSY,
                        "57014", StoreTrouble.BUSY);
        expected.forEach((state, trouble) -> {
            Exception wrapped =
                    new CannotCreateTransactionException(
                            "begin", new SQLTransientConnectionException("pool", refusal(state)));
            assertThat(StoreFailures.trouble(wrapped)).as(state).isEqualTo(trouble);
        });
    }

    /** The pool has closed the connection of a standby before the transaction is rolled back. */
    @Test
    void whyATransactionWasToBeRolledBackCounts() {
        TransactionSystemException end =
                new TransactionSystemException(
                        "rollback", new SQLException("Connection is closed"));
        end.initApplicationException(refusal("25006"));
        assertThat(StoreFailures.trouble(end)).isEqualTo(StoreTrouble.READ_ONLY);
    }

    @Test
    void aPoolInUseIsBusyAndWhatNobodySaysMoreOfIsAway() {
        assertThat(
                        StoreFailures.trouble(
                                new CannotCreateTransactionException(
                                        "begin", new SQLTransientConnectionException("pool"))))
                .isEqualTo(StoreTrouble.BUSY);
        assertThat(StoreFailures.trouble(new StoreBusyException("much")))
                .isEqualTo(StoreTrouble.BUSY);
        assertThat(StoreFailures.trouble(new DataAccessResourceFailureException("?")))
                .isEqualTo(StoreTrouble.AWAY);
        assertThat(StoreFailures.trouble(new IllegalStateException())).isNull();
    }

    private static SQLException refusal(String state) {
        return new SQLException("no", state);
    }

    private static Exception refused(String state) {
        return new DataIntegrityViolationException("no", new SQLException("no", state));
    }
}
