package org.madcast.allocator.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleToIntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.madcast.allocator.web.page.Grid;
import org.madcast.allocator.web.page.Show;

/** Pictures of a communicator's history. */
final class HeatMaps {

    private static final int MOST_ROWS = 64;

    /** As often as ranks report, in seconds. */
    private static final long SHORTEST_STEP = 5;

    private static final double[] LOSS_STEPS = {0.01, 0.1, 1, 3, 10, 30};

    private static final List<String> LOSS_SHADES =
            List.of(
                    "< 0.01 %",
                    "0.01 to 0.1 %", "0.1 to 1 %", "1 to 3 %", "3 to 10 %", "10 to 30 %", "≥ 30 %");
    private static final List<String> SHARE_SHADES =
            List.of("none", "≤ 13 %", "≤ 25 %", "≤ 38 %", "≤ 50 %", "≤ 63 %", "> 63 %");

    private HeatMaps() {}

    /**
     * A picture with its legend.
     *
     * @param title what it is of
     * @param svg the picture
     * @param rows labels of its rows, evenly spaced from the first to the last
     * @param log whether the rows are in a logarithmic scale
     * @param times evenly spaced from when it begins to its end
     * @param shades what its shades mean
     */
    public record Map2d(
            String title,
            String kind,
            String svg,
            List<String> rows,
            boolean log,
            List<String> times,
            List<Shade> shades) {}

    /** A line of a legend: a class for the style, and words. */
    public record Shade(String style, String text) {}

    /** Losses and durations of the ranks, then the durations of each site. */
    static List<Map2d> all(History reported, IntervalSums total, int size) {
        History history = bridged(reported);
        List<Map2d> maps = new ArrayList<>(List.of(loss(history, size), durations(history, size)));
        maps.addAll(sites(history, total));
        return maps;
    }

    /** A report that came a moment too late for its step leaves no hole. */
    private static History bridged(History history) {
        List<IntervalSums> steps = new ArrayList<>(history.steps());
        for (int i = 1; i + 1 < steps.size() && history.stepSeconds() <= SHORTEST_STEP; i++) {
            if (steps.get(i).ranks().isEmpty() && !steps.get(i + 1).ranks().isEmpty()) {
                steps.set(i, history.steps().get(i - 1));
            }
        }
        return new History(history.from(), history.stepSeconds(), steps);
    }

    /** Those of the shades that are painted, the first from 0 on. */
    static List<Shade> legend(List<String> texts, int first) {
        return IntStream.range(first, texts.size())
                .mapToObj(it -> new Shade("s" + it, texts.get(it)))
                .toList();
    }

    /** How much each rank lost. */
    static Map2d loss(History history, int size) {
        return ranks(
                history,
                size,
                "loss",
                "Fragments lost by each rank",
                it -> it.lossPercent(),
                new Shades(LOSS_SHADES, HeatMaps::lossShade));
    }

    /** How long each rank's broadcasts took against the longest mean. */
    static Map2d durations(History history, int size) {
        double longest = 0;
        for (IntervalSums step : history.steps()) {
            for (RankSums rank : step.ranks().values()) {
                longest = Math.max(longest, meanNs(rank));
            }
        }
        double full = longest;
        return ranks(
                history,
                size,
                "duration",
                "Mean duration of each rank's broadcasts",
                HeatMaps::meanNs,
                new Shades(
                        durationShades(full),
                        it -> it <= 0 ? -1 : 1 + (int) Math.min(5, 6 * it / full)));
    }

    /** Which shade a value has, and what each of them means. */
    private record Shades(List<String> texts, DoubleToIntFunction of) {}

    private static List<String> durationShades(double longestNs) {
        List<String> texts = new ArrayList<>(List.of("none"));
        for (int shade = 1; shade <= Grid.SHADES; shade++) {
            texts.add("≤ " + Show.nanos((long) (longestNs * shade / Grid.SHADES)));
        }
        return texts;
    }

    private static Map2d ranks(
            History history,
            int size,
            String kind,
            String title,
            ToDoubleFunction<RankSums> value,
            Shades shades) {
        int together = (size + MOST_ROWS - 1) / MOST_ROWS;
        int rows = (size + together - 1) / together;
        Grid grid = new Grid(history.steps().size(), rows);
        for (int column = 0; column < history.steps().size(); column++) {
            Map<Integer, Double> worst = new TreeMap<>();
            history.steps()
                    .get(column)
                    .ranks()
                    .forEach((rank, sums) ->
                            worst.merge(rank / together, value.applyAsDouble(sums), Math::max));
            for (Map.Entry<Integer, Double> cell : worst.entrySet()) {
                int painted = shades.of().applyAsInt(cell.getValue());
                if (painted >= 0 && cell.getKey() < rows) {
                    grid.paint(column, cell.getKey(), painted);
                }
            }
        }
        List<String> labels =
                size == 1 ? List.of("rank 0") : List.of("rank 0", "rank " + (size - 1));
        int faintest = kind.equals("loss") ? 0 : 1;
        List<String> names = rowNames(size, together);
        String svg = grid.svg(kind, title, scale(history, names, shades.texts()));
        return new Map2d(
                title, kind, svg, labels, false, times(history), legend(shades.texts(), faintest));
    }

    /** The names of rows, each of which stands for {@code together} ranks. */
    static List<String> rowNames(int size, int together) {
        List<String> names = new ArrayList<>();
        for (int first = 0; first < size; first += together) {
            int last = Math.min(size, first + together) - 1;
            names.add(first == last ? "rank " + first : "ranks " + first + " to " + last);
        }
        return names;
    }

    private static Grid.Scale scale(History history, List<String> rows, List<String> shades) {
        return new Grid.Scale(rows, shades, history.from().getEpochSecond(), history.stepSeconds());
    }

    private static double meanNs(RankSums rank) {
        return rank.durations() == 0 ? 0 : (double) rank.durationNs() / rank.durations();
    }

    private static int lossShade(double percent) {
        int shade = 0;
        while (shade < LOSS_STEPS.length && percent >= LOSS_STEPS[shade]) {
            shade++;
        }
        return shade;
    }

    /**
     * Histograms of all broadcasts of a site over time, a row for each half of a power of two.
     *
     * @param total which sites are distinguished
     */
    static List<Map2d> sites(History history, IntervalSums total) {
        SortedMap<String, List<SortedMap<Integer, Double>>> bySite =
                new TreeMap<>(SiteNames.BY_SIZE);
        int steps = history.steps().size();
        for (int column = 0; column < steps; column++) {
            for (var site : history.steps().get(column).sites().entrySet()) {
                List<SortedMap<Integer, Double>> columns =
                        bySite.computeIfAbsent(
                                total.placeOf(site.getKey()).site(), it -> emptyColumns(steps));
                SortedMap<Integer, Double> into = columns.get(column);
                addCoarse(into, site.getValue());
            }
        }
        List<Map2d> maps = new ArrayList<>();
        bySite.forEach((site, columns) -> maps.add(histogram(site, columns, history)));
        return maps;
    }

    private static List<SortedMap<Integer, Double>> emptyColumns(int steps) {
        List<SortedMap<Integer, Double>> columns = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            columns.add(new TreeMap<>());
        }
        return columns;
    }

    private static void addCoarse(SortedMap<Integer, Double> into, SiteSums sums) {
        sums.buckets()
                .forEach(
                        (bucket, many) -> into.merge((bucket + 3) / 4, (double) many, Double::sum));
    }

    private static Map2d histogram(
            String site, List<SortedMap<Integer, Double>> columns, History history) {
        int lowest = Integer.MAX_VALUE;
        int highest = 0;
        for (SortedMap<Integer, Double> column : columns) {
            if (!column.isEmpty()) {
                lowest = Math.min(lowest, column.firstKey());
                highest = Math.max(highest, column.lastKey());
            }
        }
        Grid grid = new Grid(columns.size(), highest - lowest + 1);
        for (int i = 0; i < columns.size(); i++) {
            double all = columns.get(i).values().stream().mapToDouble(Double::doubleValue).sum();
            for (Map.Entry<Integer, Double> cell : columns.get(i).entrySet()) {
                double share = cell.getValue() / all;
                int shade = 1 + (int) Math.min(5, Math.ceil(share * 8) - 1);
                grid.paint(i, highest - cell.getKey(), shade);
            }
        }
        String title = "Broadcasts of " + SiteNames.of(site) + " by their duration";
        List<String> names = new ArrayList<>();
        for (int coarse = highest; coarse >= lowest; coarse--) {
            names.add("≤ " + upper(coarse));
        }
        List<String> rows =
                highest - lowest < 4
                        ? List.of(upper(highest), upper(lowest - 1))
                        : List.of(upper(highest), upper((highest + lowest) / 2), upper(lowest - 1));
        return new Map2d(
                title,
                "duration",
                grid.svg("duration", title, scale(history, names, SHARE_SHADES)),
                rows,
                true,
                times(history),
                legend(SHARE_SHADES, 1));
    }

    private static String upper(int coarse) {
        return Show.nanos(Buckets.upperNs(Math.clamp(4L * coarse, 0, Buckets.COUNT - 1)));
    }

    private static List<String> times(History history) {
        return Show.times(history.from(), history.stepSeconds() * history.steps().size());
    }
}
