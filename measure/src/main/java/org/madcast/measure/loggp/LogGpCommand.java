package org.madcast.measure.loggp;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.node.NodeOptions;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Table;
import org.madcast.agent.terminal.Units;
import org.madcast.measure.loggp.LogGp.Protocol;
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
        header = "Measure the LogGP parameters of the network to a node.",
        description = {
            "",
            "'madcast agent' must be running on the node, with the same token. UDP datagrams are sent to it"
                    + " and answered: L is the latency, o the processor's time for a message, g the gap"
                    + " between messages and G the gap between bytes. Sizes from which on the network"
                    + " behaves differently, such as those that do not fit into one frame, get a line of"
                    + " their own. Fragment size and crossover are computed from them."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast loggp h2",
            "  madcast loggp --ranks 64 --json h2 | jq .advice",
        })
public final class LogGpCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MAX_DATAGRAM = 65_000;

    /** Fewer sizes than there are up to this one tell a gap between bytes from noise too rarely. */
    private static final int MIN_LARGEST = 1024;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NODE", description = "Where an agent runs: host or host:port.")
    private String node = "";

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
        List<NodeName> names = Arguments.read(spec, () -> NodeName.parse(node));
        if (names.size() != 1) {
            throw Arguments.wrong(spec, "name one node, not " + names.size());
        }
        NodeName name = names.getFirst();
        Duration patience = Arguments.read(spec, agents::connectTimeout);
        int largestBytes = Arguments.read(spec, this::largestBytes);
        NodeToken token = agents.token();
        LogGp network;
        try (Steps steps = Steps.on(spec.commandLine().getErr());
                NodeChannel channel = NodeChannel.connect(name.address(), token, patience)) {
            Steps.Step step = steps.begin("measuring");
            network = measure(channel, step, largestBytes);
            step.abandon();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NODE, name.text() + ": " + e.getMessage(), e);
        }
        Optional<Advice> advice = Advice.of(network, ranks);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            json(out, network, advice);
        } else {
            text(out, network);
            advice.ifPresentOrElse(
                    it -> text(out, it),
                    () ->
                            out.println(
                                    "\nno advice: larger datagrams took no longer than smaller"
                                            + " ones; measure again, on a network at rest"));
            out.flush();
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

    private static LogGp measure(NodeChannel channel, Steps.Step step, int largestBytes)
            throws IOException, InterruptedException {
        channel.waitAtMost(PATIENCE);
        channel.say(NodeChannel.message("loggp-open"));
        JsonObject opened = channel.hear();
        if (!NodeChannel.type(opened).equals("loggp-opened")) {
            throw new IOException("its agent knows no loggp; is it as new as this program?");
        }
        InetSocketAddress echo =
                new InetSocketAddress(channel.remoteAddress(), opened.getInt("port"));
        try (RoundTrips trips = new RoundTrips(echo)) {
            return new LogGpMeasurement(trips, step::progress).run(largestBytes);
        }
    }

    private static void text(PrintWriter out, LogGp network) {
        out.printf(Locale.ROOT, "L  %8.1f us   half of a round trip%n", network.latencyNs() / 1e3);
        out.printf(
                Locale.ROOT,
                "o  %8.1f us   the sender's processor%n%n",
                network.overheadNs() / 1e3);
        Table table = new Table("from", "to", "g (us)", "G (ns/byte)", "rate (Mbit/s)");
        for (Protocol protocol : network.protocols()) {
            table.row(
                    protocol.fromBytes(),
                    protocol.toBytes(),
                    String.format(Locale.ROOT, "%.2f", protocol.line().gap() / 1e3),
                    String.format(Locale.ROOT, "%.3f", protocol.line().perByte()),
                    rate(protocol.bitsPerSecond()));
        }
        table.print(out);
    }

    private static void text(PrintWriter out, Advice advice) {
        out.printf(
                Locale.ROOT,
                "%nfor %d ranks: MADCAST_FRAGMENT_SIZE=%d MADCAST_CROSSOVER_SIZE=%d%n",
                advice.ranks(),
                advice.fragmentBytes(),
                advice.crossoverBytes());
        out.printf(
                Locale.ROOT,
                "(a chain of them would take %.1f ms for 1 MiB)%n",
                advice.chainNs() / 1e6);
    }

    /** A dash where longer messages took no longer, so that no rate is seen. */
    private static String rate(double bitsPerSecond) {
        return Double.isFinite(bitsPerSecond)
                ? String.format(Locale.ROOT, "%.0f", bitsPerSecond / 1e6)
                : "-";
    }

    private static void json(PrintWriter out, LogGp network, Optional<Advice> advice) {
        JsonObject report = new JsonObject();
        report.put("latencyNs", network.latencyNs());
        report.put("overheadNs", network.overheadNs());
        JsonArray protocols = new JsonArray();
        for (Protocol protocol : network.protocols()) {
            JsonObject one = new JsonObject();
            one.put("fromBytes", protocol.fromBytes());
            one.put("toBytes", protocol.toBytes());
            one.put("gapNs", protocol.line().gap());
            one.put("gapPerByteNs", protocol.line().perByte());
            protocols.add(one);
        }
        report.put("protocols", protocols);
        JsonArray points = new JsonArray();
        for (LineFit.Point point : network.points()) {
            JsonObject one = new JsonObject();
            one.put("bytes", point.bytes());
            one.put("gapNs", point.ns());
            points.add(one);
        }
        report.put("points", points);
        advice.ifPresent(it -> report.put("advice", json(it)));
        out.println(JsonWriter.string(report));
        out.flush();
    }

    private static JsonObject json(Advice advice) {
        JsonObject advised = new JsonObject();
        advised.put("ranks", advice.ranks());
        advised.put("fragmentBytes", advice.fragmentBytes());
        advised.put("crossoverBytes", advice.crossoverBytes());
        advised.put("chainNs", advice.chainNs());
        return advised;
    }
}
