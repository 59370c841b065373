package org.madcast.agent.example;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.process.Installation;
import org.madcast.agent.terminal.ResultFile;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Table;
import org.madcast.lab.LinkRate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast example}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.LAB, ExitCode.RANK})
@Command(
        name = "example",
        header = "Run an application blocking and overlapped, and compare.",
        description = {
            "",
            "Without NAME it lists the applications. Each is a source file in examples/applications,"
                    + " which is compiled and started on the hosts of a lab. It computes its problem on"
                    + " one rank, then on all of them with blocking calls, and again with communication"
                    + " that is overlapped with computing. Wrong results are an error.",
            "All ranks share the processors of this machine, and so does the lab's network."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast example",
            "  madcast example cg",
            "  madcast example cg --hosts 8 --rate 1gbit --size 200",
            "  madcast example cg --no-lab --size 48"
        })
public final class ExampleCommand implements Callable<Integer> {

    /** Of a link, unless another one is asked for. */
    static final String RATE = "100mbit";

    private static final int MOST_HOSTS = 64;
    private static final int MOST_RANKS = 256;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            description = "The application; without one, all are listed.")
    private @Nullable String name;

    @Option(
            names = "--hosts",
            paramLabel = "N",
            description = "How many hosts, 1 to " + MOST_HOSTS + " (default as listed).")
    @Range(from = 1, to = MOST_HOSTS)
    private @Nullable Integer hosts;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "How many ranks (default one on each host), 1 to " + MOST_RANKS + ".")
    @Range(from = 1, to = MOST_RANKS)
    private @Nullable Integer ranks;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = RATE,
            description = "The rate of a link, such as 1gbit, or none (default ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--size",
            paramLabel = "N",
            description = "The size of the problem; what it counts differs, see the list.")
    private @Nullable Integer size;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description =
                    "The text whose words wordcount counts, or a directory of texts (default docs).")
    private @Nullable Path input;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "How often each form is timed, after one untimed run; the median counts (default"
                            + " ${DEFAULT-VALUE}).")
    @Range(from = 1, to = 100)
    private int repeat;

    @Option(
            names = "--launches",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "How often all ranks are started anew; the one whose overlap hides the median"
                            + " counts (default ${DEFAULT-VALUE}).")
    @Range(from = 1, to = 100)
    private int launches;

    @Option(
            names = "--no-lab",
            description = "Use this machine's loopback interface instead of a lab.")
    private boolean noLab;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Also write the result to this file, as a record for benchmarks/results.")
    private @Nullable Path json;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            list(out);
            return ExitCode.OK.code();
        }
        String wanted = name;
        ExampleOptions options = Arguments.read(spec, () -> options(wanted));
        ResultFile.requireWritable(json, "--json");
        List<ExampleResult> results = new ArrayList<>();
        try (Steps steps = Steps.on(spec.commandLine().getErr())) {
            for (int i = 0; i < launches; i++) {
                results.add(new ExampleRun(options, steps).run());
            }
        }
        ExampleResult.median(results).lines().forEach(out::println);
        out.flush();
        if (json != null) {
            Files.writeString(json, ExampleResult.json(results) + "\n");
        }
        return ExitCode.OK.code();
    }

    private static void list(PrintWriter out) {
        Table table = new Table("NAME", "HOSTS", "SIZE", "PROGRAM");
        for (Application each : Application.values()) {
            table.row(each.label(), each.hosts(), each.size() + " " + each.sizeOf(), each.title());
        }
        table.print(out);
        out.println();
        out.println("Run one: madcast example " + Application.CG.label());
        out.flush();
    }

    private ExampleOptions options(String wanted) {
        Application application = Application.of(wanted);
        int wantedHosts = hosts != null ? hosts : application.hosts();
        int wantedRanks = ranks != null ? ranks : wantedHosts;
        int wantedSize = size != null ? size : application.size();
        List<String> arguments = new ArrayList<>();
        arguments.add("size=" + wantedSize);
        arguments.add("repeat=" + repeat);
        text(application).ifPresent(text -> arguments.add("input=" + text));
        return new ExampleOptions(
                application,
                wantedHosts,
                wantedRanks,
                LinkRate.parseLimit(rate),
                wantedSize,
                !noLab,
                arguments);
    }

    /** The text for an application that reads one: by default, that of the documentation. */
    private Optional<Path> text(Application application) {
        if (application != Application.WORDCOUNT) {
            if (input != null) {
                throw new IllegalArgumentException("--input is for wordcount only");
            }
            return Optional.empty();
        }
        String home = System.getProperty(Installation.HOME_PROPERTY, "");
        Path text = input != null ? input : Path.of(home, "docs");
        if (!Files.isReadable(text)) {
            throw new CommandFailure(ExitCode.NO_INPUT, text + " does not exist or cannot be read");
        }
        return Optional.of(text.toAbsolutePath());
    }
}
