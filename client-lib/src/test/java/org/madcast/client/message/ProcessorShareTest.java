package org.madcast.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a thread looks for messages, by what the kernel counts of it. */
class ProcessorShareTest {

    @TempDir Path directory;

    private static long ms(long number) {
        return TimeUnit.MILLISECONDS.toNanos(number);
    }

    private Path waited(long ms) throws IOException {
        return Files.writeString(directory.resolve("schedstat"), "123 " + ms(ms) + " 45\n");
    }

    @Test
    void aThreadThatGetsItsTurnsGoesOnLooking() throws IOException {
        ProcessorShare share = new ProcessorShare(ms(1000), waited(70));
        assertThat(share.mayLook(ms(1000))).isTrue();
        Path _ = waited(75);
        assertThat(share.mayLook(ms(1021))).as("5 of 21 ms").isTrue();
        Path _ = waited(80);
        assertThat(share.mayLook(ms(1042))).as("5 of 21 ms").isTrue();
    }

    @Test
    void aThreadThatWaitsForTurnsSleepsForAWhile() throws IOException {
        ProcessorShare share = new ProcessorShare(ms(1000), waited(70));
        assertThat(share.mayLook(ms(1000))).isTrue();
        Path _ = waited(80);
        assertThat(share.mayLook(ms(1021))).as("10 of 21 ms").isFalse();
        assertThat(share.mayLook(ms(1220))).isFalse();
        assertThat(share.mayLook(ms(1222))).as("another try").isTrue();
        Path _ = waited(81);
        assertThat(share.mayLook(ms(1243))).as("what it waited before does not count").isTrue();
    }

    @Test
    void eachTryInVainMakesItSleepTwiceAsLong() throws IOException {
        ProcessorShare share = new ProcessorShare(ms(1000), waited(0));
        long nowMs = 1000;
        for (int pauseMs : new int[] {200, 400, 800, 1600, 3200, 6400, 10_000, 10_000}) {
            Path _ = waited(0);
            assertThat(share.mayLook(ms(nowMs))).isTrue();
            Path _ = waited(15);
            nowMs += 21;
            assertThat(share.mayLook(ms(nowMs))).as("15 of 21 ms").isFalse();
            nowMs += pauseMs;
            assertThat(share.mayLook(ms(nowMs - 1))).as("%d ms have not passed", pauseMs).isFalse();
        }
        Path _ = waited(0);
        assertThat(share.mayLook(ms(nowMs))).isTrue();
        for (int i = 0; i < 6; i++) {
            nowMs += 21;
            assertThat(share.mayLook(ms(nowMs))).as("no waiting").isTrue();
        }
        Path _ = waited(15);
        nowMs += 21;
        assertThat(share.mayLook(ms(nowMs))).isFalse();
        assertThat(share.mayLook(ms(nowMs + 200))).as("it had its turns for a while").isTrue();
    }

    /** The counts are those of a thread, and another one may wait for messages next. */
    @Test
    void anotherThreadsWaitingDoesNotCount() throws Exception {
        ProcessorShare share = new ProcessorShare(ms(1000), waited(70));
        assertThat(share.mayLook(ms(1000))).isTrue();
        Path _ = waited(900);
        boolean[] looks = new boolean[1];
        Thread other = Thread.ofPlatform().start(() -> looks[0] = share.mayLook(ms(1021)));
        other.join();
        assertThat(looks[0]).isTrue();
    }

    @Test
    void whereNobodyCountsItLooks() {
        ProcessorShare share = new ProcessorShare(ms(1000), directory.resolve("none"));
        assertThat(share.mayLook(ms(1000))).isTrue();
        assertThat(share.mayLook(ms(2000))).isTrue();
    }
}
