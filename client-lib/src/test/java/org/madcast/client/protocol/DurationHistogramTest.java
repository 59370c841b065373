package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.netsim.RandomStream;
import org.madcast.netsim.Seeds;

class DurationHistogramTest {

    private final DurationHistogram histogram = new DurationHistogram();

    @Test
    void withoutRecordsEveryPercentileIsZero() {
        assertThat(histogram.count()).isZero();
        assertThat(histogram.percentileNs(0)).isZero();
        assertThat(histogram.percentileNs(100)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 15, 16, 17, 31, 32, 1_000, 123_456_789, Long.MAX_VALUE})
    void oneRecordIsAtMostASixteenthTooHigh(long durationNs) {
        histogram.record(durationNs);
        for (double percentile : new double[] {0, 1, 50, 99, 100}) {
            long edge = histogram.percentileNs(percentile);
            assertThat(edge).isGreaterThanOrEqualTo(durationNs);
            assertThat(edge - durationNs).isLessThanOrEqualTo(durationNs / 16);
        }
    }

    @Test
    void negativeDurationsCountAsZero() {
        histogram.record(-5);
        assertThat(histogram.count()).isEqualTo(1);
        assertThat(histogram.percentileNs(100)).isZero();
    }

    @Test
    void percentilesOfManyAreThoseOfTheSortedValues() {
        Seeds.forEach(
                20,
                seed -> {
                    RandomStream random = RandomStream.of(seed, "durations");
                    DurationHistogram many = new DurationHistogram();
                    long[] values = new long[1 + random.nextInt(2_000)];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = random.nextLong(1L << (1 + random.nextInt(40)));
                        many.record(values[i]);
                    }
                    Arrays.sort(values);
                    for (int percentile = 1; percentile <= 100; percentile++) {
                        int index = (int) Math.ceil(values.length * percentile / 100.0) - 1;
                        long exact = values[index];
                        assertThat(many.percentileNs(percentile))
                                .isBetween(exact, exact + exact / 16);
                    }
                });
    }
}
