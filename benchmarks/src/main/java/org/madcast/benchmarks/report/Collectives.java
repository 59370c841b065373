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
        return run.system().equals("openmpi") && isSameCall(run, ours);
    }

    private static boolean isSameCall(Run run, Run ours) {
        return run.algorithm().equals(ours.variant())
                && run.sizeBytes() == ours.sizeBytes()
                && run.calls() == ours.calls()
                && run.setting().equals(ours.setting());
    }

    /** The same call through module mpi. */
    static Optional<Run> byModule(List<Run> runs, Run ours) {
        return runs.stream()
                .filter(run -> run.system().equals("madcast-mpi") && isSameCall(run, ours))
                .findFirst();
    }

    /** A table for each setting: times, also by module mpi, Open MPI's own choice, and its best. */
    String markdown() {
        Map<String, List<Run>> settings =
                runs.stream().filter(Run::isOurs).collect(Grouping.by(Collectives::title));
        StringBuilder text = new StringBuilder();
        settings.forEach((title, ours) -> {
            text.append(text.isEmpty() ? "" : "\n").append("**").append(title).append("**\n\n");
            text.append(
                    "| call | size | Madcast | 95 % | by `mpi` | Open MPI's choice | its best |");
            text.append(" | Madcast / best |\n");
            text.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |\n");
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
        return "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n"
                .formatted(
                        ours.variant(),
                        ours.variant().equals("barrier") ? "" : Run.size(ours.sizeBytes()),
                        Run.milliseconds(ours.lastUs()),
                        Run.milliseconds(ours.p95Us()),
                        milliseconds(byModule(runs, ours)),
                        milliseconds(own),
                        milliseconds(best),
                        best.map(Collectives::algorithm).orElse("-"),
                        best.map(run ->
                                        String.format(
                                                Locale.ROOT, "%.2f", ours.lastUs() / run.lastUs()))
                                .orElse("-"));
    }

    private static String milliseconds(Optional<Run> run) {
        return run.map(it -> Run.milliseconds(it.lastUs())).orElse("-");
    }

    private static String algorithm(Run run) {
        return run.variant().length() > run.algorithm().length()
                ? run.variant().substring(run.algorithm().length() + 1)
                : "its choice";
    }
}
