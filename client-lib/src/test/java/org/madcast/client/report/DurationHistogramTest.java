package org.madcast.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class DurationHistogramTest {

    @Test
    void bucketsAreOrderedAndAnEighthWide() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong(1L << (1 + random.nextInt(39)));
            int bucket = DurationHistogram.bucket(value);
            assertThat(DurationHistogram.upperNs(bucket)).isGreaterThanOrEqualTo(value);
            if (bucket > 0) {
                assertThat(DurationHistogram.upperNs(bucket - 1)).isLessThan(value);
                assertThat((double) DurationHistogram.upperNs(bucket)).isLessThan(value * 1.126);
            }
        }
        assertThat(DurationHistogram.bucket(0)).isZero();
        assertThat(DurationHistogram.upperNs(DurationHistogram.bucket(Long.MAX_VALUE)))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void percentilesAreAtMostAnEighthTooHigh() {
        SplittableRandom random = new SplittableRandom(9);
        DurationHistogram histogram = new DurationHistogram();
        long[] values = new long[5_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = 2_000 + random.nextLong(50_000_000);
            histogram.record(100, values[i]);
        }
        Arrays.sort(values);
        DurationHistogram.Drained drained = histogram.drain();
        assertThat(drained.count()).isEqualTo(5_000);
        assertThat(drained.bytes()).isEqualTo(500_000);
        assertThat(drained.maxNs()).isEqualTo(values[4_999]);
        assertThat(drained.sumNs()).isEqualTo(Arrays.stream(values).sum());
        assertThat((double) drained.p50Ns()).isBetween(values[2_499] * 1.0, values[2_499] * 1.126);
        assertThat((double) drained.p99Ns()).isBetween(values[4_949] * 1.0, values[4_949] * 1.126);
        assertThat(histogram.drain())
                .isEqualTo(new DurationHistogram.Drained(0, 0, 0, 0, 0, 0, Map.of()));
    }

    @Test
    void aSingleValueIsItsOwnPercentile() {
        DurationHistogram histogram = new DurationHistogram();
        histogram.record(0, 123_456);
        assertThat(histogram.drain())
                .isEqualTo(
                        new DurationHistogram.Drained(
                                1,
                                0,
                                123_456,
                                123_456,
                                123_456,
                                123_456,
                                Map.of(String.valueOf(DurationHistogram.bucket(123_456)), 1L)));
    }
}
