package org.madcast.agent.run;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.TrustOptions;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.process.HostFileOptions;
import org.madcast.agent.process.ProgramPaths;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.process.RankJvm;
import org.madcast.agent.process.Signals;
import org.madcast.agent.process.SshHosts;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.lab.Lab;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code madcast run}: the launcher of ranks. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.LAB, ExitCode.TERMINATED})
@Command(
        name = "run",
        header = "Start N ranks of a program, here, over ssh or in a lab.",
        description = {
            "",
            "Each rank gets the environment that MPI.Init and Communicator.fromEnvironment() read."
                    + " Rank 0 gets the standard input, the others its end. The first rank that fails"
                    + " ends the others, and the job with its exit code. INT and TERM are passed to the"
                    + " ranks; a second one kills them.",
            "",
            "A source file is compiled once for all ranks of this machine. The package mpi and the client"
                    + " library, mpi.jar, are added to the class path of java unless the program brings them. PATH begins with the JDK in use. java gets the options"
                    + " that suit the ranks: where there are more of them than processors, one compiler"
                    + " and the serial collector; options of your own win. Over ssh, ranks get no other"
                    + " variables than MADCAST_, PATH and CLASSPATH, and start in the same directory if it"
                    + " exists there. Slurm, mpirun and Kubernetes do not need this command: their ranks"
                    + " find their places by themselves."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast run -n 4 java Hello.java",
            "  madcast run -np 4 java -cp app.jar Main <input.txt",
            "  madcast run -n 4 --service http://127.0.0.1:8730 -- ./my-rank",
            "  madcast run -n 32 --hostfile hosts -- /opt/my/rank",
            "  madcast lab up --name c; madcast run -n 8 --lab c -- java Hello.java",
            "  madcast run -n 32 --hostfile hosts --map prof -- java Hello.java"
        })
public final class RunCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-n", "-np", "--ranks"},
            paramLabel = "N",
            required = true,
            description = "How many ranks to start.")
    @Range(from = 1, to = 65_535)
    private int ranks;

    @Mixin private TrustOptions unusedButForItsOption = new TrustOptions();

    @Option(
            names = "--service",
            paramLabel = "URI",
            defaultValue = "${env:MADCAST_SERVICE}",
            description =
                    "The allocation service (default $MADCAST_SERVICE); without one, or when it does"
                            + " not answer, the ranks meet at rank 0, which asks MADCAP servers for a"
                            + " group and else takes one at random.")
    private @Nullable URI service;

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description =
                    "The interface to multicast on (default lo on this machine, a lab's own, and over"
                            + " ssh the one that leads to rank 0).")
    private @Nullable String interfaceName;

    @Mixin private HostFileOptions hostFile = new HostFileOptions();

    @Mixin private MapOptions map = new MapOptions();

    @Option(
            names = "--oversubscribe",
            description = "Changes nothing, since more ranks than processors are allowed anyway.")
    private boolean unusedSinceAlwaysSo;

    @Option(
            names = "--prefix",
            description = "Begin each line of output with the number of its rank: [0], [1], ...")
    private boolean prefix;

    @Option(
            names = "--report",
            description =
                    "Print at the end where each rank's time went: time in calls, bytes, the five costliest"
                            + " operations, and who waited for whom.")
    private boolean report;

    @Option(
            names = "--survive",
            description =
                    "Let the others go on when a rank is killed, for programs that survive that. One that"
                            + " ends by itself with an exit code other than 0 still ends the job.")
    private boolean survive;

    @Option(
            names = "--spares",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Start N ranks more, which wait and take the places of killed ones, for programs that"
                            + " join by Spares.fromEnvironment(). Implies --survive.")
    @Range(from = 0, to = 65_534)
    private int spares;

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
            description = "The program to start and its arguments.")
    private List<String> command = new ArrayList<>();

    /** As mpirun: what follows the program's name is the program's, with -- or without. */
    @Spec
    void stopAtTheProgram(CommandSpec of) {
        of.parser().stopAtPositional(true);
    }

    @Override
    public Integer call() throws Exception {
        URI wanted = service == null || service.toString().isEmpty() ? null : service;
        RankPlaces places = map.places(spec, places(), ranks, spares, wanted, this::say);
        String name = job != null ? job : "run-" + ProcessHandle.current().pid();
        RankEnvironment environment = ProgramPaths.addTo(new RankEnvironment(name, all()));
        if (wanted != null) {
            environment.service(wanted);
            for (Map.Entry<String, String> file : TrustOptions.variables().entrySet()) {
                environment.with(file.getKey(), file.getValue());
            }
        }
        if (wanted == null || !places.reach(wanted)) {
            environment.with("MADCAST_ROOT", places.root());
        }
        String profile = System.getenv("MADCAST_PROFILE");
        if (profile != null) {
            environment.with("MADCAST_PROFILE", profile); // also over ssh
        }
        if (report) {
            environment.with("MADCAST_REPORT", "1");
        }
        if (spares > 0) {
            environment.with("MADCAST_SPARES", Integer.toString(spares));
        }
        RankJob job = new RankJob(out(), err(), prefix, isTerminal(), survive || spares > 0);
        try (Cleanup cleanup = Cleanup.atExit(this::interrupted);
                Signals.Hearing _ = job.hear()) {
            List<String> program = places.onThisMachine() ? compiled(cleanup) : command;
            cleanup.make(() -> start(job, places, program, environment), _ -> job.end());
            return job.await();
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    /** How many ranks are started. */
    private int all() {
        return ranks + spares;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    private static boolean isTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    private void interrupted() {
        say("interrupted");
    }

    private RankPlaces places() throws IOException {
        if (lab != null && hostFile.isGiven()) {
            throw Arguments.wrong(spec, "--lab and --hostfile exclude each other");
        }
        if (lab != null) {
            return RankPlaces.InLab.of(
                    Lab.find(lab)
                            .map(Lab::hosts)
                            .orElseThrow(() ->
                                    new CommandFailure(
                                            ExitCode.LAB,
                                            "no lab named '"
                                                    + lab
                                                    + "' is up; make it with 'madcast lab up --name "
                                                    + lab
                                                    + "'")));
        }
        Optional<SshHosts> hosts = hostFile.hosts();
        return hosts.isEmpty() || HostFileOptions.areHere(hosts.get())
                ? RankPlaces.Here.make()
                : RankPlaces.OverSsh.of(hosts.get());
    }

    /** Compiles a source file once, where each rank would. */
    private List<String> compiled(Cleanup cleanup) throws IOException {
        if (!RankJvm.canCompile(command)) {
            return command;
        }
        Path classes =
                cleanup.make(() -> TemporaryDirectory.make("classes"), TemporaryDirectory::delete);
        return RankJvm.compile(command, classes, err())
                .orElseThrow(() ->
                        new CommandFailure(ExitCode.NO_INPUT, "the program cannot be compiled"));
    }

    private RankJob start(
            RankJob job, RankPlaces places, List<String> command, RankEnvironment environment) {
        String device = interfaceName != null ? interfaceName : places.interfaceName();
        boolean here = places.onThisMachine();
        boolean crowded = here && all() > Runtime.getRuntime().availableProcessors();
        String program = command.getFirst();
        if (here && ProgramPaths.isJava(program) && RankJvm.isTooOld(program)) {
            say(
                    program
                            + " is Java "
                            + ProgramPaths.javaFeature(program)
                            + ", too old for MPI programs on Madcast; name it 'java' to get Java "
                            + Runtime.version().feature());
        }
        try {
            List<String> words = RankJvm.addTo(command, crowded, here);
            if (here) {
                RankJvm.variables(command, crowded).forEach(environment::with);
            }
            for (int rank = 0; rank < all() && !(rank > 0 && job.isInterrupted()); rank++) {
                job.start(places, words, environment.of(rank, device));
            }
        } catch (IOException e) {
            job.end();
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    "'"
                            + (here ? program : hostFile.ssh())
                            + "' cannot be started; "
                            + (here ? advice(program) : "is it installed, and executable?"),
                    e);
        }
        return job;
    }

    private static String advice(String program) {
        if (program.endsWith(".java")) {
            return "did you mean: java " + program;
        }
        return program.endsWith(".jar")
                ? "did you mean: java -jar " + program
                : "is it installed, and executable?";
    }

    private void say(String remark) {
        err().println("madcast: " + remark);
        err().flush();
    }
}
