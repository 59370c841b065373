package org.madcast.measure.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.measure.bench.ClockTree.Pair;

class ClockTreeTest {

    /** The example of seed 004, figure IV.5(a). */
    @Test
    void sevenRanksNeedThreeRounds() {
        assertThat(ClockTree.rounds(7))
                .containsExactly(
                        List.of(new Pair(0, 1), new Pair(2, 3)),
                        List.of(new Pair(0, 2)),
                        List.of(new Pair(0, 4), new Pair(1, 5), new Pair(2, 6)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 9, 16, 31, 64, 100})
    void eachClockIsComparedOnceInAsFewRoundsAsRanksDouble(int ranks) {
        List<List<Pair>> rounds = ClockTree.rounds(ranks);
        assertThat(rounds).hasSize(32 - Integer.numberOfLeadingZeros(ranks - 1));
        Set<Integer> compared = new HashSet<>();
        for (List<Pair> round : rounds) {
            Set<Integer> busy = new HashSet<>();
            for (Pair pair : round) {
                assertThat(busy.add(pair.client()) && busy.add(pair.server())).isTrue();
                assertThat(compared.add(pair.server())).isTrue();
                assertThat(ClockTree.clientOf(pair.server(), ranks)).isEqualTo(pair.client());
            }
        }
        assertThat(compared).hasSize(ranks - 1).doesNotContain(0);
    }
}
