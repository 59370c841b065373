package org.madcast.agent.process;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.lab.Lab;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast run}: the launcher of ranks. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.LAB})
@Command(
        name = "run",
        header = "Start N ranks of a program, here, over ssh or in a lab.",
        description = {
            "",
            "Each rank gets the environment that Communicator.fromEnvironment() reads, and its output"
                    + " is prefixed with its number. The first rank that fails ends the job with its exit"
                    + " code. Here and in a lab, PATH begins with the JDK in use and CLASSPATH with the"
                    + " client library, and java the options that suit the ranks: where there are more of"
                    + " them than processors, one compiler and the serial collector; options of your"
                    + " own win. Over ssh, ranks get only the MADCAST_ variables, and start in the same"
                    + " directory if it exists there. Slurm, mpirun and Kubernetes do not need this"
                    + " command: their ranks find their places by themselves."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast run -n 4 -- java Hello.java",
            "  madcast run -n 4 --service http://127.0.0.1:8730 -- ./my-rank",
            "  madcast run -n 32 --hostfile hosts -- /opt/my/rank",
            "  madcast lab up --name c; madcast run -n 8 --lab c -- java Hello.java"
        })
public final class RunCommand implements Callable<Integer> {

    private static final Duration GRACE = Duration.ofSeconds(2);

    /** What a process ends with after INT, and after TERM. */
    private static final Set<Integer> SIGNALLED = Set.of(130, 143);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            required = true,
            description = "How many ranks to start.")
    private int ranks;

    @Option(
            names = "--service",
            paramLabel = "URI",
            defaultValue = "${env:MADCAST_SERVICE}",
            description =
                    "The allocation service (default $MADCAST_SERVICE); without one, or when it does"
                            + " not answer, the ranks meet at rank 0 and take a random group.")
    private @Nullable URI service;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description =
                    "The interface to multicast on (default lo on this machine, a lab's own, and over"
                            + " ssh the one that leads to rank 0).")
    private @Nullable String interfaceName;

    @Option(
            names = "--hostfile",
            paramLabel = "FILE",
            description =
                    "Start the ranks over ssh on these hosts: lines of 'host' or 'host slots=N'.")
    private @Nullable Path hostFile;

    @Option(
            names = "--ssh",
            paramLabel = "COMMAND",
            defaultValue = "ssh -o BatchMode=yes",
            description = "The command that runs another on a host (default '${DEFAULT-VALUE}').")
    private String ssh = "";

    @Option(
            names = "--lab",
            paramLabel = "NAME",
            description = "Start the ranks on the hosts of the lab of this name.")
    private @Nullable String lab;

    @Option(names = "--job", paramLabel = "JOB", description = "The job's name.")
    private @Nullable String job;

    @Parameters(
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "The program to start and its arguments, after --.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        if (ranks < 1 || ranks > 65_535) {
            throw new ParameterException(spec.commandLine(), "-n must be 1 to 65535, not " + ranks);
        }
        RankPlaces places = places();
        String name = job != null ? job : "run-" + ProcessHandle.current().pid();
        RankEnvironment environment = ProgramPaths.addTo(new RankEnvironment(name, ranks));
        URI wanted = service == null || service.toString().isEmpty() ? null : service;
        if (wanted != null) {
            environment.service(wanted);
        }
        if (wanted == null || !places.reach(wanted)) {
            environment.with("MADCAST_ROOT", places.root());
        }
        try (Cleanup cleanup = Cleanup.atExit(this::interrupted)) {
            Children children =
                    cleanup.make(() -> start(places, environment), started -> started.end(GRACE));
            return awaitAll(children, cleanup);
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    private void interrupted() {
        print(spec.commandLine().getErr(), "madcast: interrupted");
    }

    private RankPlaces places() throws IOException {
        if (lab != null && hostFile != null) {
            throw new ParameterException(
                    spec.commandLine(), "--lab and --hostfile exclude each other");
        }
        if (lab != null) {
            return RankPlaces.InLab.of(
                    Lab.find(lab)
                            .orElseThrow(() ->
                                    new CommandFailure(
                                            ExitCode.LAB,
                                            "no lab named '"
                                                    + lab
                                                    + "' is up; make it with 'madcast lab up --name "
                                                    + lab
                                                    + "'")));
        }
        if (hostFile == null) {
            return RankPlaces.Here.make();
        }
        try {
            return RankPlaces.OverSsh.of(
                    RankPlaces.readHosts(hostFile), List.of(ssh.strip().split("\\s+")));
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, hostFile + " does not exist", e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, hostFile + ": " + e.getMessage(), e);
        }
    }

    private Children start(RankPlaces places, RankEnvironment environment) {
        Children children = new Children();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        String device = interfaceName != null ? interfaceName : places.interfaceName();
        List<String> program = command;
        if (places.onThisMachine()) {
            boolean crowded = ranks > Runtime.getRuntime().availableProcessors();
            program = RankJvm.addTo(command, crowded);
            RankJvm.variables(command, crowded).forEach(environment::with);
        }
        try {
            for (int rank = 0; rank < ranks; rank++) {
                String prefix = "[" + rank + "] ";
                Map<String, String> variables = environment.of(rank, device);
                children.add(
                        Child.start(
                                "rank " + rank + " on " + places.host(rank),
                                places.command(rank, program, variables),
                                variables,
                                line -> print(out, prefix + line),
                                line -> {
                                    if (!RankJvm.isNote(line, variables)) {
                                        print(err, prefix + line);
                                    }
                                }));
            }
        } catch (IOException e) {
            children.end(GRACE);
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "'"
                            + (hostFile == null ? command.getFirst() : ssh)
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

    private int awaitAll(Children children, Cleanup cleanup) throws InterruptedException {
        List<Child> running = new ArrayList<>(children.all());
        while (!running.isEmpty()) {
            for (Child child : List.copyOf(running)) {
                if (!child.await(Duration.ofMillis(20))) {
                    continue;
                }
                running.remove(child);
                if (child.exitValue() != 0 && !isInterrupted(child, cleanup)) {
                    print(
                            spec.commandLine().getErr(),
                            "madcast: "
                                    + child.name()
                                    + " ended with code "
                                    + child.exitValue()
                                    + "; ending the others");
                }
                if (child.exitValue() != 0) {
                    return child.exitValue();
                }
            }
        }
        return ExitCode.OK.code();
    }

    /** Ctrl-C goes to the ranks too, and a rank may have ended before this process hears of it. */
    private static boolean isInterrupted(Child child, Cleanup cleanup) throws InterruptedException {
        if (SIGNALLED.contains(child.exitValue())) {
            for (int i = 0; i < 25 && !cleanup.closing(); i++) {
                Thread.sleep(20);
            }
        }
        return cleanup.closing();
    }
}
