package org.madcast.allocator.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RootDelayTunerTest {

    private static final int BROADCASTS = 20_000;
    private static final long REPAIR_NS = 12 * Trace.MS;

    /** The mix that the tuner must do well on; two sites in one loop are two traces. */
    private static Map<String, Trace> mix() {
        Map<String, Trace> mix = new LinkedHashMap<>();
        mix.put("root first", Trace.rootFirst());
        mix.put("root last", Trace.rootLast());
        mix.put("uniform", Trace.uniform());
        mix.put("site that wants a delay", Trace.rootFirst());
        mix.put("its opposite in the same loop", Trace.rootLast());
        mix.put("drift", Trace.drift(BROADCASTS));
        mix.put("changed", Trace.changed(Trace.rootFirst(), Trace.rootLast(), BROADCASTS));
        mix.put("changed back", Trace.changed(Trace.rootLast(), Trace.rootFirst(), BROADCASTS));
        return mix;
    }

    @Test
    void isNeverMuchWorseThanNoDelay() {
        mix().forEach((name, trace) -> {
            double none = Job.fixed(trace, REPAIR_NS, BROADCASTS, 0);
            double tuned = Job.tuned(trace, REPAIR_NS, BROADCASTS);
            assertThat(tuned / none).as(name).isLessThanOrEqualTo(1.02);
        });
    }

    @Test
    void whateverTakesTurnsCostsLittle() {
        for (int turn : List.of(1, 20, 40, 60, 100, 200, 1000)) {
            Trace trace = Trace.takingTurns(Trace.rootFirst(), Trace.rootLast(), turn);
            double none = Job.fixed(trace, REPAIR_NS, BROADCASTS, 0);
            double tuned = Job.tuned(trace, REPAIR_NS, BROADCASTS);
            assertThat(tuned / none).as("turns of " + turn).isLessThanOrEqualTo(1.02);
        }
    }

    @Test
    void beatsEveryFixedDelayOnTheMix() {
        double tuned = 0;
        for (Trace trace : mix().values()) {
            tuned += Job.tuned(trace, REPAIR_NS, BROADCASTS);
        }
        for (long micros = 0; micros <= 20_000; micros += 250) {
            double fixed = 0;
            for (Trace trace : mix().values()) {
                fixed += Job.fixed(trace, REPAIR_NS, BROADCASTS, micros * 1000);
            }
            assertThat(tuned).as("against " + micros + " us").isLessThan(fixed);
        }
    }

    @Test
    void sparesMostOfWhatCanBeSparedWhenTheRootIsFirst() {
        double none = Job.fixed(Trace.rootFirst(), REPAIR_NS, BROADCASTS, 0);
        double best = Job.fixed(Trace.rootFirst(), REPAIR_NS, BROADCASTS, 5 * Trace.MS);
        double tuned = Job.tuned(Trace.rootFirst(), REPAIR_NS, BROADCASTS);
        assertThat((none - tuned) / (none - best)).isGreaterThan(0.9);
    }

    @Test
    void staysAtZeroWhereReceiversBuffer() {
        mix().forEach((name, trace) -> {
            TunerState state = Job.tunedState(trace, 0, 2_000);
            assertThat(state.delayNs()).as(name).isZero();
            assertThat(Job.tuned(trace, 0, 2_000))
                    .as(name)
                    .isEqualTo(Job.fixed(trace, 0, 2_000, 0));
        });
    }

    /** What gets lost on the way is lost to those in time, too: waiting would not help. */
    @Test
    void isNotTakenInByALossyNetwork() {
        for (double share : List.of(0.01, 0.1, 0.4)) {
            mix().forEach((name, trace) -> {
                Job.Network lossy = new Job.Network(0, share, 8 * Trace.MS);
                double none = Job.fixed(trace, lossy, BROADCASTS, 0);
                double tuned = Job.tuned(trace, lossy, BROADCASTS);
                assertThat(tuned / none).as(name + ", loss " + share).isLessThanOrEqualTo(1.02);
            });
        }
    }

    @Test
    void helpsLateReceiversOfALossyNetworkToo() {
        Job.Network lossy = new Job.Network(REPAIR_NS, 0.1, 8 * Trace.MS);
        double none = Job.fixed(Trace.rootFirst(), lossy, BROADCASTS, 0);
        double best = Job.fixed(Trace.rootFirst(), lossy, BROADCASTS, 5 * Trace.MS);
        double tuned = Job.tuned(Trace.rootFirst(), lossy, BROADCASTS);
        assertThat((none - tuned) / (none - best)).isGreaterThan(0.8);
    }

    /**
     * As where late receivers stand still: one of them that was quicker lost as much, by chance.
     */
    @Test
    void aFewUnluckyReceiversInTimeDoNotSpeakForAll() {
        RootDelayTuner tuner = new RootDelayTuner(50 * Trace.MS);
        TunerState state = TunerState.INITIAL;
        int observations = 0;
        while (state.delayNs() == 0 && observations < 5) {
            observations++;
            List<Observation.Arrival> arrivals =
                    List.of(
                            new Observation.Arrival(-2 * Trace.MS, 2),
                            new Observation.Arrival(9 * Trace.MS, 150),
                            new Observation.Arrival(11 * Trace.MS, 150));
            long lostNs = 25 * Trace.MS;
            state =
                    tuner.next(
                            state,
                            new Observation(arrivals, 300 * lostNs, 2 * lostNs, 400, 310 * lostNs));
        }
        assertThat(observations).as(state.reason()).isEqualTo(3);
        assertThat(state.delayNs()).isBetween(10 * Trace.MS, 12 * Trace.MS);
    }

    /** What a repair takes may depend on who else is late: less than all would need is enough. */
    @Test
    void aDelayThatSparesNothingIsHalvedAndWhatSparesMuchStays() {
        RootDelayTuner tuner = new RootDelayTuner(50 * Trace.MS);
        TunerState state = TunerState.INITIAL;
        long longest = 0;
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            long delayNs = state.delayNs();
            delays.add(delayNs);
            longest = Math.max(longest, delayNs);
            boolean helps = delayNs > 0 && delayNs < 15 * Trace.MS;
            long afterDataNs = 24 * Trace.MS - delayNs;
            long lostNs = afterDataNs > 0 ? 300L * (helps ? 7 : 21) * Trace.MS : 0;
            long callsNs = 400L * (helps ? 5 : 16) * Trace.MS;
            List<Observation.Arrival> arrivals = List.of(new Observation.Arrival(afterDataNs, 300));
            state = tuner.next(state, new Observation(arrivals, lostNs, 0, 400, callsNs));
        }
        assertThat(longest).isBetween(24 * Trace.MS, 26 * Trace.MS);
        long half = longest / 2;
        assertThat(Objects.requireNonNull(state.trial()).delayNs()).isEqualTo(half);
        // it is compared with none now and then, which takes two observations
        assertThat(delays.subList(5, 40)).containsOnly(half, 0L);
        assertThat(delays).filteredOn(it -> it == half).hasSizeGreaterThan(30);
    }

    /** As where the network is to blame, and nothing but a trial tells. */
    @Test
    void aDelayThatSparesNothingHoweverShortIsGivenUp() {
        RootDelayTuner tuner = new RootDelayTuner(50 * Trace.MS);
        TunerState state = TunerState.INITIAL;
        int delayed = 0;
        for (int i = 0; i < 200; i++) {
            delayed += state.delayNs() > 0 ? 1 : 0;
            long afterDataNs = 24 * Trace.MS - state.delayNs();
            long lostNs = afterDataNs > 0 ? 300 * 21 * Trace.MS : 0;
            List<Observation.Arrival> arrivals = List.of(new Observation.Arrival(afterDataNs, 300));
            long callsNs = 400 * 16 * Trace.MS;
            state = tuner.next(state, new Observation(arrivals, lostNs, 0, 400, callsNs));
        }
        assertThat(delayed).isBetween(6, 40);
    }

    @Test
    void neverExceedsItsCeiling() {
        RootDelayTuner tuner = new RootDelayTuner(2 * Trace.MS);
        TunerState state = TunerState.INITIAL;
        for (int i = 0; i < 50; i++) {
            long late = 4 * Trace.MS - state.delayNs();
            state =
                    tuner.next(
                            state,
                            new Observation(
                                    List.of(new Observation.Arrival(late, 100)),
                                    100 * REPAIR_NS,
                                    0,
                                    110,
                                    100 * REPAIR_NS));
            assertThat(state.delayNs()).isLessThanOrEqualTo(2 * Trace.MS);
        }
    }

    @Test
    void knowsNothingFromNothing() {
        RootDelayTuner tuner = new RootDelayTuner(50 * Trace.MS);
        Observation nothing = new Observation(List.of(), 0, 0, 0, 0);
        assertThat(tuner.next(TunerState.INITIAL, nothing)).isEqualTo(TunerState.INITIAL);
    }

    @Test
    void costsWhatTheExampleSays() {
        List<Map.Entry<Long, Double>> arrivals =
                List.of(Map.entry(1L, 2.0), Map.entry(2L, 1.0), Map.entry(9L, 1.0));
        DelayCost cost = new DelayCost(arrivals, 5, 1);
        assertThat(cost.of(0)).isEqualTo(4.0);
        assertThat(cost.of(2)).isEqualTo(1.8);
        assertThat(cost.of(9)).isEqualTo(6.4);
        assertThat(cost.best(100)).isEqualTo(2);
    }
}
