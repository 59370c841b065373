package org.madcast.benchmarks.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code compare report}. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        header = "Make a table and a chart of results.",
        description = {
            "",
            "The files are what 'madcast bench --floor --json' and the other commands with --floor"
                    + " wrote; measure them in one session, since machines differ and drift. The table"
                    + " is Markdown, the chart SVG."
        })
final class ReportCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "JSON files.")
    private List<Path> files = List.of();

    @Option(names = "--chart", paramLabel = "FILE", description = "Where the chart goes.")
    private @Nullable Path chart;

    @Option(
            names = "--table",
            paramLabel = "FILE",
            description = "Where the table goes (default: it is printed).")
    private @Nullable Path table;

    @Override
    public Integer call() throws Exception {
        List<Result> results = Result.read(files);
        if (results.isEmpty()) {
            throw new CommandFailure(ExitCode.NO_INPUT, "the files hold no rows");
        }
        Comparison comparison = new Comparison(results);
        String markdown = new ComparisonTable(comparison).markdown();
        if (table != null) {
            Files.writeString(table, markdown);
        } else {
            spec.commandLine().getOut().print(markdown);
            spec.commandLine().getOut().flush();
        }
        if (chart != null) {
            Files.writeString(chart, new ComparisonChart(comparison).svg());
        }
        return ExitCode.OK.code();
    }
}
