package org.madcast.allocator.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.web.page.LineChart;

/** The lines of ranks that do not all report in the same step. */
final class HistoryChartsTest {

    private static final long BYTES = 1_000_000;
    private static final IntervalSums EMPTY = new IntervalSums();

    /** Each of these ranks got {@code BYTES}; rank 1 lost a tenth of its fragments. */
    private static IntervalSums of(int... ranks) {
        IntervalSums step = new IntervalSums();
        for (int rank : ranks) {
            step.rank(rank).add(RankCount.MESSAGE_BYTES, BYTES);
            step.rank(rank).add(RankCount.FRAGMENTS_USEFUL, 100);
            step.rank(rank).add(RankCount.FRAGMENTS_LOST, rank == 1 ? 10 : 0);
        }
        return step;
    }

    private static LineChart chart(int index, IntervalSums... steps) {
        History history = new History(Instant.ofEpochSecond(1_000), 5, List.of(steps));
        return HistoryCharts.traffic(history, 2).get(index);
    }

    private static List<Double> values(LineChart chart, int line) {
        return chart.points().stream()
                .map(point -> Double.valueOf(point.values().get(line).number()))
                .toList();
    }

    private static List<Long> times(LineChart chart) {
        return chart.points().stream().map(LineChart.Point::second).toList();
    }

    @Test
    void aStepInWhichAllReportIsAPoint() {
        LineChart rate = chart(0, of(0, 1), of(0, 1));
        assertThat(values(rate, 0)).containsExactly(8e6 / 5, 8e6 / 5);
        assertThat(times(rate)).containsExactly(1_002L, 1_007L);
    }

    @Test
    void oneThatComesAStepLaterMakesNoDip() {
        IntervalSums[] steps = {of(0, 1), of(0), of(0, 1), of(1), of(0, 1)};
        assertThat(values(chart(0, steps), 0))
                .containsExactly(8e6 / 5, 1.5 * 8e6 / 10, 1.5 * 8e6 / 10);
        assertThat(times(chart(0, steps))).containsExactly(1_002L, 1_010L, 1_020L);
        assertThat(values(chart(1, steps), 1)).containsOnly(10.0);
    }

    @Test
    void aRankThatIsGoneIsNotWaitedFor() {
        assertThat(values(chart(0, of(0), of(0), of(0), of(0)), 0))
                .containsExactly(8e6 / 10, 8e6 / 10);
    }

    @Test
    void emptyStepsAreZeroOnceReportsHaveBegun() {
        LineChart rate = chart(0, EMPTY, of(0, 1), EMPTY, EMPTY, of(0, 1));
        assertThat(values(rate, 0)).containsExactly(8e6 / 5, 0.0, 8e6 / 5);
        assertThat(times(rate)).containsExactly(1_007L, 1_015L, 1_022L);
        assertThat(chart(1, EMPTY, of(0, 1), EMPTY, EMPTY).points()).hasSize(1);
    }

    @Test
    void longStepsArePointsWhoeverReports() {
        History history =
                new History(Instant.EPOCH, 60, IntStream.range(0, 3).mapToObj(_ -> of(0)).toList());
        assertThat(HistoryCharts.traffic(history, 2).getFirst().points()).hasSize(3);
    }
}
