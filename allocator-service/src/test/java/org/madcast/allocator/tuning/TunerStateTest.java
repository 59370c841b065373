package org.madcast.allocator.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What is stored of a site comes back as it was, also what an older service stored. */
class TunerStateTest {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    @Test
    void comesBackWithItsTrials() {
        DelayTrial trial =
                DelayTrial.of(24_000_000, 9e6)
                        .taking(7e6, -3e9)
                        .confirmed(Evidence.NONE.and(0.5, 4, 9))
                        .halved(true)
                        .without(16e6);
        TunerState state =
                TunerState.INITIAL
                        .knowing(
                                Map.of(5L, 2.5, -7L, 1.0),
                                1,
                                2,
                                3.0,
                                Account.opened(1e9).differing(0.1))
                        .advising(12_000_000, trial, 6, "why");
        assertThat(JSON.readValue(JSON.writeValueAsString(state), TunerState.class))
                .isEqualTo(state);
    }

    @Test
    void goesOnWithADelayThatAnOlderServiceAdvised() {
        TunerState old =
                JSON.readValue(
                        """
                        {"delayNs":5000000,"reason":"old","arrivals":{"5000000":100.0},
                         "repairNs":12000000.0,"earlyNs":0.0,"settling":0,"patience":3,"good":0,
                         "zeroCallNs":11000000.0,"halvings":0}
                        """,
                        TunerState.class);
        TunerState next =
                new RootDelayTuner(50_000_000)
                        .next(
                                old,
                                new Observation(
                                        List.of(new Observation.Arrival(-500_000, 100)),
                                        0,
                                        0,
                                        114,
                                        114_000_000));
        assertThat(next.delayNs()).isEqualTo(5_000_000);
        assertThat(next.trial()).isNotNull();
    }

    /** As of before evidence was pooled and observations were counted. */
    @Test
    void goesOnWithATrialThatAnOlderServiceMade() {
        TunerState old =
                JSON.readValue(
                        """
                        {"delayNs":5000000,"reason":"old","arrivals":{"5000000":100.0},
                         "repairNs":12000000.0,"earlyNs":0.0,"settling":0,"patience":3,"good":0,
                         "zeroCallNs":11000000.0,"halvings":0,
                         "account":{"allowanceNs":1.0E9,"unrest":0.1},
                         "trial":{"delayNs":5000000,"halvings":0,"promisedNs":9000000.0,
                          "callNs":1000000.0,"lostNs":-1.0E9,"seen":1,"lookAfter":4,"noneNs":0.0,
                          "noneSeen":0,"shorterTried":false,"longer":null}}
                        """,
                        TunerState.class);
        RootDelayTuner tuner = new RootDelayTuner(50_000_000);
        TunerState next = old;
        int looks = 0;
        for (int i = 0; i < 40; i++) {
            long afterDataNs = 4_900_000 - next.delayNs();
            boolean late = afterDataNs > 0;
            looks += late ? 1 : 0;
            next =
                    tuner.next(
                            next,
                            new Observation(
                                    List.of(new Observation.Arrival(afterDataNs, 100)),
                                    late ? 1_200_000_000 : 0,
                                    0,
                                    114,
                                    late ? 1_254_000_000 : 114_000_000));
        }
        assertThat(next.delayNs()).isEqualTo(5_000_000);
        assertThat(next.trial()).isNotNull().extracting(DelayTrial::pooled).isNotNull();
        assertThat(looks).isBetween(2, 10);
    }
}
