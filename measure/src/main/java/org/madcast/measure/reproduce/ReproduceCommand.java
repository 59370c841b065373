package org.madcast.measure.reproduce;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Steps.Step;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Wrapped;
import org.madcast.simulator.SimulationFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast reproduce}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.RANK})
@Command(
        name = "reproduce",
        header = "Run the figures of the papers.",
        description = {
            "",
            "Each figure is run with the engines of the library on a simulated network like the paper's."
                    + " The published numbers are printed beside those found. Without a figure: the"
                    + " list of them. Interrupted, it prints what it has found so far."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast reproduce",
            "  madcast reproduce 000-18",
            "  madcast reproduce all --results benchmarks/results/reproduction --docs docs",
        })
public final class ReproduceCommand implements Callable<Integer> {

    private static final int COLUMNS = 80;
    private static final String EVERYTHING = "all";
    private static final String JSON = ".json";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FIGURE",
            arity = "0..*",
            description = "Such as 000-18, or all; the list says which there are.")
    private List<String> names = List.of();

    @Option(
            names = "--results",
            paramLabel = "DIRECTORY",
            description = "Also keep what each figure finds here, as JSON.")
    private @Nullable Path directory;

    @Option(
            names = "--docs",
            paramLabel = "DIRECTORY",
            description = {
                "Also write REPRODUCTION.md and its charts here, of all that --results has; without a"
                        + " figure only this is done."
            })
    private @Nullable Path docs;

    private final List<Figure> begun = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();

    /** How many of them were printed. */
    private int printed;

    @Override
    public Integer call() throws IOException {
        List<Figure> figures = figures();
        if (docs != null && directory == null) {
            throw new ParameterException(spec.commandLine(), "--docs needs --results");
        }
        requireDirectory(directory, "--results");
        requireDirectory(docs, "--docs");
        PrintWriter out = spec.commandLine().getOut();
        if (figures.isEmpty() && docs == null) {
            list(out);
        }
        try (Steps steps = Steps.on(spec.commandLine().getErr());
                Cleanup _ = Cleanup.atExit(() -> interrupted(steps))) {
            for (Figure figure : figures) {
                run(figure, steps);
            }
        } catch (SimulationFailure e) {
            throw new CommandFailure(ExitCode.RANK, String.valueOf(e.getMessage()), e);
        }
        if (docs != null && directory != null) {
            writeDocs(directory, docs);
        }
        out.flush();
        return ExitCode.OK.code();
    }

    private List<Figure> figures() {
        try {
            return names.contains(EVERYTHING)
                    ? Figures.all()
                    : names.stream().map(Figures::of).distinct().toList();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static void requireDirectory(@Nullable Path path, String option) {
        if (path != null && !(Files.isDirectory(path) && Files.isWritable(path))) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    path + " is no directory that can be written to; name one with " + option);
        }
    }

    private static void list(PrintWriter out) {
        Table table = new Table("figure", "what it shows");
        Figures.all().forEach(it -> table.row(it.name(), it.title()));
        table.print(out);
    }

    private void run(Figure figure, Steps steps) throws IOException {
        Step step = steps.begin(figure.name());
        Finding finding = new Finding(step::progress);
        synchronized (findings) {
            begun.add(figure);
            findings.add(finding);
        }
        try {
            figure.run().run(finding);
            step.done(figure.name() + ": " + figure.title());
        } finally {
            step.abandon();
        }
        printRest();
        if (directory != null) {
            Files.writeString(
                    directory.resolve(figure.name() + JSON),
                    Result.of(figure, finding).json() + "\n");
        }
    }

    /** What has been found and not been printed. */
    private void printRest() {
        synchronized (findings) {
            PrintWriter out = spec.commandLine().getOut();
            for (; printed < findings.size(); printed++) {
                Figure figure = begun.get(printed);
                Result result = Result.of(figure, findings.get(printed));
                if (result.points().isEmpty()) {
                    continue; // interrupted before it found anything
                }
                out.println();
                out.println(figure.name() + ": " + figure.title());
                Wrapped.lines(figure.network(), COLUMNS).forEach(out::println);
                out.println();
                result.table().print(out);
                out.println();
                Wrapped.lines(figure.why(), COLUMNS).forEach(out::println);
            }
            out.flush();
        }
    }

    private void interrupted(Steps steps) {
        steps.say("madcast: interrupted; this is found so far");
        steps.close();
        printRest();
    }

    private void writeDocs(Path results, Path into) throws IOException {
        TreeMap<String, Result> known = new TreeMap<>();
        try (Stream<Path> files = Files.list(results)) {
            for (Path file : files.filter(it -> it.toString().endsWith(JSON)).sorted().toList()) {
                try {
                    Result result = Result.parse(Files.readString(file));
                    known.put(result.name(), result);
                } catch (IllegalArgumentException e) {
                    throw new CommandFailure(ExitCode.NO_INPUT, file + ": " + e.getMessage(), e);
                }
            }
        }
        Page page = new Page(known);
        page.unknown()
                .forEach(it ->
                        spec.commandLine()
                                .getErr()
                                .println("madcast: no figure " + it + "; left out"));
        Files.writeString(into.resolve("REPRODUCTION.md"), page.text());
        Path images = Files.createDirectories(into.resolve("images"));
        for (Figure figure : Figures.all()) {
            Result result = known.get(figure.name());
            if (result != null && !result.series().isEmpty()) {
                Files.writeString(
                        images.resolve(Page.picture(figure)), new Chart(figure, result).svg());
            }
        }
    }
}
