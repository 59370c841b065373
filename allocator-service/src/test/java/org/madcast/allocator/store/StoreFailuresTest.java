package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionSystemException;

class StoreFailuresTest {

    /** As the pool says it of a connection that has broken. */
    @Test
    void aFailureMayHaveNoState() {
        Exception closed =
                new TransactionSystemException(
                        "rollback", new SQLException("Connection is closed"));
        assertThat(StoreFailures.isUnstorable(closed)).isFalse();
        assertThat(StoreFailures.isAway(closed)).isFalse();
    }

    @Test
    void tellsTextThatCannotBeStoredFromADatabaseThatIsAway() {
        Exception nul =
                new DataIntegrityViolationException("text", new SQLException("0x00", "22021"));
        assertThat(StoreFailures.isUnstorable(nul)).isTrue();
        assertThat(StoreFailures.isAway(nul)).isFalse();
        assertThat(StoreFailures.isAway(new SQLException("ending", "57P01"))).isTrue();
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

    private static Exception refused(String state) {
        return new DataIntegrityViolationException("no", new SQLException("no", state));
    }
}
