package org.madcast.allocator.statistics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.madcast.allocator.web.page.LineChart;

/** A communicator's history as lines. */
final class HistoryCharts {

    /** More charts than this are not read; the table has all sites. */
    private static final int MOST_SITES = 6;

    /**
     * Ranks that broadcast report at least this often. Twice as often as a rule, and not all in the
     * same step: a point is made of as many steps as it takes until all have.
     */
    private static final long REPORT_SECONDS = 10;

    private static final double BITS = 8;

    private HistoryCharts() {}

    /** Bytes that an average rank sent or received, and the part of the fragments that it lost. */
    static List<LineChart> traffic(History history, int size) {
        LineChart.Builder rate =
                new LineChart.Builder(
                        "throughput",
                        "Throughput, mean of the ranks",
                        LineChart.Unit.BITS_PER_SECOND,
                        "throughput");
        LineChart.Builder loss =
                new LineChart.Builder(
                        "loss",
                        "Fragments lost, all ranks and the worst rank",
                        LineChart.Unit.PERCENT,
                        "all ranks",
                        "worst rank");
        boolean began = false;
        int first = 0; // of the steps that make the next point
        IntervalSums sums = new IntervalSums();
        for (int i = 0; i < history.steps().size(); i++) {
            sums.add(history.steps().get(i));
            if (!began && sums.ranks().isEmpty()) {
                first = i + 1;
                continue;
            }
            began = true;
            long seconds = (i + 1 - first) * history.stepSeconds();
            if (sums.ranks().size() < size && seconds < REPORT_SECONDS) {
                continue; // the other ranks report in the next step
            }
            long middle = middle(history, first, i);
            rate.add(middle, BITS * sums.of(RankCount.MESSAGE_BYTES) / size / seconds);
            if (!sums.ranks().isEmpty()) {
                loss.add(middle, lossPercent(sums), worstPercent(sums));
            }
            first = i + 1;
            sums = new IntervalSums();
        }
        return List.of(build(rate, history), build(loss, history));
    }

    /**
     * How long the broadcasts of the busiest sites took.
     *
     * @param total which sites are distinguished
     */
    static List<LineChart> durations(History history, IntervalSums total) {
        Map<String, SiteSums[]> sites = new TreeMap<>(SiteNames.BY_SIZE);
        int steps = history.steps().size();
        for (int i = 0; i < steps; i++) {
            for (var site : history.steps().get(i).sites().entrySet()) {
                SiteSums[] columns =
                        sites.computeIfAbsent(
                                total.placeOf(site.getKey()).site(), _ -> empty(steps));
                columns[i].add(site.getValue());
            }
        }
        return sites.entrySet().stream()
                .sorted(
                        Comparator.comparingLong(
                                (Map.Entry<String, SiteSums[]> it) -> -count(it.getValue())))
                .limit(MOST_SITES)
                .sorted(Map.Entry.comparingByKey(SiteNames.BY_SIZE))
                .map(it -> durations(history, it.getKey(), it.getValue()))
                .toList();
    }

    private static SiteSums[] empty(int steps) {
        SiteSums[] columns = new SiteSums[steps];
        Arrays.setAll(columns, _ -> new SiteSums());
        return columns;
    }

    private static long count(SiteSums[] columns) {
        long count = 0;
        for (SiteSums column : columns) {
            count += column.count();
        }
        return count;
    }

    private static LineChart durations(History history, String site, SiteSums[] columns) {
        LineChart.Builder chart =
                new LineChart.Builder(
                                "site-" + site.replaceAll("[^A-Za-z0-9]+", "-"),
                                "Duration of broadcasts of " + SiteNames.of(site),
                                LineChart.Unit.SECONDS,
                                "p50",
                                "p99")
                        .logarithmic();
        for (int i = 0; i < columns.length; i++) {
            SiteSums sums = columns[i];
            if (sums.count() > 0) {
                chart.add(middle(history, i, i), seconds(sums, 0.5), seconds(sums, 0.99));
            }
        }
        return build(chart, history);
    }

    private static double seconds(SiteSums sums, double share) {
        return Math.min(sums.maxNs(), Buckets.percentileNs(sums.buckets(), share)) / 1e9;
    }

    private static double lossPercent(IntervalSums step) {
        long useful = step.of(RankCount.FRAGMENTS_USEFUL);
        return useful == 0 ? 0 : 100.0 * step.of(RankCount.FRAGMENTS_LOST) / useful;
    }

    private static double worstPercent(IntervalSums step) {
        return step.ranks().values().stream().mapToDouble(it -> it.lossPercent()).max().orElse(0);
    }

    private static long middle(History history, int first, int last) {
        return history.from().getEpochSecond() + (first + last + 1) * history.stepSeconds() / 2;
    }

    private static LineChart build(LineChart.Builder chart, History history) {
        long from = history.from().getEpochSecond();
        return chart.build(from, from + history.steps().size() * history.stepSeconds());
    }
}
