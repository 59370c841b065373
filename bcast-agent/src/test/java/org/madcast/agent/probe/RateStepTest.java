package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.agent.probe.ProbeResult.RateStep;

class RateStepTest {

    private static RateStep step(double here, double... others) {
        List<Double> arrived = new ArrayList<>(List.of(here));
        for (double other : others) {
            arrived.add(other);
        }
        return new RateStep(100, arrived, arrived.stream().map(rate -> rate / 100).toList());
    }

    @Test
    void whatTheSenderHearsOfItselfIsNotCarriedByTheNetwork() {
        assertThat(step(100, 50, 60).isCarried()).isFalse();
        assertThat(step(100, 50, 60).bestBitsPerSecond()).isEqualTo(60);
    }

    @Test
    void oneReceiverThatGetsNearlyAllIsEnough() {
        assertThat(step(0, 10, 81).isCarried()).isTrue();
    }
}
