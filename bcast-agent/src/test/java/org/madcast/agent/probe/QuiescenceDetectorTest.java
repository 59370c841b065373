package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuiescenceDetectorTest {

    private static final long MS = 1_000_000;

    private final QuiescenceDetector settling = new QuiescenceDetector(0);

    @Test
    void whatHasAllArrivedIsNotWaitedFor() {
        assertThat(settling.isOver(10 * MS, 169, true)).isTrue();
    }

    /** As when its processor was taken from the thread that counts. */
    @Test
    void aReceiverThatStandsStillForAMomentIsWaitedFor() {
        for (long ms = 60; ms <= 480; ms += 60) {
            assertThat(settling.isOver(ms * MS, 90, false)).isFalse();
        }
        assertThat(settling.isOver(540 * MS, 130, false)).isFalse();
        assertThat(settling.isOver(600 * MS, 169, true)).isTrue();
    }

    @Test
    void whatIsLostIsNotWaitedForLong() {
        assertThat(settling.isOver(60 * MS, 168, false)).isFalse();
        assertThat(settling.isOver(559 * MS, 168, false)).isFalse();
        assertThat(settling.isOver(560 * MS, 168, false)).isTrue();
    }

    @Test
    void whoNeverStopsIsNotWaitedForForever() {
        for (long ms = 60; ms < 5_000; ms += 60) {
            assertThat(settling.isOver(ms * MS, ms, false)).isFalse();
        }
        assertThat(settling.isOver(5_000 * MS, 5_000, false)).isTrue();
    }
}
