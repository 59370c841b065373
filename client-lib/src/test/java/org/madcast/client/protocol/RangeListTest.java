package org.madcast.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RangeListTest {

    private final RangeList ranges = new RangeList(2);

    @Test
    void neighboursAreFoldedAndAThirdRangeIsRefused() {
        for (long sequence : new long[] {5, 6, 7, 9}) {
            assertThat(ranges.add(sequence)).isTrue();
        }
        assertThat(ranges.add(11)).isFalse();
        assertThat(ranges.add(10)).isTrue();
        assertThat(ranges.size()).isEqualTo(2);
        assertThat(ranges.first(0)).isEqualTo(5);
        assertThat(ranges.count(0)).isEqualTo(3);
        assertThat(ranges.first(1)).isEqualTo(9);
        assertThat(ranges.count(1)).isEqualTo(2);
        ranges.clear();
        assertThat(ranges.size()).isZero();
        assertThat(ranges.add(1)).isTrue();
    }
}
