package org.madcast.client.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What ends the wait of a loop's thread, and when. */
class TakeOverTest {

    private static final long DELAY_NS = 30_000_000;

    static List<TakeOver> kinds() throws IOException {
        return List.of(TakeOver.portable(), new NativeTakeOver(DELAY_NS));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whoWaitsGoesOnWhenTold(TakeOver takeOver) throws Exception {
        CompletableFuture<Void> waits = CompletableFuture.runAsync(takeOver::await);
        takeOver.after(DELAY_NS);
        waits.get(10, TimeUnit.SECONDS);
        takeOver.close();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatWasToldBeforeTheWaitEndsItToo(TakeOver takeOver) throws Exception {
        takeOver.after(0);
        CompletableFuture.runAsync(takeOver::await).get(10, TimeUnit.SECONDS);
        takeOver.close();
        takeOver.close();
    }

    @Test
    void theTimerWaitsAsLongAsItWasSetTo() throws Exception {
        try (TakeOver takeOver = new NativeTakeOver(DELAY_NS)) {
            assertThat(waited(takeOver, () -> takeOver.after(DELAY_NS)))
                    .isGreaterThanOrEqualTo(Duration.ofNanos(DELAY_NS));
        }
    }

    @Test
    void aCancelledTimerDoesNotRing() throws Exception {
        try (TakeOver takeOver = new NativeTakeOver(DELAY_NS)) {
            Duration waited =
                    waited(
                            takeOver,
                            () -> {
                                takeOver.after(DELAY_NS);
                                takeOver.cancel();
                                takeOver.after(3 * DELAY_NS);
                            });
            assertThat(waited).isGreaterThanOrEqualTo(Duration.ofNanos(3 * DELAY_NS));
        }
    }

    private static Duration waited(TakeOver takeOver, Runnable told) {
        long startNs = System.nanoTime();
        told.run();
        takeOver.await();
        return Duration.ofNanos(System.nanoTime() - startNs);
    }
}
