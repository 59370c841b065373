package org.madcast.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.madcast.benchmarks.report.Measurement.Origin;

/** What computations hid of non-blocking calls ({@code madcast bench --mode overlap}). */
final class Overlaps {

    /**
     * A row of the result.
     *
     * @param aloneUs how long the call alone holds a rank up
     * @param heldUs how long it does with a computation of its length
     */
    record Overlap(
            String call,
            int ranks,
            int sizeBytes,
            String computing,
            double aloneUs,
            double heldUs,
            double hidden,
            Origin origin) {

        static Overlap of(Map<String, Object> row, Origin origin) {
            return new Overlap(
                    Json.string(row, "algorithm"),
                    (int) Json.number(row, "ranks"),
                    (int) Json.number(row, "sizeBytes"),
                    Json.string(row, "computing"),
                    Json.number(row, "aloneUs"),
                    Json.number(row, "heldUs"),
                    Json.number(row, "hidden"),
                    origin);
        }
    }

    private final List<Overlap> overlaps;

    Overlaps(List<Overlap> overlaps) {
        this.overlaps =
                overlaps.stream().sorted(Comparator.comparingInt(Overlap::sizeBytes)).toList();
    }

    boolean isEmpty() {
        return overlaps.isEmpty();
    }

    /** A row for each call, number of ranks and size. */
    String markdown() {
        StringBuilder text =
                new StringBuilder(
                        "| call | ranks | size | ranks compute or sleep | alone, ms | held up, ms |"
                                + " hidden |\n| --- | ---: | ---: | --- | ---: | ---: | ---: |\n");
        for (Overlap each : overlaps) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %d | %s | %s | %s | %s | %.0f %% |\n",
                            each.call(),
                            each.ranks(),
                            Run.size(each.sizeBytes()),
                            each.computing().equals("idle") ? "sleep" : "compute",
                            Run.milliseconds(each.aloneUs()),
                            Run.milliseconds(each.heldUs()),
                            100 * each.hidden()));
        }
        overlaps.stream()
                .map(Overlap::origin)
                .distinct()
                .forEach(origin -> text.append('\n').append(origin.line()).append('\n'));
        return text.toString();
    }

    /** Two lines for each call, by size: alone and overlapped. */
    LineChart chart() {
        List<Integer> sizes = overlaps.stream().map(Overlap::sizeBytes).distinct().toList();
        List<LineChart.Line> lines =
                overlaps.stream()
                        .map(Overlap::call)
                        .distinct()
                        .flatMap(call ->
                                Stream.of(line(call, false, sizes), line(call, true, sizes)))
                        .toList();
        return new LineChart(
                "How long a call holds a rank up, alone and during a computation",
                sizes.stream().map(Run::size).toList(),
                " ms",
                lines);
    }

    private LineChart.Line line(String call, boolean overlapped, List<Integer> sizes) {
        List<Optional<Double>> values =
                sizes.stream()
                        .map(size ->
                                overlaps.stream()
                                        .filter(it -> it.call().equals(call))
                                        .filter(it -> it.sizeBytes() == size)
                                        .map(it -> (overlapped ? it.heldUs() : it.aloneUs()) / 1e3)
                                        .findFirst())
                        .toList();
        return new LineChart.Line(call + (overlapped ? ", overlapped" : ""), overlapped, values);
    }
}
