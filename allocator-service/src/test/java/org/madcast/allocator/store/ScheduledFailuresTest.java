package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;

/** The log while what runs again and again fails. */
@ExtendWith(OutputCaptureExtension.class)
class ScheduledFailuresTest {

    private final ScheduledFailures.Told told = new ScheduledFailures.Told();

    @Test
    void aDatabaseThatIsAwayIsToldOnceAMinute(CapturedOutput log) {
        for (int i = 0; i < 3; i++) {
            told.handleError(new DataAccessResourceFailureException("refused"));
        }
        assertThat(log.getAll()).containsOnlyOnce("The database does not answer: refused");
        assertThat(log.getAll()).doesNotContain("\tat ");
    }

    @Test
    void anythingElseIsToldEachTimeAndFromWhere(CapturedOutput log) {
        for (int i = 0; i < 2; i++) {
            told.handleError(new IllegalStateException("a mistake " + i));
        }
        assertThat(log.getAll()).contains("a mistake 0", "a mistake 1", "\tat ");
    }
}
