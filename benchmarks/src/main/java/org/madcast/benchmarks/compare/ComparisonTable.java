package org.madcast.benchmarks.compare;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.madcast.agent.terminal.Units;
import org.madcast.benchmarks.compare.Comparison.Contender;

/** A comparison as tables in Markdown. */
final class ComparisonTable {

    private final Comparison comparison;

    ComparisonTable(Comparison comparison) {
        this.comparison = comparison;
    }

    /** Everything that was measured, then who is faster than who. */
    String markdown() {
        Result any = comparison.results().getFirst();
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "Last receiver's completion, in ms: median (95 %%); %d hosts, %s a"
                                + " link.%n%n",
                        any.ranks(),
                        any.rate()));
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
                "The bare network, multicast without any reliability, between the trials of each"
                        + " system: median in ms. What a system's idle threads cost the processors"
                        + " shows here.");
        text.append("\n\n");
        head(text, "beside");
        for (Contender floor : comparison.floors()) {
            row(
                    text,
                    floor.name(),
                    size -> floor.at(size).map(result -> milliseconds(result.lastUs())));
        }
    }

    private static String milliseconds(double us) {
        return String.format(Locale.ROOT, us < 10_000 ? "%.2f" : "%.1f", us / 1e3);
    }

    private void duel(StringBuilder text, Contender ours) {
        text.append(
                String.format(
                        Locale.ROOT,
                        "%nHow many times as long as %s others take (below 1: they are"
                                + " faster).%n%n",
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

    private static String ratio(Result theirs, Result ours) {
        double times = theirs.lastUs() / ours.lastUs();
        String number = String.format(Locale.ROOT, "%.2f", times);
        return (times < 1 ? "**" + number + "**" : number) + " (" + theirs.variant() + ")";
    }

    private static String cell(Result result) {
        String segment =
                result.variant().length() > result.algorithm().length()
                        ? " " + result.variant().substring(result.algorithm().length() + 1)
                        : "";
        return milliseconds(result.lastUs()) + " (" + milliseconds(result.p95Us()) + ")" + segment;
    }

    private void head(StringBuilder text, String first) {
        List<Integer> sizes = comparison.sizesBytes();
        text.append("| ").append(first);
        sizes.forEach(size -> text.append(" | ").append(Units.size(size)));
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
