package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
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
}
