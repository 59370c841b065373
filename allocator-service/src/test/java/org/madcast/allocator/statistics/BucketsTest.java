package org.madcast.allocator.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketsTest {

    /** The ranks' ReportedDurationsTest has the same table. */
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
    void bucketsAreTheRanks(long durationNs, int bucket, long upperNs) {
        assertThat(Buckets.of(durationNs)).isEqualTo(bucket);
        assertThat(Buckets.upperNs(bucket)).isEqualTo(upperNs);
        assertThat(Buckets.of(1L << 40)).isEqualTo(Buckets.COUNT - 1).isEqualTo(241);
    }

    @Test
    void aShareOfWhatWasCountedDoesNotExceedItsPercentile() {
        TreeMap<Integer, Long> counts = new TreeMap<>(Map.of(1, 50L, 80, 49L, 105, 1L));
        assertThat(Buckets.percentileNs(counts, 0.5)).isEqualTo(1151);
        assertThat(Buckets.percentileNs(counts, 0.51)).isEqualTo(1_048_575);
        assertThat(Buckets.percentileNs(counts, 1)).isEqualTo(9_437_183);
        assertThat(Buckets.percentileNs(new TreeMap<>(), 0.5)).isZero();
    }
}
