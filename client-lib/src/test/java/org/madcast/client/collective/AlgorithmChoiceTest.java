package org.madcast.client.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.BroadcastParameters;

class AlgorithmChoiceTest {

    private static final List<Long> SIZES = List.of(0L, 1L, 1L << 20, (1L << 20) + 1, 1L << 33);

    private static BroadcastParameters with(Algorithm algorithm) {
        return BroadcastParameters.builder().algorithm(algorithm).build();
    }

    @Test
    void onceUnlessSomebodyWantsSomethingElse() {
        for (int ranks = 1; ranks <= 65; ranks++) {
            AlgorithmChoice choice = new AlgorithmChoice(BroadcastParameters.defaults(), ranks);
            for (long bytes : SIZES) {
                assertThat(choice.byDefault(bytes, true)).isEqualTo(Algorithm.ONCE);
                assertThat(choice.byDefault(bytes, false)).isEqualTo(Algorithm.CHAIN);
            }
        }
    }

    @Test
    void priorityZeroMeansNoMulticastUnlessItIsNamed() {
        BroadcastParameters noPriority = BroadcastParameters.builder().priority(0).build();
        AlgorithmChoice choice = new AlgorithmChoice(noPriority, 16);
        assertThat(choice.byDefault(100, true)).isEqualTo(Algorithm.CHAIN);
        assertThat(choice.possible(Algorithm.ONCE, true)).isEqualTo(Algorithm.ONCE);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void whatIsNamedIsUsedUnlessItNeedsAMulticastThatDoesNotWork(Algorithm wanted) {
        AlgorithmChoice choice = new AlgorithmChoice(BroadcastParameters.defaults(), 16);
        assertThat(choice.possible(wanted, true)).isEqualTo(wanted);
        Algorithm without = choice.possible(wanted, false);
        assertThat(without.usesMulticast()).isFalse();
        assertThat(without == wanted).isEqualTo(!wanted.usesMulticast());
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void withoutMulticastNothingIsEverMulticast(Algorithm parameter) {
        for (int ranks = 1; ranks <= 65; ranks++) {
            AlgorithmChoice choice = new AlgorithmChoice(with(parameter), ranks);
            for (long bytes : SIZES) {
                assertThat(choice.byDefault(bytes, false).usesMulticast()).isFalse();
            }
        }
    }

    /** Seed 000, section 3.5; the crossovers themselves still belong to ipmc. */
    @ParameterizedTest
    @CsvSource({
        "3, 10, true, LINEAR",
        "3, 2000000, true, LINEAR",
        "4, 10, true, IPMC",
        "4, 1048576, true, IPMC",
        "4, 1048577, true, CHAIN",
        "4, 10, false, CHAIN",
        "3, 10, false, LINEAR"
    })
    void ipmcBringsSiebertsDecision(int ranks, long bytes, boolean multicastWorks, Algorithm used) {
        AlgorithmChoice choice = new AlgorithmChoice(with(Algorithm.IPMC), ranks);
        assertThat(choice.byDefault(bytes, multicastWorks)).isEqualTo(used);
    }
}
