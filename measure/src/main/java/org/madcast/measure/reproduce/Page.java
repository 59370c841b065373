package org.madcast.measure.reproduce;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.terminal.Wrapped;

/** {@code docs/REPRODUCTION.md}, of what the figures have found. */
final class Page {

    private static final int COLUMNS = 100;

    private static final Map<String, String> SEEDS =
            Map.of(
                    "000",
                            "Siebert: Efficient broadcast for multicast-capable interconnection networks",
                    "001",
                            "Patarasuk, Yuan, Faraj: Techniques for pipelined broadcast on Ethernet switched clusters",
                    "002",
                            "Brim, Sommers: Efficient MPI broadcast communication and file distribution",
                    "003",
                            "Yu and others: High performance broadcast support in LA-MPI over Quadrics",
                    "004",
                            "Hoefler: Principles for coordinated optimization of computation and communication");

    private final Map<String, Result> results;

    /** For the results of the figures of these names. */
    Page(Map<String, Result> results) {
        this.results = results;
    }

    /** Markdown; figures without a result are only named. */
    String text() {
        StringBuilder page = new StringBuilder();
        page.append(
                """
                # The papers' figures

                `madcast reproduce` writes this page. It runs the figures of the papers with the engines that
                ship, in the simulator ([SIMULATION](SIMULATION.md)): the clusters of the papers are not
                here. *Published* is the paper's number, *here* the simulated one (measured where the title
                says so), *factor* the second over the first. *reached*: at least as good as published;
                *near*: within a quarter; *less* or *more*: neither. Where there is no word the networks differ too
                much for one.

                    madcast reproduce                 the list
                    madcast reproduce 000-18          one figure
                    madcast reproduce all --results benchmarks/results/reproduction --docs docs

                Not reproduced: Abinit (seed 000, table 3), HPL as a program, of which the computation is a
                time here, and the applications of seed 004. An LU factorisation in the shape of HPL runs on the
                lab's hosts: `madcast example lu` ([EXAMPLES](EXAMPLES.md)).
                """);
        String seed = "";
        for (Figure figure : Figures.all()) {
            if (!figure.seed().equals(seed)) {
                seed = figure.seed();
                page.append("\n## Seed ").append(seed).append("\n\n");
                page.append(SEEDS.get(seed)).append(".\n");
            }
            figure(page, figure, results.get(figure.name()));
        }
        return page.toString();
    }

    private static void figure(StringBuilder page, Figure figure, @Nullable Result result) {
        page.append("\n### ").append(figure.name()).append(": ").append(figure.title());
        page.append("\n\n").append(paragraph("Network: " + figure.network() + ".")).append("\n\n");
        if (result == null) {
            page.append("Not run yet.\n");
            return;
        }
        page.append("| | published | here | factor | |\n| --- | --- | --- | --- | --- |\n");
        for (Point point : result.points()) {
            boolean known = !Double.isNaN(point.published());
            page.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %s | %s | %s | %s |%n",
                            point.what(),
                            known ? Result.number(point.published(), point.unit()) : "",
                            Result.number(point.found(), point.unit()),
                            known ? Result.number(point.found() / point.published(), "") : "",
                            point.verdict()));
        }
        page.append('\n').append(paragraph(figure.why())).append('\n');
        if (!result.series().isEmpty()) {
            page.append("\n![").append(figure.title()).append("](images/").append(picture(figure));
            page.append(")\n");
        }
    }

    private static String paragraph(String text) {
        return String.join("\n", Wrapped.lines(text, COLUMNS));
    }

    /** The name of a figure's chart. */
    static String picture(Figure figure) {
        return "reproduce-" + figure.name() + ".svg";
    }

    /** Names of figures that have a result but are not known any more. */
    List<String> unknown() {
        return results.keySet().stream()
                .filter(name -> Figures.all().stream().noneMatch(it -> it.name().equals(name)))
                .toList();
    }
}
