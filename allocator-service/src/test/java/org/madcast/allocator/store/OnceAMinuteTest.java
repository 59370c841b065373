package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OnceAMinuteTest {

    @Test
    void itIsDueAtOnceAndThenNotBeforeAMinuteHasPassed() {
        AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5); // the clock may pass its end
        OnceAMinute limit = new OnceAMinute(nowNs::get);
        assertThat(limit.isDue()).isTrue();
        assertThat(limit.isDue()).isFalse();
        nowNs.addAndGet(Duration.ofMinutes(1).toNanos() - 1);
        assertThat(limit.isDue()).isFalse();
        nowNs.incrementAndGet();
        assertThat(limit.isDue()).isTrue();
        assertThat(limit.isDue()).isFalse();
    }
}
