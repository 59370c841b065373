package org.madcast.agent.process;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast run}: ranks on this machine. */
@Command(
        name = "run",
        header = "Start N ranks of a program on this machine.",
        description = {
            "",
            "Each gets the environment that Communicator.fromEnvironment() reads. Their output is"
                    + " prefixed with the rank. The first rank that fails ends the job with its exit"
                    + " code. PATH begins with the JDK in use, CLASSPATH with the client library."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast run -n 4 -- java Hello.java",
            "  madcast run -n 4 --service http://127.0.0.1:8730 -- ./my-rank"
        })
public final class RunCommand implements Callable<Integer> {

    private static final Duration GRACE = Duration.ofSeconds(2);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            required = true,
            description = "How many ranks.")
    private int ranks;

    @Option(
            names = "--service",
            paramLabel = "URI",
            defaultValue = "${env:MADCAST_SERVICE}",
            description =
                    "The allocation service (default $MADCAST_SERVICE); without one, the ranks meet at"
                            + " rank 0 and take a random group.")
    private @Nullable URI service;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            defaultValue = "lo",
            description = "The interface to multicast on (default ${DEFAULT-VALUE}).")
    private String interfaceName = "";

    @Option(names = "--job", paramLabel = "JOB", description = "The job's name.")
    private @Nullable String job;

    @Parameters(
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "What to start, with its arguments, after --.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (ranks < 1 || ranks > 65_535) {
            throw new ParameterException(spec.commandLine(), "-n must be 1 to 65535, not " + ranks);
        }
        String name = job != null ? job : "run-" + ProcessHandle.current().pid();
        RankEnvironment environment = ProgramPaths.addTo(new RankEnvironment(name, ranks));
        if (service != null && !service.toString().isEmpty()) {
            environment.service(service);
        } else {
            environment.root("127.0.0.1", freePort());
        }
        try (Cleanup cleanup = Cleanup.atExit(() -> {})) {
            Children children =
                    cleanup.make(() -> start(environment), started -> started.end(GRACE));
            return awaitAll(children);
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    private Children start(RankEnvironment environment) {
        Children children = new Children();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                String prefix = "[" + rank + "] ";
                children.add(
                        Child.start(
                                "rank " + rank,
                                ProgramPaths.resolve(command),
                                environment.of(rank, interfaceName),
                                line -> print(out, prefix + line),
                                line -> print(err, prefix + line)));
            }
        } catch (IOException e) {
            children.end(GRACE);
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "'"
                            + command.getFirst()
                            + "' cannot be started; is it installed, and executable?",
                    e);
        }
        return children;
    }

    private static void print(PrintWriter writer, String line) {
        synchronized (writer) {
            writer.println(line);
            writer.flush();
        }
    }

    private int awaitAll(Children children) throws InterruptedException {
        List<Child> running = new ArrayList<>(children.all());
        while (!running.isEmpty()) {
            for (Child child : List.copyOf(running)) {
                if (!child.await(Duration.ofMillis(20))) {
                    continue;
                }
                running.remove(child);
                if (child.exitValue() != 0) {
                    print(
                            spec.commandLine().getErr(),
                            "madcast: "
                                    + child.name()
                                    + " ended with code "
                                    + child.exitValue()
                                    + "; ending the others");
                    return child.exitValue();
                }
            }
        }
        return ExitCode.OK.code();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
