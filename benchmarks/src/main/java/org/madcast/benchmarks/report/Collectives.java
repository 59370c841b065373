package org.madcast.benchmarks.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Collective calls and messages of Madcast beside Open MPI's, as tables in Markdown. */
final class Collectives {

    private final List<Run> runs;

    Collectives(List<Run> runs) {
        this.runs = runs;
    }

    /** Open MPI's quickest algorithm for what a run of Madcast did. */
    static Optional<Run> best(List<Run> runs, Run ours) {
        return runs.stream()
                .filter(run -> isRival(run, ours))
                .min(Comparator.comparingDouble(Run::lastUs));
    }

    private static boolean isRival(Run run, Run ours) {
        return !run.isOurs()
                && run.algorithm().equals(ours.variant())
                && run.sizeBytes() == ours.sizeBytes()
                && run.calls() == ours.calls()
                && run.setting().equals(ours.setting());
    }

    /** A table for each setting: times, Open MPI's own choice, and its best. */
    String markdown() {
        Map<String, List<Run>> settings =
                runs.stream().filter(Run::isOurs).collect(Grouping.by(Collectives::title));
        StringBuilder text = new StringBuilder();
        settings.forEach((title, ours) -> {
            text.append(text.isEmpty() ? "" : "\n").append("**").append(title).append("**\n\n");
            text.append("| call | size | Madcast | 95 % | Open MPI's choice | its best | |");
            text.append(" Madcast / best |\n");
            text.append("| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n");
            ours.forEach(run -> text.append(line(run)));
        });
        runs.stream()
                .map(Run::origin)
                .distinct()
                .forEach(origin -> text.append('\n').append(origin.line()).append('\n'));
        return text.toString();
    }

    private static String title(Run run) {
        return run.setting()
                + (run.calls() == 1
                        ? "; each call alone, ms"
                        : "; the mean of %d calls one behind the other, ms".formatted(run.calls()));
    }

    private String line(Run ours) {
        Optional<Run> best = best(runs, ours);
        Optional<Run> own =
                runs.stream()
                        .filter(run -> isRival(run, ours) && run.variant().equals(ours.variant()))
                        .findFirst();
        return "| %s | %s | %s | %s | %s | %s | %s | %s |\n"
                .formatted(
                        ours.variant(),
                        ours.variant().equals("barrier") ? "" : Run.size(ours.sizeBytes()),
                        Run.milliseconds(ours.lastUs()),
                        Run.milliseconds(ours.p95Us()),
                        own.map(run -> Run.milliseconds(run.lastUs())).orElse("-"),
                        best.map(run -> Run.milliseconds(run.lastUs())).orElse("-"),
                        best.map(Collectives::algorithm).orElse("-"),
                        best.map(run ->
                                        String.format(
                                                Locale.ROOT, "%.2f", ours.lastUs() / run.lastUs()))
                                .orElse("-"));
    }

    private static String algorithm(Run run) {
        return run.variant().length() > run.algorithm().length()
                ? run.variant().substring(run.algorithm().length() + 1)
                : "its choice";
    }
}
