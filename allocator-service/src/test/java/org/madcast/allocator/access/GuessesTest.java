package org.madcast.allocator.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GuessesTest {

    private static final String HERE = "10.0.0.7";

    private final AtomicLong nowNs = new AtomicLong();
    private final Guesses guesses = new Guesses(nowNs::get);

    private void guess(String address, int from, int count) {
        for (int i = from; i < from + count; i++) {
            guesses.wrong(address, "hash-" + i);
        }
    }

    @Test
    void afterSomeWrongTokensOneASecondIsLookedAt() {
        guess(HERE, 0, Guesses.AT_ONCE - 1);
        assertThat(guesses.areTooMany(HERE)).isFalse();
        guess(HERE, 100, 1);
        assertThat(guesses.areTooMany(HERE)).isTrue();
        assertThat(guesses.areTooMany("10.0.0.8")).isFalse();
        nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(1001));
        assertThat(guesses.areTooMany(HERE)).isFalse();
        guess(HERE, 200, 1);
        assertThat(guesses.areTooMany(HERE)).isTrue();
    }

    @Test
    void theSameWrongTokenIsOneGuess() {
        for (int i = 0; i < 1000; i++) {
            guess(HERE, 1, 1);
        }
        assertThat(guesses.areTooMany(HERE)).isFalse();
        assertThat(guesses.isRepeated(HERE, "hash-1")).isTrue();
        assertThat(guesses.isRepeated(HERE, "hash-2")).isFalse();
    }

    @Test
    void ofIpv6ANetworkIsOneGuesser() {
        for (int i = 0; i < Guesses.AT_ONCE; i++) {
            guess("fd00:0:0:1::" + Integer.toHexString(i + 1), i, 1);
        }
        assertThat(guesses.areTooMany("fd00:0:0:1::ffff")).isTrue();
        assertThat(guesses.areTooMany("fd00:0:0:2::1")).isFalse();
    }
}
