package org.madcast.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.madcast.benchmarks.report.Measurement.Origin;

/** What the pages show between their marks, by the name in the mark, and the charts. */
final class Sections {

    private static final int LEAST_POINTS = 3;

    private final Results results;
    private final Map<String, String> charts = new LinkedHashMap<>();

    Sections(Results results) {
        this.results = results;
    }

    /** The charts that the sections refer to: file name and SVG. */
    Map<String, String> charts() {
        return charts;
    }

    /** The section of that name. */
    String section(String name) {
        if (name.startsWith("measured ")) {
            return area(name.substring("measured ".length()));
        }
        return switch (name) {
            case "bars" -> bars();
            case "broadcast runs" -> runs();
            case "broadcast summary" -> summary();
            case "comparison" -> comparison();
            case "applications" -> applications();
            case "overlap" -> overlap();
            case "collectives" -> new Collectives(results.collectives()).markdown();
            default -> throw new IllegalArgumentException("no section is called '" + name + "'");
        };
    }

    private String bars() {
        Map<String, List<Measurement>> areas =
                results.measurements().stream()
                        .filter(Measurement::hasBar)
                        .collect(Grouping.by(Measurement::area));
        List<Measurement> all = areas.values().stream().flatMap(List::stream).toList();
        long held = all.stream().filter(Measurement::held).count();
        StringBuilder text = new StringBuilder();
        text.append("**%d of %d bars are held.**\n".formatted(held, all.size()));
        areas.forEach((area, measurements) -> {
            text.append("\n## Bars: %s\n\n".formatted(area));
            text.append("| claim | measured | bar | | record | command |\n");
            text.append("| --- | --- | --- | --- | --- | --- |\n");
            measurements.forEach(each -> text.append(bar(each)));
        });
        return text.toString();
    }

    private static String bar(Measurement each) {
        Origin origin = each.origin();
        return "| %s: %s | %s | %s | %s | [%s](../benchmarks/results/%s) | %s |\n"
                .formatted(
                        each.claim(),
                        each.metric(),
                        each.measured(),
                        each.limit(),
                        each.verdict(),
                        origin.file(),
                        origin.file(),
                        origin.command().isEmpty() ? "" : "`" + origin.command() + "`");
    }

    private String area(String area) {
        Map<Origin, List<Measurement>> groups =
                results.measurements().stream()
                        .filter(it -> it.area().equals(area))
                        .collect(Grouping.by(Measurement::origin));
        StringBuilder text = new StringBuilder();
        groups.forEach((origin, group) -> {
            text.append(text.isEmpty() ? "" : "\n").append(origin.line()).append("\n\n");
            text.append("| what | metric | measured | bar | | remark |\n");
            text.append("| --- | --- | --- | --- | --- | --- |\n");
            for (Measurement each : group) {
                text.append(
                        "| %s | %s | %s | %s | %s | %s |\n"
                                .formatted(
                                        each.claim(),
                                        each.metric(),
                                        each.measured(),
                                        each.limit(),
                                        each.verdict(),
                                        each.note()));
            }
        });
        return text.toString();
    }

    private String runs() {
        StringBuilder text = new StringBuilder();
        bySize().forEach((setting, runs) -> {
            text.append(text.isEmpty() ? "" : "\n");
            text.append("**%s**\n\n".formatted(setting));
            text.append(
                    "| message | algorithm | median ms | p95 | floor | times the floor |"
                            + " p99 of repairs |\n");
            text.append("| ---: | --- | ---: | ---: | ---: | ---: | ---: |\n");
            for (Run run : runs) {
                text.append(
                        "| %s | `%s` | %s | %s | %s | %s | %s |\n"
                                .formatted(
                                        Run.size(run.sizeBytes()),
                                        run.variant(),
                                        Run.milliseconds(run.lastUs()),
                                        Run.milliseconds(run.p95Us()),
                                        Run.milliseconds(run.floorUs()),
                                        ratio(run),
                                        run.repairP99Us() > 0
                                                ? Run.milliseconds(run.repairP99Us())
                                                : "-"));
            }
            runs.stream()
                    .map(Run::origin)
                    .distinct()
                    .forEach(origin -> text.append('\n').append(origin.line()).append('\n'));
        });
        trends(text);
        return text.toString();
    }

    private static String ratio(Run run) {
        return Double.isNaN(run.floorUs())
                ? "-"
                : String.format(Locale.ROOT, "%.2f", run.timesFloor());
    }

    private Map<String, List<Run>> bySize() {
        return results.latest().stream().collect(Grouping.by(Run::setting));
    }

    private void trends(StringBuilder text) {
        trend(text, "size", Run::setting, run -> Run.size(run.sizeBytes()));
        trend(
                text,
                "ranks",
                run ->
                        Run.size(run.sizeBytes())
                                + ", "
                                + run.rate()
                                + " a link, loss "
                                + Measurement.format(run.lossPercent())
                                + " %",
                run -> run.ranks() + " hosts");
        trend(
                text,
                "loss",
                run -> Run.size(run.sizeBytes()) + ", " + run.ranks() + " hosts, " + run.rate(),
                run -> Measurement.format(run.lossPercent()) + " %");
    }

    /** A chart for each group of runs in which one thing changes. */
    private void trend(
            StringBuilder text,
            String what,
            Function<Run, String> group,
            Function<Run, String> position) {
        Map<String, List<Run>> groups =
                results.latest().stream().sorted(Sections::bySettings).collect(Grouping.by(group));
        int number = 0;
        for (Map.Entry<String, List<Run>> each : groups.entrySet()) {
            List<String> positions = each.getValue().stream().map(position).distinct().toList();
            if (positions.size() >= LEAST_POINTS) {
                number++;
                String file = "measured-%s%s.svg".formatted(what, number > 1 ? "-" + number : "");
                String title = "Last receiver's time by " + what + ": " + each.getKey();
                charts.put(
                        file,
                        new LineChart(
                                        title,
                                        positions,
                                        " ms",
                                        lines(each.getValue(), positions, position))
                                .svg());
                text.append("\n![%s](../images/%s)\n".formatted(title, file));
            }
        }
    }

    private static int bySettings(Run a, Run b) {
        int size = Integer.compare(a.sizeBytes(), b.sizeBytes());
        int ranks = Integer.compare(a.ranks(), b.ranks());
        return size != 0
                ? size
                : ranks != 0 ? ranks : Double.compare(a.lossPercent(), b.lossPercent());
    }

    private static List<LineChart.Line> lines(
            List<Run> runs, List<String> positions, Function<Run, String> position) {
        List<LineChart.Line> lines =
                new ArrayList<>(
                        runs.stream()
                                .map(Run::variant)
                                .distinct()
                                .map(name ->
                                        line(
                                                name,
                                                true,
                                                runs.stream()
                                                        .filter(it -> it.variant().equals(name))
                                                        .toList(),
                                                positions,
                                                position))
                                .toList());
        List<Run> floors = runs.stream().map(Run::floor).filter(it -> it.lastUs() > 0).toList();
        if (!floors.isEmpty()) {
            lines.add(line("bare multicast", false, floors, positions, position));
        }
        return lines;
    }

    private static LineChart.Line line(
            String name,
            boolean thick,
            List<Run> runs,
            List<String> positions,
            Function<Run, String> position) {
        return new LineChart.Line(
                name,
                thick,
                positions.stream()
                        .map(at ->
                                runs.stream()
                                        .filter(it -> position.apply(it).equals(at))
                                        .map(it -> it.lastUs() / 1e3)
                                        .min(Double::compare))
                        .toList());
    }

    /** For the first page: one algorithm, the setting that has most sizes. */
    private String summary() {
        List<Run> runs =
                bySize().values().stream()
                        .map(list ->
                                list.stream().filter(it -> it.variant().equals("once")).toList())
                        .max(Comparator.comparingInt(List::size))
                        .orElse(List.of());
        StringBuilder text = new StringBuilder("| message | Madcast | floor | ratio |\n");
        text.append("| ---: | ---: | ---: | ---: |\n");
        for (Run run : runs) {
            text.append(
                    "| %s | %s ms | %s ms | %s |\n"
                            .formatted(
                                    Run.size(run.sizeBytes()),
                                    Run.milliseconds(run.lastUs()),
                                    Run.milliseconds(run.floorUs()),
                                    ratio(run)));
        }
        return text.toString();
    }

    private String applications() {
        Applications applications = new Applications(results.measurements());
        if (applications.isEmpty()) {
            return "Not measured.\n";
        }
        charts.put("applications.svg", applications.chart());
        return "![Time of each application, blocking and overlapped](../images/applications.svg)\n";
    }

    private String overlap() {
        Overlaps overlaps = new Overlaps(results.overlaps());
        if (overlaps.isEmpty()) {
            return "Not measured.\n";
        }
        charts.put("overlap.svg", overlaps.chart().svg());
        return "![Time that calls hold ranks up, by size](../images/overlap.svg)\n\n"
                + overlaps.markdown();
    }

    private String comparison() {
        if (results.comparison().isEmpty()) {
            return "Not measured.\n";
        }
        Comparison comparison = new Comparison(results.comparison());
        charts.put("comparison.svg", comparison.chart().svg());
        return "![The last receiver's time divided by that of bare multicast](images/comparison.svg)\n\n"
                + new ComparisonTable(comparison).markdown();
    }
}
