package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;

@ExtendWith(OutputCaptureExtension.class)
class AwayNoticeTest {

    @Test
    void aDatabaseThatIsAwayIsToldOnceAMinute(CapturedOutput log) {
        AwayNotice away = new AwayNotice();
        for (int i = 0; i < 3; i++) {
            away.tell(StoreTrouble.AWAY, new DataAccessResourceFailureException("refused"));
        }
        assertThat(log.getAll()).containsOnlyOnce("The database does not answer: refused");
        assertThat(log.getAll()).doesNotContain("\tat ");
    }
}
