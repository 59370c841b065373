package org.madcast.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.madcast.benchmarks.compare.MpiWay.Tuned;

class MpiWayTest {

    @Test
    void aNameSaysAlgorithmAndSegment() {
        assertThat(MpiWay.of(Tuned.PIPELINE, 8 << 10).name()).isEqualTo("pipeline/8KiB");
        assertThat(MpiWay.of(Tuned.SPLIT_BINARY, 0).name()).isEqualTo("split_binary");
        assertThat(MpiWay.algorithmOf("pipeline/8KiB")).isEqualTo("pipeline");
    }

    @Test
    void theRankProgramGetsOpenMpisNumbers() {
        assertThat(MpiWay.parse("pipeline/8KiB").argument()).isEqualTo("pipeline/8KiB=3:8192");
        assertThat(MpiWay.parse("default").argument()).isEqualTo("default=0:0");
    }

    @Test
    void everyWayIsReadFromItsName() {
        for (Tuned algorithm : Tuned.values()) {
            MpiWay cut = MpiWay.of(algorithm, 2048);
            MpiWay whole = MpiWay.of(algorithm, 0);
            assertThat(MpiWay.parse(cut.name())).isEqualTo(cut);
            assertThat(MpiWay.parse(whole.name())).isEqualTo(whole);
        }
    }

    @Test
    void anUnknownAlgorithmIsRefused() {
        assertThatThrownBy(() -> MpiWay.parse("magic"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
