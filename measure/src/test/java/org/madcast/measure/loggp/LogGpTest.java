package org.madcast.measure.loggp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.madcast.measure.loggp.LineFit.Point;

/** Lines, changes of protocol and advice, from networks whose parameters are known. */
class LogGpTest {

    private static final List<Integer> SIZES =
            List.of(16, 128, 256, 512, 768, 1024, 1280, 1472, 2048, 4096, 8192, 16_384, 32_768);

    private static Point point(int bytes, double gap, double perByte) {
        return new Point(bytes, gap + perByte * (bytes - 1));
    }

    private static List<Point> network(int change, double noise, Random random) {
        List<Point> points = new ArrayList<>();
        for (int size : SIZES) {
            Point exact = size <= change ? point(size, 9_000, 8) : point(size, 40_000, 80);
            points.add(new Point(size, exact.ns() * (1 + noise * random.nextGaussian())));
        }
        return points;
    }

    @Test
    void theLineThroughExactPointsIsTheirs() {
        LineFit line = LineFit.of(List.of(point(1, 5, 2), point(10, 5, 2), point(100, 5, 2)));
        assertThat(line.gap()).isCloseTo(5, within(1e-9));
        assertThat(line.perByte()).isCloseTo(2, within(1e-9));
        assertThat(line.deviation()).isCloseTo(0, within(1e-9));
        assertThat(line.at(50)).isCloseTo(103, within(1e-9));
    }

    @Test
    void oneSizeHasNoLine() {
        assertThatThrownBy(() -> LineFit.of(List.of(new Point(8, 1), new Point(8, 2))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aChangeOfProtocolIsFoundWhereItIs() {
        for (int seed = 0; seed < 50; seed++) {
            LogGp network = LogGp.of(1e5, 5e3, network(1472, 0.01, new Random(seed)));
            assertThat(network.protocols()).as("seed %d", seed).hasSize(2);
            assertThat(network.protocols().getFirst().toBytes()).isEqualTo(1472);
            assertThat(network.protocols().getLast().fromBytes()).isEqualTo(2048);
            assertThat(network.protocols().getLast().line().perByte()).isCloseTo(80, within(2.0));
            assertThat(network.protocols().getLast().bitsPerSecond()).isCloseTo(1e8, within(3e6));
        }
    }

    @Test
    void aNetworkOfOneProtocolHasOneLine() {
        for (int seed = 0; seed < 50; seed++) {
            LogGp network = LogGp.of(1e5, 5e3, network(1 << 20, 0.01, new Random(seed)));
            assertThat(network.protocols()).as("seed %d", seed).hasSize(1);
            assertThat(network.protocols().getFirst().line().perByte()).isCloseTo(8, within(0.4));
        }
    }

    @Test
    void anOutlierIsNoProtocol() {
        List<Point> points = network(1 << 20, 0, new Random(1));
        points.set(6, new Point(points.get(6).bytes(), points.get(6).ns() * 1.3));
        assertThat(ProtocolChanges.split(points)).hasSize(1);
    }

    @Test
    void theFragmentSizeIsTheOneThatMakesTheChainQuickest() {
        LogGp network = LogGp.of(1e5, 5e3, network(1 << 20, 0, new Random(1)));
        Advice advice = Advice.of(network, 16).orElseThrow();
        for (int size = 256; size <= 32_768; size *= 2) {
            assertThat(Advice.chainNs(network, 16, size)).isGreaterThanOrEqualTo(advice.chainNs());
        }
        // By hand, formula 1 of seed 001 with m = 8192: g = 9000 + 8 x 8191, 128 fragments.
        double gap = 9_000 + 8 * 8191;
        assertThat(Advice.chainNs(network, 16, 8192))
                .isCloseTo(15 * (1e5 + gap) + 127 * gap, within(1.0));
        assertThat(advice.crossoverBytes()).isPositive();
        // More ranks take longer to fill the pipe: smaller fragments, and a later crossover.
        Advice many = Advice.of(network, 200).orElseThrow();
        assertThat(many.fragmentBytes()).isLessThanOrEqualTo(advice.fragmentBytes());
        assertThat(many.crossoverBytes()).isGreaterThan(advice.crossoverBytes());
    }

    @Test
    void whatWasNotMeasuredIsNotAdvised() {
        List<Point> few = network(1 << 20, 0, new Random(1)).subList(0, 5);
        assertThat(Advice.of(LogGp.of(1e5, 5e3, few), 200).orElseThrow().fragmentBytes())
                .isLessThanOrEqualTo(768);
    }

    @Test
    void largerMessagesThatTakeLessTimeGiveNoAdvice() {
        List<Point> falling = SIZES.stream().map(size -> point(size, 90_000, -2)).toList();
        assertThat(Advice.of(LogGp.of(1e5, 5e3, falling), 16)).isEmpty();
    }
}
