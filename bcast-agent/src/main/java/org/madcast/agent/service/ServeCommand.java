package org.madcast.agent.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.process.Installation;
import org.madcast.agent.process.JavaCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast serve}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.PORT_IN_USE, ExitCode.SERVICE})
@Command(
        name = "serve",
        header = "Run the allocation service, with an embedded database unless you name one.",
        description = {
            "",
            "Runs in the foreground until Ctrl-C or TERM and listens on 127.0.0.1. Leases are kept in"
                    + " the data directory and survive a restart. Programs of this user on this"
                    + " machine need no token; all others need one, unless"
                    + " --madcast.access.from-loopback or -from-elsewhere says so."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast serve",
            "  madcast serve --port 9000 --data-dir /var/lib/madcast",
            "  madcast serve -- --spring.datasource.url=jdbc:postgresql://db/madcast"
        })
public final class ServeCommand implements Callable<Integer> {

    private static final List<String> NEAR = List.of("from-own-user", "from-loopback");

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8730",
            description = "The port to listen on (default ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = {
                "Where the embedded database lives",
                "(default ~/.local/share/madcast)."
            })
    private @Nullable Path dataDirectory;

    @Parameters(
            paramLabel = "OPTION",
            description =
                    "Further options of the service, after --. All of them are listed in"
                            + " docs/OPERATIONS.md (installed:"
                            + " /usr/share/doc/madcast/OPERATIONS.md).")
    private List<String> further = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (port < 1 || port > 65_535) {
            throw new ParameterException(
                    spec.commandLine(), "--port must be 1 to 65535, not " + port);
        }
        further.forEach(this::require);
        PortHolder.requireFree(port);
        List<String> arguments =
                new ArrayList<>(List.of("--server.port=" + port, ServiceProcess.END_WITH_INPUT));
        if (dataDirectory != null) {
            arguments.add("--madcast.data-dir=" + DataDirectory.make(dataDirectory));
        } else if (further.stream().noneMatch(it -> it.startsWith("--madcast.data-dir"))) {
            DataDirectory.requireUnused(DataDirectory.usual());
        }
        if (further.stream().noneMatch(it -> it.startsWith("--madcast.programs-dir"))) {
            ServiceProcess.keptPrograms()
                    .ifPresent(it -> arguments.add("--madcast.programs-dir=" + it));
        }
        if (!saysWhoIsNear()) {
            arguments.add(ServiceProcess.roleWithoutToken());
        }
        arguments.addAll(further);
        List<String> options = new ArrayList<>(ServiceProcess.LASTING_JVM_OPTIONS);
        options.addAll(Installation.serviceStartOptions());
        ProcessBuilder service =
                new ProcessBuilder(JavaCommand.ofJar(options, Installation.serviceJar(), arguments))
                        .inheritIO()
                        .redirectInput(ProcessBuilder.Redirect.PIPE);
        try (Cleanup cleanup = Cleanup.atExit(() -> {})) {
            Process process = cleanup.make(service::start, ServeCommand::stop);
            return process.waitFor() == 0 ? ExitCode.OK.code() : ExitCode.SERVICE.code();
        }
    }

    /** Whether the user says which role there is without a token on this machine. */
    private boolean saysWhoIsNear() {
        return NEAR.stream()
                .anyMatch(near ->
                        further.stream().anyMatch(it -> it.startsWith("--madcast.access." + near))
                                || System.getenv().containsKey(variable(near)));
    }

    private static String variable(String near) {
        return "MADCAST_ACCESS_" + near.replace("-", "").toUpperCase(Locale.ROOT);
    }

    /** The service looks past what is no option, and makes a list of a port given twice. */
    private void require(String option) {
        if (!option.startsWith("--")) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + option + "' is no option of the service; they look like --NAME=VALUE");
        }
        if (option.startsWith("--server.port=")) {
            throw new ParameterException(
                    spec.commandLine(), "set the port with --port, not with " + option);
        }
    }

    /** Its input stays open: were it to end too, the service would take its starter for gone. */
    private static void stop(Process service) {
        service.toHandle().destroy();
        try {
            service.waitFor();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
