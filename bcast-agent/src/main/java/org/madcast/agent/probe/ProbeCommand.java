package org.madcast.agent.probe;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.node.HostName;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.node.NodeOptions;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.probe.Finding.Trouble;
import org.madcast.agent.service.ServiceAccess;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Units;
import org.madcast.client.BroadcastParameters;
import org.madcast.lab.LinkRate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast probe}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.SERVICE, ExitCode.NODE, ExitCode.TROUBLE})
@Command(
        name = "probe",
        header = "Find out whether multicast works between nodes, and what is wrong.",
        description = {
            "",
            "'madcast agent' must be running on every node, with the same token. This machine and the"
                    + " nodes send to each other in turn: to one group and to others, large and small"
                    + " datagrams, with small and large TTL, and by unicast. Then this machine sends at"
                    + " rising rates. Every problem is named, with its place and its cure.",
            "",
            "A network whose switches snoop but which has no querier works for about 260 seconds and"
                    + " then stops: --watch 6min detects that. Listening for queriers needs root, here"
                    + " or in one of the agents. With --service, its dashboard shows the result."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast probe 'node[01-16]'",
            "  madcast probe --group 239.192.3.7:5000 --rate 1gbit h1,h2,h3",
            "  madcast probe --watch 6min --json h1,h2 | jq -r '.findings[].cure'"
        })
public final class ProbeCommand implements Callable<Integer> {

    private static final String HERE = "this machine";
    private static final SecureRandom RANDOM = new SecureRandom();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "NODES",
            description = "Nodes on which agents run, such as h1,h[3-8],10.0.0.7:9000.")
    private String list = "";

    @Option(
            names = "--group",
            paramLabel = "ADDRESS:PORT",
            description = "The group to try (default a random one from 239.192.0.0/14).")
    private @Nullable String group;

    @Option(
            names = "--ttl",
            paramLabel = "HOPS",
            description =
                    "The TTL that must suffice (default $MADCAST_TTL, or 1 as for broadcasts).")
    @Range(from = 0, to = 255)
    private @Nullable Integer ttl;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "100mbit",
            description = "The highest rate to try, such as 1gbit (default ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--buffer",
            paramLabel = "SIZE",
            defaultValue = "4MiB",
            description =
                    "The receive buffer to ask for (default ${DEFAULT-VALUE}, as broadcasts do).")
    private String buffer = "";

    @Option(
            names = "--watch",
            paramLabel = "DURATION",
            description = "Watch for this long after joining whether multicast keeps working.")
    private @Nullable Duration watch;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            defaultValue = "${env:MADCAST_INTERFACE}",
            description =
                    "This machine's interface (default $MADCAST_INTERFACE or the one that leads to the"
                            + " nodes).")
    private @Nullable String networkInterface;

    @Mixin private NodeOptions agents = new NodeOptions();

    @Mixin private ServiceAccess service = new ServiceAccess();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    private final List<Finding> unreachable = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Probe.Options options = Arguments.read(spec, this::options);
        List<NodeName> names = Arguments.read(spec, () -> NodeName.parse(list));
        Duration patience = Arguments.read(spec, agents::connectTimeout);
        NodeToken token = agents.token();
        try {
            return report(probe(options, connect(names, token, patience)));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NODE, "the probe broke off: " + e.getMessage(), e);
        }
    }

    private ProbeResult probe(Probe.Options options, Map<NodeName, NodeChannel> channels)
            throws IOException, InterruptedException {
        List<ProbeNode> nodes = new ArrayList<>();
        List<ProbeFacts> facts = new ArrayList<>();
        try (Steps steps = Steps.on(spec.commandLine().getErr())) {
            Steps.Step step = steps.begin("probing");
            open(options, channels, nodes, facts);
            ProbeResult result = new Probe(options, nodes, facts, step::progress).run();
            step.abandon();
            return result;
        } finally {
            for (ProbeNode node : nodes) {
                node.close();
            }
            channels.values().forEach(NodeChannel::close);
        }
    }

    /** Opens this machine's point and those of the nodes; who cannot is not to take part. */
    private void open(
            Probe.Options options,
            Map<NodeName, NodeChannel> channels,
            List<ProbeNode> nodes,
            List<ProbeFacts> facts)
            throws IOException {
        List<InetAddress> groups = new ArrayList<>(List.of(options.group().getAddress()));
        groups.addAll(options.otherGroups());
        ProbeNode.Opening opening =
                new ProbeNode.Opening(
                        RANDOM.nextLong(),
                        groups,
                        options.group().getPort(),
                        options.bufferBytes());
        String own =
                networkInterface == null || networkInterface.isEmpty() ? null : networkInterface;
        ProbeNode here = ProbeNode.here(HERE, new ProbeService(HERE, own));
        nodes.add(here);
        facts.add(here.open(opening, 0, channels.values().iterator().next().remoteAddress()));
        for (Map.Entry<NodeName, NodeChannel> entry : channels.entrySet()) {
            NodeChannel channel = entry.getValue();
            ProbeNode node = ProbeNode.at(entry.getKey().text(), channel);
            try {
                facts.add(node.open(opening, nodes.size(), channel.localAddress()));
                nodes.add(node);
            } catch (IOException e) {
                unreachable.add(
                        new Finding(
                                Trouble.UNREACHABLE,
                                List.of(entry.getKey().text()),
                                "no probe can be opened at " + e.getMessage(),
                                "see the options of its agent, --interface above all, and its"
                                        + " addresses (ip addr)"));
            }
        }
        if (nodes.size() < 2) {
            throw new IOException(unreachable.getLast().what());
        }
    }

    private int report(ProbeResult result) throws InterruptedException {
        List<Finding> findings = new ArrayList<>(unreachable);
        findings.addAll(Diagnosis.of(result));
        ProbeReport report = new ProbeReport(result, findings);
        if (json) {
            report.json(spec.commandLine().getOut());
        } else {
            report.text(spec.commandLine().getOut());
        }
        tell(report);
        return (findings.isEmpty() ? ExitCode.OK : ExitCode.TROUBLE).code();
    }

    /** The result stands whether the service hears of it or not. */
    private void tell(ProbeReport report) throws InterruptedException {
        Optional<ServiceClient> client = service.client();
        if (client.isEmpty()) {
            return;
        }
        try {
            JsonObject summary = ProbeSummary.of(report.toJson(), HERE, HostName.orElse(HERE));
            JsonObject _ = client.get().post("/v1/probes", summary, Map.of());
        } catch (CommandFailure untold) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("the service did not get the result: " + untold.getMessage());
            err.flush();
        }
    }

    /** Those that answer, in the order in which they were named. */
    private Map<NodeName, NodeChannel> connect(
            List<NodeName> names, NodeToken token, Duration patience) {
        Map<NodeName, NodeChannel> channels = new LinkedHashMap<>();
        for (NodeName name : names) {
            try {
                channels.put(name, NodeChannel.connect(name.address(), token, patience));
            } catch (IOException e) {
                unreachable.add(
                        new Finding(
                                Trouble.UNREACHABLE,
                                List.of(name.text()),
                                "the agent of "
                                        + name.text()
                                        + " does not answer: "
                                        + e.getMessage(),
                                "see whether it runs there (systemctl status madcast-agent), listens"
                                        + " at that port and has this token"));
            }
        }
        if (channels.isEmpty()) {
            throw new CommandFailure(ExitCode.NODE, unreachable.getFirst().what());
        }
        return channels;
    }

    private Probe.Options options() {
        GroupToTry groups = new GroupToTry(RANDOM);
        return new Probe.Options(
                group == null ? groups.draw() : GroupToTry.parse(group),
                Stream.generate(groups::draw)
                        .limit(Aspect.OTHER_GROUPS)
                        .map(InetSocketAddress::getAddress)
                        .toList(),
                ttl == null ? BroadcastParameters.fromEnvironment().ttl() : ttl,
                Math.clamp(Units.sizeBytes(buffer), 1, 64 << 20),
                LinkRate.parse(rate).bitsPerSecond(),
                watch == null ? Duration.ZERO : watch);
    }
}
