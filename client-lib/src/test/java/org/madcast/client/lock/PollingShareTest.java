package org.madcast.client.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a thread polls, by what the kernel counts of it. */
class PollingShareTest {

    @TempDir Path directory;

    private static long ms(long number) {
        return TimeUnit.MILLISECONDS.toNanos(number);
    }

    private Path waited(long ms) throws IOException {
        return Files.writeString(directory.resolve("schedstat"), "123 " + ms(ms) + " 45\n");
    }

    @Test
    void aThreadThatGetsItsTurnsGoesOnPolling() throws IOException {
        Polling polling = new Polling(ms(1), ms(1000), waited(70));
        assertThat(polling.allowedNs(ms(1000))).isEqualTo(ms(1));
        Path _ = waited(75);
        assertThat(polling.allowedNs(ms(1021))).as("5 of 21 ms").isEqualTo(ms(1));
        Path _ = waited(80);
        assertThat(polling.allowedNs(ms(1042))).as("5 of 21 ms").isEqualTo(ms(1));
    }

    @Test
    void aThreadThatWaitsForTurnsSleepsForAWhile() throws IOException {
        Polling polling = new Polling(ms(1), ms(1000), waited(70));
        assertThat(polling.allowedNs(ms(1000))).isEqualTo(ms(1));
        Path _ = waited(80);
        assertThat(polling.allowedNs(ms(1021))).as("10 of 21 ms").isZero();
        assertThat(polling.allowedNs(ms(1220))).isZero();
        assertThat(polling.allowedNs(ms(1222))).as("another try").isEqualTo(ms(1));
        Path _ = waited(81);
        assertThat(polling.allowedNs(ms(1243)))
                .as("what it waited before does not count")
                .isEqualTo(ms(1));
    }

    /** The counts are those of a thread, and another one may wait for messages next. */
    @Test
    void anotherThreadsWaitingDoesNotCount() throws Exception {
        Polling polling = new Polling(ms(1), ms(1000), waited(70));
        assertThat(polling.allowedNs(ms(1000))).isEqualTo(ms(1));
        Path _ = waited(900);
        long[] allowedNs = new long[1];
        Thread other = Thread.ofPlatform().start(() -> allowedNs[0] = polling.allowedNs(ms(1021)));
        other.join();
        assertThat(allowedNs[0]).isEqualTo(ms(1));
    }

    @Test
    void withoutATimeItNeverPolls() throws IOException {
        assertThat(new Polling(0, ms(1000), waited(0)).allowedNs(ms(1000))).isZero();
    }

    @Test
    void whereNothingIsCountedItPolls() {
        Polling polling = new Polling(ms(1), ms(1000), directory.resolve("none"));
        assertThat(polling.allowedNs(ms(1000))).isEqualTo(ms(1));
        assertThat(polling.allowedNs(ms(2000))).isEqualTo(ms(1));
    }
}
