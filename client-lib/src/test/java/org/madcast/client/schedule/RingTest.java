package org.madcast.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Rings in another order than that of the ranks' numbers. */
class RingTest {

    @Test
    void eachRankSendsToTheNextOfTheRingOnly() {
        Ring ring = new Ring(3, 0, 4, 1, 2);
        int[] next = {4, 2, 3, 0, 1};
        for (int rank = 0; rank < next.length; rank++) {
            int to = next[rank];
            assertThat(ring.allreduce(rank, 50).rounds())
                    .allSatisfy(round ->
                            assertThat(round)
                                    .filteredOn(Step.Send.class::isInstance)
                                    .allMatch(step -> ((Step.Send) step).peer() == to));
            assertThat(ring.allgather(rank, Counts.even(5, 3)).rounds()).hasSize(5 - 1);
        }
    }

    @Test
    void theOrderOfTheNumbersIsTheScheduleThatThereWas() {
        Counts counts = Counts.even(4, 2);
        assertThat(new Ring(0, 1, 2, 3).allgather(2, counts))
                .isEqualTo(Exchanges.ringAllgather(2, counts));
    }

    @Test
    void aRingWithoutARankIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Ring(0, 2, 2));
    }
}
