package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.madcast.agent.probe.ProbeResult.RateStep;

/** Which rates are tried, how often, and what is concluded. */
class RateStepsTest {

    private static final int SAMPLE = 169;

    private final List<Long> megabits = new ArrayList<>();

    /** The sender hears itself at every rate; a receiver gets this. */
    private static RateStep step(long offered, double rate, double share) {
        return new RateStep(
                offered, List.of((double) offered, rate * offered), List.of(1.0, share));
    }

    private static RateStep carried(long offered) {
        return step(offered, 1, 1);
    }

    /** What a rate's how-manieth trial gives, from 1 on. */
    private List<RateStep> run(long most, BiFunction<Long, Integer, RateStep> network) {
        RateSteps steps = new RateSteps(most * 1_000_000);
        for (long next = steps.next(); next > 0; next = steps.next()) {
            assertThat(megabits).as("it ends").hasSizeLessThan(100);
            long rate = next / 1_000_000;
            megabits.add(rate);
            int trial = (int) megabits.stream().filter(it -> it == rate).count();
            steps.add(network.apply(next, trial));
        }
        return steps.tried();
    }

    @Test
    void aNetworkThatIsWellIsTriedOnceAtEachRate() {
        assertThat(run(50, (rate, trial) -> carried(rate))).hasSize(5);
        assertThat(megabits).containsExactly(2L, 5L, 10L, 20L, 50L);
    }

    @Test
    void theLowestRateIsTriedThoughItIsTooHigh() {
        assertThat(run(1, (rate, trial) -> carried(rate))).hasSize(1);
    }

    /** What the sender hears of itself does not make up for it. */
    @Test
    void whatNoReceiverGotIsTriedAgain() {
        List<RateStep> steps =
                run(
                        10,
                        (rate, trial) ->
                                rate == 5_000_000 && trial < 3
                                        ? step(rate, 0.5, 1)
                                        : carried(rate));
        assertThat(megabits).containsExactly(2L, 5L, 5L, 5L, 10L);
        assertThat(steps).allMatch(RateStep::isCarried);
    }

    @Test
    void higherRatesThanTheNetworksAreTriedOnce() {
        List<RateStep> steps =
                run(
                        100,
                        (rate, trial) ->
                                rate > 10_000_000
                                        ? step(rate, 9e6 / rate, 9e6 / rate)
                                        : carried(rate));
        assertThat(megabits).containsExactly(2L, 5L, 10L, 20L, 20L, 20L, 20L, 20L, 20L, 50L, 100L);
        assertThat(steps).hasSize(6);
    }

    @Test
    void whereNothingArrivesOnceIsEnough() {
        run(10, (rate, trial) -> step(rate, 0, 0));
        assertThat(megabits).containsExactly(2L, 5L, 10L);
    }

    @Test
    void aSenderThatIsNotFasterEndsIt() {
        run(
                100,
                (rate, trial) ->
                        new RateStep(rate, List.of(6e6, Math.min(rate, 6e6)), List.of(1.0, 1.0)));
        assertThat(megabits).containsOnly(2L, 5L, 10L);
    }

    @Test
    void oneDatagramIsNoShareOfLoss() {
        List<RateStep> steps =
                run(10, (rate, trial) -> step(rate, 1, trial == 1 ? (SAMPLE - 1.0) / SAMPLE : 1));
        assertThat(megabits).containsExactly(2L, 5L, 10L, 10L);
        assertThat(steps).hasSize(3);
        assertThat(Diagnosis.losesSome(steps.getLast())).isFalse();
        assertThat(steps.getLast().shares().get(1)).isLessThan(1);
    }

    @Test
    void lossThatStaysIsLoss() {
        List<RateStep> steps = run(10, (rate, trial) -> step(rate, 1, 0.98));
        assertThat(megabits).hasSize(2 + RateSteps.TRIALS).endsWith(10L, 10L, 10L, 10L, 10L);
        assertThat(Diagnosis.losesSome(steps.getLast())).isTrue();
        assertThat(steps.getLast().shares().get(1)).isCloseTo(0.98, offset(1e-9));
    }

    /** Its loss is what its rate is told by. */
    @Test
    void aSlowReceiverNeedsNoMoreTrials() {
        run(
                100,
                (rate, trial) ->
                        new RateStep(
                                rate,
                                List.of(0.0, (double) rate, Math.min(rate, 9e6)),
                                List.of(0.0, 1.0, Math.min(1, 9e6 / rate))));
        assertThat(megabits).containsExactly(2L, 5L, 10L, 20L, 50L, 100L);
    }
}
