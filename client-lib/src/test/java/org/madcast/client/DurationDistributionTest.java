package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DurationDistributionTest {

    private static final DurationDistribution HUNDRED =
            DurationDistribution.of(Map.of(10L, 90L, 20L, 9L, 5_000L, 1L));

    @Test
    void percentilesAreUpperEdges() {
        assertThat(HUNDRED.count()).isEqualTo(100);
        assertThat(HUNDRED.percentileNs(1)).isEqualTo(10);
        assertThat(HUNDRED.percentileNs(90)).isEqualTo(10);
        assertThat(HUNDRED.percentileNs(90.1)).isEqualTo(20);
        assertThat(HUNDRED.percentileNs(99)).isEqualTo(20);
        assertThat(HUNDRED.percentileNs(100)).isEqualTo(5_000);
        assertThat(DurationDistribution.EMPTY.percentileNs(99)).isZero();
    }

    /** The median of two ranks' medians is not the job's: distributions add, percentiles do not. */
    @Test
    void ranksAddUp() {
        DurationDistribution slow = DurationDistribution.of(Map.of(7_000L, 100L));
        DurationDistribution both = HUNDRED.plus(slow);
        assertThat(both.count()).isEqualTo(200);
        assertThat(both.percentileNs(50)).isEqualTo(5_000);
        assertThat(both.percentileNs(99)).isEqualTo(7_000);
    }

    @Test
    void whatWasThereBeforeIsTakenAway() {
        DurationDistribution later = HUNDRED.plus(DurationDistribution.of(Map.of(20L, 2L)));
        assertThat(later.minus(HUNDRED)).isEqualTo(DurationDistribution.of(Map.of(20L, 2L)));
        assertThat(HUNDRED.minus(HUNDRED)).isEqualTo(DurationDistribution.EMPTY);
    }
}
