package org.madcast.agent.demo;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.service.DataDirectory;
import org.madcast.agent.terminal.Steps;
import org.madcast.lab.LinkRate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast demo}. */
@ExitCodes({
    ExitCode.NO_INPUT,
    ExitCode.CHECKSUM,
    ExitCode.PORT_IN_USE,
    ExitCode.SERVICE,
    ExitCode.LAB,
    ExitCode.RANK
})
@Command(
        name = "demo",
        header = "Show a real broadcast: one file, eight hosts, one leased group.",
        description = {
            "",
            "Starts the allocation service with its embedded database, sets up a lab of hosts (network"
                    + " namespaces on a switch that snoops IGMP), starts a rank on each, and lets rank"
                    + " 0 broadcast FILE to all of them over IP multicast. Every rank checks the SHA-256"
                    + " of what it received. Everything is taken down at the end.",
            "Without root, or with --no-lab, the ranks are processes on this machine and multicast"
                    + " over its loopback interface."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast demo",
            "  madcast demo --loss 1 /var/log/syslog",
            "  madcast demo --ranks 16 --rate 1gbit --keep",
            "  madcast demo --no-lab --json | jq .throughputBytesPerSecond"
        })
public final class DemoCommand implements Callable<Integer> {

    private static final int MOST_RANKS = 64;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "The file to broadcast (default the JDK's own libjvm.so).")
    private @Nullable Path file;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "8",
            description = "How many ranks, 1 to " + MOST_RANKS + " (default ${DEFAULT-VALUE}).")
    @Range(from = 1, to = MOST_RANKS)
    private int ranks;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "100mbit",
            description =
                    "The rate of a link in the lab, such as 100mbit, 1gbit or none (default"
                            + " ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description =
                    "Percentage of arriving datagrams that each host loses (default"
                            + " ${DEFAULT-VALUE}).")
    @Range(from = 0, to = 100, below = true)
    private double loss;

    @Option(names = "--keep", description = "Leave the service running afterwards.")
    private boolean keep;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8730",
            description = "The service's port on 127.0.0.1 (default ${DEFAULT-VALUE}).")
    @Range(from = 1, to = 65_535)
    private int port;

    @Option(
            names = "--no-lab",
            description = "Use this machine's loopback interface instead of a lab.")
    private boolean noLab;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where the service keeps its data (default a temporary directory).")
    private @Nullable Path dataDirectory;

    @Option(names = "--json", description = "Print the result as one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        DemoOptions options = options();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        DemoResult result;
        try (Steps steps = Steps.on(err)) {
            result = new Demo(options, steps, !noLab).run(shown -> show(shown, out));
        }
        return result.exitCode(err).code();
    }

    private void show(DemoResult result, PrintWriter out) {
        if (json) {
            result.printJson(out);
        } else {
            result.print(out);
        }
        out.flush();
    }

    private DemoOptions options() {
        if (noLab && loss > 0) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--loss needs the lab; leave out --no-lab or --loss");
        }
        Path chosen = DemoFile.choose(file);
        Optional<LinkRate> chosenRate = rate();
        Path data = dataDirectory == null ? null : DataDirectory.make(dataDirectory);
        return new DemoOptions(chosen, ranks, chosenRate, loss, keep, port, data);
    }

    private Optional<LinkRate> rate() {
        try {
            return LinkRate.parseLimit(rate);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--rate '" + rate + "' is none of 100mbit, 1gbit, 512kbit or none",
                    e);
        }
    }
}
