package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CommitWaitTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Whose patience ends long before the longest wait of all. */
    @Test
    void theTimeThatIsToldIsTheTimeThatWasWaited() {
        StoreGate gate =
                new StoreGate(
                        new StoreProperties(null, null, MINUTE, Duration.ofMillis(200), MINUTE));
        try (StoreGate.Visit _ = gate.visit()) {
            assertThatThrownBy(() ->
                            CommitWait.of(
                                    new CompletableFuture<String>(),
                                    CommitWait.LONGEST,
                                    () -> true))
                    .message()
                    .matches("no answer in (\\d\\.\\d|[1-8]\\d) s");
        }
    }

    @Test
    void timesAreWrittenAsTheyAreSpoken() {
        assertThat(SpokenTime.of(Duration.ofMillis(1440))).isEqualTo("1.4 s");
        assertThat(SpokenTime.of(Duration.ofSeconds(90))).isEqualTo("90 s");
    }
}
