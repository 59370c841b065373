package org.madcast.allocator.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.madcast.allocator.web.page.Grid;
import org.madcast.allocator.web.page.Show;

/**
 * How early and late ranks call against the root (process skew), and where the time of a broadcast
 * goes. Both are of all reports since the communicator was made.
 */
final class Phases {

    private static final long[] LIMITS_NS = {
        100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
    };
    private static final List<String> NAMES =
            List.of("< 0.1 ms", "< 1 ms", "< 10 ms", "< 100 ms", "< 1 s", "≥ 1 s");

    private Phases() {}

    /** The table of the process skew; null when no rank reported when it called. */
    public record Skew(List<String> early, List<String> late, List<Row> rows) {}

    /**
     * A site's line of it.
     *
     * @param cells which part of the receivers' calls was so much before, then after the root's
     */
    public record Row(String site, String calls, List<Cell> cells, String before, String after) {}

    /** A share: a shade from 0 to {@link Grid#SHADES}, and its text. */
    public record Cell(int shade, String text) {}

    /** Where the time of a site's broadcasts goes, on the mean over all ranks. */
    public record Split(String site, String mean, List<Part> parts) {}

    /** A part of that time. */
    public record Part(String kind, String name, String text, double percent) {}

    static Skew skew(IntervalSums total) {
        List<Row> rows = new ArrayList<>();
        sites(total)
                .forEach((site, sums) -> {
                    long calls = sum(sums.early()) + sum(sums.late());
                    if (calls > 0) {
                        rows.add(row(site, calls, sums));
                    }
                });
        return new Skew(NAMES.reversed(), NAMES, rows);
    }

    private static Row row(String site, long calls, SiteSums sums) {
        List<Cell> cells = new ArrayList<>(cells(sums.early(), calls).reversed());
        cells.addAll(cells(sums.late(), calls));
        return new Row(
                SiteNames.of(site),
                Show.count(calls),
                cells,
                percentiles(sums.early()),
                percentiles(sums.late()));
    }

    private static String percentiles(SortedMap<Integer, Long> counts) {
        return counts.isEmpty()
                ? "–"
                : Show.nanos(Buckets.percentileNs(counts, 0.5))
                        + " / "
                        + Show.nanos(Buckets.percentileNs(counts, 0.99));
    }

    private static List<Cell> cells(SortedMap<Integer, Long> counts, long calls) {
        long[] sums = new long[NAMES.size()];
        counts.forEach((bucket, many) -> {
            int column = 0;
            while (column < LIMITS_NS.length && Buckets.upperNs(bucket) >= LIMITS_NS[column]) {
                column++;
            }
            sums[column] += many;
        });
        return Arrays.stream(sums).mapToObj(it -> cell(it, calls)).toList();
    }

    private static Cell cell(long many, long calls) {
        double share = (double) many / calls;
        return many == 0
                ? new Cell(0, "")
                : new Cell(
                        Math.clamp((int) Math.ceil(share * Grid.SHADES), 1, Grid.SHADES),
                        Show.percent(Math.max(0.01, Math.rint(1000 * share) / 10)));
    }

    static List<Split> splits(IntervalSums total) {
        List<Split> splits = new ArrayList<>();
        sites(total)
                .forEach((site, sums) -> {
                    if (sums.count() > 0 && sum(sums.early()) + sum(sums.late()) > 0) {
                        splits.add(split(site, sums));
                    }
                });
        return splits;
    }

    private static Split split(String site, SiteSums sums) {
        SiteTimes times = SiteTimes.of(sums);
        SiteTimes.Phases phases = times.phases();
        long mean = times.duration().meanNs();
        return new Split(
                SiteNames.of(site),
                Show.nanos(mean),
                List.of(
                        part("waiting", "waiting for the root", phases.waitNs(), mean),
                        part("transfer", "data on its way", phases.transferNs(), mean),
                        part("repairs", "repairs", phases.repairNs(), mean)));
    }

    private static Part part(String kind, String name, long ns, long mean) {
        return new Part(
                kind, name, ns == 0 ? "none" : Show.nanos(ns), mean == 0 ? 0 : 100.0 * ns / mean);
    }

    private static long sum(SortedMap<Integer, Long> counts) {
        return counts.values().stream().reduce(0L, (a, b) -> Math.min(Long.MAX_VALUE >> 2, a + b));
    }

    /** All algorithms of a site together, the smaller sites first. */
    private static Map<String, SiteSums> sites(IntervalSums total) {
        Map<String, SiteSums> sites = new TreeMap<>(SiteNames.BY_SIZE);
        total.sites()
                .forEach((key, sums) ->
                        sites.computeIfAbsent(key.site(), _ -> new SiteSums()).add(sums));
        return sites;
    }
}
