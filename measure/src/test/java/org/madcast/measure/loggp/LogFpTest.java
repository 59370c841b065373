package org.madcast.measure.loggp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.madcast.measure.loggp.LogFp.Fan;

/** Parameters of 1:n n:1, from a network that has them. */
class LogFpTest {

    private static final double L = 20_000;
    private static final double LEAST = 1_000;
    private static final double MORE = 4_000;
    private static final double G = 20_000;

    /** Formulas II.2 to II.4 of seed 004, written out. */
    private static Fan fan(int n, int free) {
        double overhead = LEAST + MORE / n;
        double ends = 2 * L + LEAST + MORE;
        double roundTrip =
                n <= free
                        ? ends + n * overhead
                        : ends + overhead + Math.max((n - 1) * overhead, (n - free) * G);
        return new Fan(n, roundTrip, overhead, Double.NaN);
    }

    private static List<Fan> fans(int most, int free) {
        return IntStream.rangeClosed(1, most).mapToObj(n -> fan(n, free)).toList();
    }

    @Test
    void theParametersOfTheModelAreFound() {
        List<Fan> fans = fans(60, 8);
        LogFp found = LogFp.of(fans).orElseThrow();
        assertThat(found.latencyNs()).isCloseTo(L, within(1.0));
        assertThat(found.leastOverheadNs() + found.moreOverheadNs()).isCloseTo(5_000, within(1.0));
        assertThat(found.leastOverheadNs()).isCloseTo(LEAST, within(100.0));
        assertThat(found.gapNs()).isCloseTo(G, within(0.15 * G));
        assertThat(found.free()).isEqualTo(8);
        assertThat(found.isFreeAtTheEnd()).isFalse();
        for (Fan fan : fans) {
            assertThat(found.roundTripNs(fan.nodes()))
                    .isCloseTo(fan.roundTripNs(), within(0.15 * fan.roundTripNs()));
        }
    }

    @Test
    void whereEachFurtherNodeMakesMessagesCheaperFIsALowerBound() {
        assertThat(LogFp.of(fans(6, 8)).orElseThrow().isFreeAtTheEnd()).isTrue();
    }

    @Test
    void oneNodeIsTooFew() {
        assertThat(LogFp.of(fans(1, 8))).isEmpty();
    }
}
