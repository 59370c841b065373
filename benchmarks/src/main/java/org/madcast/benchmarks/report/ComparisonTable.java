package org.madcast.benchmarks.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.madcast.benchmarks.report.Comparison.Contender;

/** A comparison as tables in Markdown. */
final class ComparisonTable {

    private final Comparison comparison;

    ComparisonTable(Comparison comparison) {
        this.comparison = comparison;
    }

    /** All times, those of the bare network, and the ratios to each algorithm of Madcast. */
    String markdown() {
        Run any = comparison.results().getFirst();
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "The last receiver's time in ms: median (95 %%); %s.%n%n",
                        any.setting()));
        head(text, "system, algorithm");
        for (Contender line : comparison.lines()) {
            row(text, line.name(), size -> line.at(size).map(ComparisonTable::cell));
        }
        floors(text);
        for (Contender ours : comparison.contenders()) {
            if (ours.candidates().getFirst().isOurs()) {
                duel(text, ours);
            }
        }
        return text.toString();
    }

    private void floors(StringBuilder text) {
        text.append('\n');
        text.append(
                "Bare multicast without any reliability, measured between the trials of each system:"
                        + " median in ms. The processor time of a system's idle threads shows here.");
        text.append("\n\n");
        head(text, "beside");
        for (Contender floor : comparison.floors()) {
            row(
                    text,
                    floor.name(),
                    size -> floor.at(size).map(result -> Run.milliseconds(result.lastUs())));
        }
    }

    private void duel(StringBuilder text, Contender ours) {
        text.append(
                String.format(
                        Locale.ROOT,
                        "%nTime of the others divided by that of %s; below 1 (bold) they are"
                                + " faster.%n%n",
                        ours.name()));
        head(text, "system");
        for (Contender other : comparison.contenders()) {
            if (!other.candidates().getFirst().isOurs()) {
                row(
                        text,
                        other.name(),
                        size ->
                                other.at(size)
                                        .flatMap(theirs ->
                                                ours.at(size).map(own -> ratio(theirs, own))));
            }
        }
    }

    private static String ratio(Run theirs, Run ours) {
        double times = theirs.lastUs() / ours.lastUs();
        String number = String.format(Locale.ROOT, "%.2f", times);
        return (times < 1 ? "**" + number + "**" : number) + " (" + theirs.variant() + ")";
    }

    private static String cell(Run result) {
        String segment =
                result.variant().length() > result.algorithm().length()
                        ? " " + result.variant().substring(result.algorithm().length() + 1)
                        : "";
        return Run.milliseconds(result.lastUs())
                + " ("
                + Run.milliseconds(result.p95Us())
                + ")"
                + segment;
    }

    private void head(StringBuilder text, String first) {
        List<Integer> sizes = comparison.sizesBytes();
        text.append("| ").append(first);
        sizes.forEach(size -> text.append(" | ").append(Run.size(size)));
        text.append(" |\n|").append(" --- |".repeat(sizes.size() + 1)).append('\n');
    }

    private void row(StringBuilder text, String name, IntFunction<Optional<String>> cells) {
        String joined =
                comparison.sizesBytes().stream()
                        .map(size -> cells.apply(size).orElse("-"))
                        .collect(Collectors.joining(" | "));
        text.append("| ").append(name).append(" | ").append(joined).append(" |\n");
    }
}
