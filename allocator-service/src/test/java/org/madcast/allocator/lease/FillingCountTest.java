package org.madcast.allocator.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FillingCountTest {

    @Test
    void restsAHundredTimesAsLongAsItTook() {
        assertThat(FillingCount.restNs(4_000_000)).isEqualTo(400_000_000);
    }

    @Test
    void restsAMinuteAtMost() {
        assertThat(FillingCount.restNs(Duration.ofSeconds(5).toNanos()))
                .isEqualTo(Duration.ofMinutes(1).toNanos());
    }
}
