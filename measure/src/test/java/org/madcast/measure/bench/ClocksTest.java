package org.madcast.measure.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.madcast.measure.bench.Clocks.Comparison;

class ClocksTest {

    private static final long S = 1_000_000_000;

    @Test
    void clocksThatDriftArePredictedOnALine() {
        Comparison first = new Comparison(0, 5000);
        Comparison later = new Comparison(10 * S, 25_000);
        assertThat(Clocks.predict(List.of(first), 3 * S)).isEqualTo(5000);
        assertThat(Clocks.predict(List.of(first, later), 12 * S)).isEqualTo(29_000);
        assertThat(Clocks.predict(List.of(first, later), 5 * S)).isEqualTo(15_000);
    }

    /** Two comparisons at nearly one time differ by chance and tell no rate. */
    @Test
    void aShortTimeGivesNoRate() {
        Comparison first = new Comparison(0, 5000);
        Comparison soon = new Comparison(S / 10, 6000);
        assertThat(Clocks.predict(List.of(first, soon), 10 * S)).isEqualTo(6000);
    }

    /** Both ports read one clock: what is found of it is the error. */
    @Test
    void theErrorIsAtMostHalfOfTheRoundTrip() throws Exception {
        try (ClockPort here = new ClockPort("job");
                ClockPort there = new ClockPort("job")) {
            ClockPort.Difference found = here.compare("127.0.0.1", there.port());
            assertThat(Math.abs(found.differenceNs())).isLessThanOrEqualTo(found.roundTripNs() / 2);
            assertThat(found.usualNs()).isGreaterThanOrEqualTo(found.roundTripNs());
        }
    }

    @Test
    void aRankIsToldWhenAnotherIsDone() throws Exception {
        try (ClockPort here = new ClockPort("job");
                ClockPort there = new ClockPort("job");
                ClockPort stranger = new ClockPort("another job")) {
            InetSocketAddress to =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), here.port());
            stranger.sayDone(to, 7);
            long before = System.nanoTime();
            there.sayDone(to, 7);
            assertThat(here.awaitDone(7)).isBetween(before, System.nanoTime());
        }
    }

    @Test
    void ranksAreAsLateAgainWithTheSameSeed() {
        Lateness lateness = new Lateness(1000, 3);
        Trial trial = new Trial(new Cell("once", 16, 2), false, 5);
        List<Long> late = List.of(0, 1, 2, 3).stream().map(it -> lateness.ofNs(trial, it)).toList();
        assertThat(late).allMatch(it -> it >= 0 && it <= 1000).doesNotHaveDuplicates();
        assertThat(late.get(2)).as("the root").isZero();
        assertThat(new Lateness(1000, 3).ofNs(trial, 1)).isEqualTo(late.get(1));
        assertThat(new Lateness(1000, 4).ofNs(trial, 1)).isNotEqualTo(late.get(1));
        assertThat(new Lateness(0, 3).ofNs(trial, 1)).isZero();
    }
}
