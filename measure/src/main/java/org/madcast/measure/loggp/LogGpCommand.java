package org.madcast.measure.loggp;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.node.NodeOptions;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Units;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast loggp}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.NODE})
@Command(
        name = "loggp",
        header = "Measure the LogGP parameters of the network to nodes.",
        description = {
            "",
            "'madcast agent' must be running on the nodes, with the same token. UDP datagrams are sent to"
                    + " the first one and answered: L is the latency, o the processor's time for a"
                    + " message, g the gap between messages and G the gap between bytes. Sizes from"
                    + " which on the network behaves differently, such as those that do not fit into"
                    + " one frame, get a line of their own. Then the same of a group that it joins."
                    + " Fragment size and crossover are computed from them.",
            "",
            "With several nodes, one message goes to each of them and each answers, and to all by one"
                    + " multicast: 1 to n of them, for the parameters of LogfP, in which the first f"
                    + " messages cost no gap."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast loggp h2",
            "  madcast loggp 'h[2-9]'",
            "  madcast loggp --ranks 64 --json h2 | jq .advice",
        })
public final class LogGpCommand implements Callable<Integer> {

    private static final int MAX_DATAGRAM = 65_000;
    private static final int FRAME_PAYLOAD = 1472;

    /** Fewer sizes than there are up to this one tell a gap between bytes from noise too rarely. */
    private static final int MIN_LARGEST = 1024;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "NODES",
            description =
                    "Where agents run: host or host:port, also a list like h[2-9]. The first one's"
                            + " parameters are measured, and all of them together.")
    private String nodes = "";

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many ranks the advice is for (default ${DEFAULT-VALUE}).")
    @Range(from = 2, to = 65_535)
    private int ranks;

    @Option(
            names = "--largest",
            paramLabel = "SIZE",
            defaultValue = "65000",
            description =
                    "The largest datagram to measure, 1024 to 65000 (default ${DEFAULT-VALUE}).")
    private String largest = "";

    @Mixin private NodeOptions agents = new NodeOptions();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        List<NodeName> names = Arguments.read(spec, () -> NodeName.parse(nodes));
        Duration patience = Arguments.read(spec, agents::connectTimeout);
        int largestBytes = Arguments.read(spec, this::largestBytes);
        NodeToken token = agents.token();
        NetworkParameters measured;
        try (Steps steps = Steps.on(spec.commandLine().getErr());
                EchoNodes echoes = EchoNodes.connect(names, token, patience)) {
            measured = measure(echoes, steps, largestBytes);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NODE, nodes + ": " + e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        LogGpReport report = new LogGpReport(measured);
        if (json) {
            out.println(report.json());
            out.flush();
        } else {
            report.text(out);
        }
        return ExitCode.OK.code();
    }

    private int largestBytes() {
        long bytes = Units.sizeBytes(largest);
        if (bytes < MIN_LARGEST || bytes > MAX_DATAGRAM) {
            throw new IllegalArgumentException(
                    "--largest must be %d to %d bytes, not %s"
                            .formatted(MIN_LARGEST, MAX_DATAGRAM, largest));
        }
        return (int) bytes;
    }

    private NetworkParameters measure(EchoNodes echoes, Steps steps, int largestBytes)
            throws IOException {
        echoes.open();
        LogGp unicast;
        Steps.Step step = steps.begin("unicast");
        try (RoundTrips trips = echoes.each()) {
            unicast = new LogGpMeasurement(step::progress).run(trips, largestBytes);
        } finally {
            step.abandon();
        }
        Optional<LogGp> multicast = multicast(echoes, steps, unicast, largestBytes);
        List<LogFp.Fan> fans = fans(echoes, steps, multicast.isPresent());
        return new NetworkParameters(
                unicast, multicast, fans, LogFp.of(fans), Advice.of(unicast, ranks));
    }

    /** Of datagrams that fit into a frame, as those of broadcasts do; empty if none arrives. */
    private static Optional<LogGp> multicast(
            EchoNodes echoes, Steps steps, LogGp unicast, int largestBytes) throws IOException {
        if (!echoes.joined()) {
            return Optional.empty();
        }
        Steps.Step step = steps.begin("multicast");
        try (RoundTrips trips = echoes.group();
                RoundTrips each = echoes.each()) {
            int most = Math.min(largestBytes, FRAME_PAYLOAD);
            return Optional.of(
                    new LogGpMeasurement(step::progress)
                            .ofGroup(trips, each, most, unicast.overheadNs()));
        } catch (RoundTrips.LostException _) {
            return Optional.empty();
        } finally {
            step.abandon();
        }
    }

    private static List<LogFp.Fan> fans(EchoNodes echoes, Steps steps, boolean multicast)
            throws IOException {
        List<LogFp.Fan> fans = new ArrayList<>();
        Steps.Step step = steps.begin("1:n n:1");
        try {
            for (int count = 1; count <= echoes.size(); count++) {
                if (count > 1) {
                    echoes.open();
                }
                step.progress((double) count / echoes.size());
                double groupNs = multicast ? groupNs(echoes) : Double.NaN;
                try (RoundTrips each = echoes.each()) {
                    RoundTrips.Trip trip = LogGpMeasurement.fan(each);
                    fans.add(new LogFp.Fan(count, trip.ns(), trip.sentNs() / count, groupNs));
                }
            }
        } finally {
            step.abandon();
        }
        return fans;
    }

    private static double groupNs(EchoNodes echoes) throws IOException {
        if (!echoes.joined()) {
            return Double.NaN;
        }
        try (RoundTrips group = echoes.group()) {
            return LogGpMeasurement.fan(group).ns();
        } catch (RoundTrips.LostException _) {
            return Double.NaN;
        }
    }
}
