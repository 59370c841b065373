package org.madcast.agent.push;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.node.NodeOptions;
import org.madcast.agent.node.PushKey;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.service.ServiceAccess;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Units;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.file.FileBroadcastOptions;
import org.madcast.client.file.WriteMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast push}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.SERVICE, ExitCode.RANK, ExitCode.NODE})
@Command(
        name = "push",
        header = "Send files and trees to many nodes in the time of one copy.",
        description = {
            "",
            "'madcast agent' must be running on every node, with the same token. NODES is a list like"
                    + " h1,h[3-8],10.0.0.7:9000, and DEST an absolute directory that the agents allow."
                    + " Each SRC is created below it under its last name; for SRC/. its content is."
                    + " Where the only SRC is a file and DEST is no directory, DEST is its new name, as"
                    + " for cp; a DEST that ends in / is always a directory.",
            "",
            "In NODES, @all means every agent that the service knows to be up, and @rack1-* those of"
                    + " them whose names match.",
            "",
            "Every file arrives whole or not at all. A node that dies, refuses or runs out of space"
                    + " does not stop the others; it is named at the end. Push again with --resume, and"
                    + " it gets what it lacks. With --service, the service leases the group and shows the"
                    + " push; without one, a random group is used."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast push image.qcow2 'node[01-16]:/var/cache/images'",
            "  madcast push --key push.key a.img 'node[01-16]:/srv/b.img'",
            "  madcast push --delta --json tree/. h1,h2:/srv/data",
            "  madcast push --resume --drop-slow big.tar 'h[1-64]:/scratch'",
            "  madcast push --service http://head:8730 image.qcow2 @all:/var/cache/images"
        })
public final class PushCommand implements Callable<Integer> {

    /**
     * What the user may choose otherwise. A repair may be late as long as the window has room; what
     * counts is the processor, and that a sender which waits for one keeps its link busy meanwhile,
     * 20 ms at 100 Mbit/s, and makes up for the rest.
     */
    private static final Map<String, String> PARAMETERS =
            Map.of(
                    "MADCAST_GATHER_TIME", "4ms",
                    "MADCAST_CATCH_UP", "50ms",
                    "MADCAST_SEND_BUFFER", "256KiB");

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "1..*",
            paramLabel = "SRC... NODES:DEST",
            hideParamSyntax = true,
            description = "What to send, and where to.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "overwrite",
            description =
                    "What happens to existing files: leave, newer (overwrite when the source is"
                            + " newer) or overwrite (the default).")
    private WriteMode mode = WriteMode.OVERWRITE;

    @Option(names = "--delta", description = "Leave alone files whose size, time and digest agree.")
    private boolean delta;

    @Option(
            names = "--resume",
            description = "Use what an interrupted push left on the nodes and send the rest.")
    private boolean resume;

    @Option(names = "--drop-slow", description = "Leave a node behind when all others wait for it.")
    private boolean dropSlow;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Mixin private NodeOptions agents = new NodeOptions();

    @Mixin private ServiceAccess service = new ServiceAccess();

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description =
                    "Seal what is sent with the key in this file, which every agent must have been"
                            + " started with; 'openssl rand -hex 32' makes one.")
    private @Nullable Path key;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description = "The interface for multicast (default the one that leads to the nodes).")
    private @Nullable String networkInterface;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Send no faster than this, such as 500Mbit/s or 1gbit.")
    private @Nullable String rate;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "64MiB",
            description = "Memory for data in flight (default ${DEFAULT-VALUE}).")
    private String memory = "";

    /** Begins, on a thread of its own, with what any push will need; may be left out. */
    public static void makeReady() {
        ClassPreload.start();
    }

    @Override
    public Integer call() throws Exception {
        PushOptions options = options();
        PushResult result;
        try (Steps steps = Steps.on(spec.commandLine().getErr());
                var _ = Cleanup.atExit(() -> interrupted(steps))) {
            SourceSize size = SourceSize.of(options.sources());
            Steps.Step step = steps.begin("pushing " + Units.size(size.bytes()));
            String job = "push-" + UUID.randomUUID().toString().substring(0, 8);
            try (PushNotices notices = PushNotices.of(options, job, size);
                    Push push =
                            new Push(options, job, new PushProgress(step, size.bytes(), notices))) {
                result = push.run(size);
                notices.ended(result);
            } finally {
                step.abandon();
            }
        }
        if (json) {
            PushReport.json(spec.commandLine().getOut(), result);
        } else {
            PushReport.text(spec.commandLine().getOut(), result);
        }
        if (!result.sourceFailures().isEmpty()) {
            return ExitCode.NO_INPUT.code();
        }
        return (result.isComplete() ? ExitCode.OK : ExitCode.NODE).code();
    }

    /** Before a token or a service is looked for. */
    private static void requireSources(List<Path> sources) {
        for (Path source : sources) {
            if (!Files.isReadable(source)) {
                throw new CommandFailure(
                        ExitCode.NO_INPUT, source + " does not exist or cannot be read");
            }
        }
    }

    private static void interrupted(Steps steps) {
        steps.say("madcast: interrupted; push again with --resume to go on from here");
        steps.close();
    }

    private PushOptions options() throws InterruptedException {
        Map<String, String> parameters = parameters();
        if (arguments.size() < 2) {
            boolean there = Files.exists(Path.of(arguments.getFirst()));
            throw wrong(
                    (there ? "" : "'" + arguments.getFirst() + "' does not exist; ")
                            + "name what to send, and where to as NODES:/DIRECTORY");
        }
        requireInterface();
        String target = arguments.getLast();
        int split = target.indexOf(":/");
        if (split <= 0) {
            throw wrong("'" + target + "' must look like NODES:/DIRECTORY");
        }
        List<Path> sources =
                arguments.subList(0, arguments.size() - 1).stream().map(Path::of).toList();

        try {
            PushOptions.Attachment attachment =
                    new PushOptions.Attachment(
                            networkInterface, service.uri(), service.token(), PushKey.read(key));
            NodeList nodes = NodeList.parse(target.substring(0, split));
            FileBroadcastOptions files =
                    FileBroadcastOptions.defaults()
                            .withMode(mode)
                            .withDelta(delta)
                            .withResume(resume)
                            .withMemoryBytes(memoryBytes());
            requireSources(sources);
            return new PushOptions(
                    sources,
                    nodes.all(service),
                    target.substring(split + 1),
                    files,
                    dropSlow,
                    agents.token(),
                    attachment,
                    agents.connectTimeout(),
                    parameters);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** Named as the ranks would look for it: by its name or one of its addresses. */
    private void requireInterface() {
        if (networkInterface == null) {
            return;
        }
        try {
            if (NetworkInterface.getByName(networkInterface) == null) {
                InetAddress _ = InetAddress.getByName(networkInterface);
            }
        } catch (IOException e) {
            throw wrong("this machine has no interface '" + networkInterface + "'");
        }
    }

    /** Half of it is pieces on the heap. */
    private long memoryBytes() {
        long bytes = Units.sizeBytes(memory);
        long heap = Runtime.getRuntime().maxMemory();
        if (bytes > heap) {
            throw new IllegalArgumentException(
                    "--memory of %s is more than the heap of %s; MADCAST_JAVA_OPTIONS=-Xmx%dm makes it larger"
                            .formatted(
                                    Units.size(bytes),
                                    Units.size(heap),
                                    (bytes >> 20) * 9 / 8 + 16));
        }
        return bytes;
    }

    /** This process's variables, which every rank must share. */
    private Map<String, String> parameters() {
        Map<String, String> variables = new TreeMap<>();
        System.getenv()
                .forEach((name, value) -> {
                    if (BroadcastParameters.variables().contains(name)) {
                        variables.put(name, value);
                    }
                });
        if (rate != null) {
            variables.put("MADCAST_RATE", parameter(rate));
        }
        PARAMETERS.forEach(variables::putIfAbsent);
        if (dropSlow) {
            // Who slowed down for it could not tell the slow node from the others.
            variables.putIfAbsent("MADCAST_FOLLOW_SLOWEST", "off");
        }
        try {
            BroadcastParameters _ = BroadcastParameters.builder(Map.of(), variables).build();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw wrong(rate == null ? message : message.replace("MADCAST_RATE", "--rate"));
        }
        return variables;
    }

    /** As parameters of broadcasts are written; links of labs are 500mbit fast, or none. */
    private static String parameter(String rate) {
        String text = rate.strip().toLowerCase(Locale.ROOT);
        return text.equals("none") ? "unlimited" : text.replaceFirst("bit$", "bit/s");
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
