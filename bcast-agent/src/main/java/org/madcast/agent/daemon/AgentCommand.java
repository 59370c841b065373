package org.madcast.agent.daemon;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.node.AllowedDirectories;
import org.madcast.agent.node.HostName;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.node.PushKey;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.service.ServiceAccess;
import org.madcast.agent.service.ServiceClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast agent}: the daemon of a node. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.PORT_IN_USE})
@Command(
        name = "agent",
        header = "Run a node's daemon, which takes part in pushes and probes.",
        description = {
            "",
            "It accepts files from senders that have the token, and writes them below the allowed"
                    + " directories and nowhere else. Its log is one JSON object per line on standard"
                    + " error; /health and /metrics (Prometheus) are served over HTTP. With --service, its"
                    + " dashboard shows this node."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast agent --make-token        once; then copy the file to every node",
            "  madcast agent --allow /srv/data --allow /var/cache/images",
            "  curl http://127.0.0.1:8732/metrics"
        })
public final class AgentCommand implements Callable<Integer> {

    private static final int STATUS_PORT = 8732;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--allow",
            paramLabel = "DIRECTORY",
            split = ":",
            defaultValue = "${env:MADCAST_AGENT_ALLOW}",
            description =
                    "A directory below which pushes may write; may be repeated (default"
                            + " $MADCAST_AGENT_ALLOW, separated by colons).")
    private List<Path> directories = new ArrayList<>();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "0.0.0.0:" + NodeChannel.DEFAULT_PORT,
            description = "Where senders connect to (default ${DEFAULT-VALUE}).")
    private String listen = "";

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:" + STATUS_PORT,
            description =
                    "Where /health and /metrics are served (default ${DEFAULT-VALUE}), or 'off'.")
    private String http = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            defaultValue = "${env:MADCAST_AGENT_TOKEN_FILE}",
            description = {
                "The file with the token (default $MADCAST_AGENT_TOKEN_FILE or",
                "~/.config/madcast/agent.token); $MADCAST_AGENT_TOKEN may hold the token"
                        + " itself. Without a token, every sender is refused."
            })
    private @Nullable Path tokenFile;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            defaultValue = "${env:MADCAST_AGENT_KEY_FILE}",
            description = {
                "Take only pushes that are sealed with the key in this file (default"
                        + " $MADCAST_AGENT_KEY_FILE, else pushes that are not sealed)."
            })
    private @Nullable Path keyFile;

    @Option(names = "--make-token", description = "Write a new random token to the file and exit.")
    private boolean makeToken;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            defaultValue = "${env:MADCAST_NODE}",
            description = "This node's name (default $MADCAST_NODE or the host name).")
    private @Nullable String node;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            defaultValue = "${env:MADCAST_INTERFACE}",
            description =
                    "The interface for multicast (default $MADCAST_INTERFACE or the one that leads to"
                            + " the sender).")
    private @Nullable String networkInterface;

    @Mixin private ServiceAccess service = new ServiceAccess();

    @Option(
            names = "--no-rehearsal",
            description =
                    "Do not push a little to itself over loopback at the start, which makes the first"
                            + " push as quick as later ones.")
    private boolean noRehearsal;

    @Override
    public Integer call() throws Exception {
        Path file = NodeToken.file(tokenFile);
        if (makeToken) {
            NodeToken.make(file);
            spec.commandLine().getOut().println("a new token is in " + file);
            spec.commandLine().getOut().flush();
            return ExitCode.OK.code();
        }
        String name = node == null || node.isEmpty() ? HostName.orElse("localhost") : node;
        NodeToken token = NodeToken.ofAgent(tokenFile);
        AgentServer.Settings settings =
                new AgentServer.Settings(
                        address("--listen", listen),
                        name,
                        token,
                        allowed(),
                        new ReceiveTask.Attachment(
                                nonEmpty(networkInterface),
                                service.token(),
                                PushKey.read(keyFile)));
        return serve(settings);
    }

    private static @Nullable String nonEmpty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private AllowedDirectories allowed() {
        try {
            return AllowedDirectories.of(directories);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "--allow " + e.getMessage() + "; name a directory that exists",
                    e);
        }
    }

    private int serve(AgentServer.Settings settings) throws InterruptedException {
        AgentMetrics metrics = new AgentMetrics();
        AgentLog log = new AgentLog(spec.commandLine().getErr());
        log.takeWarnings();
        try (Cleanup cleanup = Cleanup.atExit(() -> log.say(AgentEvent.ENDED))) {
            AgentServer server =
                    cleanup.make(() -> listen(settings, metrics, log), AgentServer::close);
            String status = "off";
            if (!http.equals("off")) {
                StatusEndpoint endpoint =
                        cleanup.make(() -> status(settings.node(), metrics), StatusEndpoint::close);
                status = "http://" + text(endpoint.address());
            }
            Optional<ServiceClient> told = service.client();
            if (told.isPresent()) {
                Heartbeats _ =
                        cleanup.make(
                                () -> heartbeats(told.get(), settings.node(), server, metrics),
                                Heartbeats::close);
            }
            log.say(
                    AgentEvent.STARTED,
                    "node",
                    settings.node(),
                    "address",
                    text(server.address()),
                    "status",
                    status);
            boolean takesPushes = !settings.token().isNobodys() && !settings.allowed().isEmpty();
            if (!takesPushes) {
                log.say(AgentEvent.TAKES_NO_PUSH, "cure", "give it a token, and --allow");
            } else if (!noRehearsal) {
                WarmUpPush rehearsal =
                        cleanup.make(
                                () -> WarmUpPush.start(settings.token(), log), WarmUpPush::close);
                server.whenAccepted(rehearsal::close);
            }
            server.serve();
        }
        return ExitCode.OK.code();
    }

    private Heartbeats heartbeats(
            ServiceClient told, String name, AgentServer server, AgentMetrics metrics) {
        return Heartbeats.start(
                told,
                name,
                reached(name, server.address()),
                spec.root().version()[0].replace("madcast ", ""),
                metrics);
    }

    /** Where others reach it: an agent that listens everywhere is reached by its name. */
    private static String reached(String node, InetSocketAddress address) {
        return address.getAddress().isAnyLocalAddress()
                ? node + ":" + address.getPort()
                : text(address);
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    private static AgentServer listen(
            AgentServer.Settings settings, AgentMetrics metrics, AgentLog log) {
        try {
            return new AgentServer(settings, metrics, log);
        } catch (IOException e) {
            throw taken("--listen", settings.address(), e);
        }
    }

    private StatusEndpoint status(String name, AgentMetrics metrics) {
        InetSocketAddress address = address("--http", http);
        try {
            return StatusEndpoint.open(address, name, metrics);
        } catch (IOException e) {
            throw taken("--http", address, e);
        }
    }

    private static CommandFailure taken(String option, InetSocketAddress address, IOException e) {
        return new CommandFailure(
                ExitCode.PORT_IN_USE,
                "cannot listen at "
                        + text(address)
                        + " ("
                        + e.getMessage()
                        + "); choose another with "
                        + option,
                e);
    }

    private InetSocketAddress address(String option, String text) {
        int colon = text.lastIndexOf(':');
        try {
            InetSocketAddress address =
                    new InetSocketAddress(
                            text.substring(0, Math.max(colon, 0)),
                            Integer.parseInt(text.substring(colon + 1)));
            if (colon > 0 && !address.isUnresolved()) {
                return address;
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw new ParameterException(
                spec.commandLine(), option + " must look like HOST:PORT, not '" + text + "'");
    }
}
