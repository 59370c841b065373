package org.madcast.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReportedDurationsTest {

    @Test
    void bucketsAreOrderedAndAnEighthWide() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 100_000; i++) {
            long value = random.nextLong(1L << (1 + random.nextInt(39)));
            int bucket = ReportedDurations.bucket(value);
            assertThat(ReportedDurations.upperNs(bucket)).isGreaterThanOrEqualTo(value);
            if (bucket > 0) {
                assertThat(ReportedDurations.upperNs(bucket - 1)).isLessThan(value);
                assertThat((double) ReportedDurations.upperNs(bucket)).isLessThan(value * 1.126);
            }
        }
        assertThat(ReportedDurations.bucket(0)).isZero();
        assertThat(ReportedDurations.upperNs(ReportedDurations.bucket(Long.MAX_VALUE)))
                .isEqualTo(Long.MAX_VALUE);
    }

    /** The service's BucketsTest has the same table: the two meet in numbers of buckets only. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 1023",
        "1023, 0, 1023",
        "1024, 1, 1151",
        "1152, 2, 1279",
        "2047, 8, 2047",
        "2048, 9, 2303",
        "1000000, 80, 1048575",
        "8388608, 105, 9437183",
        "9437183, 105, 9437183",
        "9437184, 106, 10485759",
        "1099511627775, 240, 1099511627775",
    })
    void bucketsAreTheServices(long durationNs, int bucket, long upperNs) {
        assertThat(ReportedDurations.bucket(durationNs)).isEqualTo(bucket);
        assertThat(ReportedDurations.upperNs(bucket)).isEqualTo(upperNs);
        assertThat(ReportedDurations.bucket(1L << 40)).isEqualTo(241);
    }

    @Test
    void percentilesAreAtMostAnEighthTooHigh() {
        SplittableRandom random = new SplittableRandom(9);
        ReportedDurations histogram = new ReportedDurations();
        long[] values = new long[5_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = 2_000 + random.nextLong(50_000_000);
            histogram.record(100, values[i]);
        }
        Arrays.sort(values);
        ReportedDurations.Drained drained = histogram.drain();
        assertThat(drained.count()).isEqualTo(5_000);
        assertThat(drained.bytes()).isEqualTo(500_000);
        assertThat(drained.maxNs()).isEqualTo(values[4_999]);
        assertThat(drained.sumNs()).isEqualTo(Arrays.stream(values).sum());
        assertThat((double) drained.p50Ns()).isBetween(values[2_499] * 1.0, values[2_499] * 1.126);
        assertThat((double) drained.p99Ns()).isBetween(values[4_949] * 1.0, values[4_949] * 1.126);
        assertThat(histogram.drain())
                .isEqualTo(new ReportedDurations.Drained(0, 0, 0, 0, 0, 0, Map.of()));
    }

    @Test
    void aSingleValueIsItsOwnPercentile() {
        ReportedDurations histogram = new ReportedDurations();
        histogram.record(0, 123_456);
        assertThat(histogram.drain())
                .isEqualTo(
                        new ReportedDurations.Drained(
                                1,
                                0,
                                123_456,
                                123_456,
                                123_456,
                                123_456,
                                Map.of(String.valueOf(ReportedDurations.bucket(123_456)), 1L)));
    }
}
