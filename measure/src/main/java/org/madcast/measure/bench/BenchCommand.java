package org.madcast.measure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.cluster.SshCluster;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.process.SshHosts;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.topology.LabTopology;
import org.madcast.agent.topology.PlacedTopology;
import org.madcast.client.Algorithm;
import org.madcast.measure.options.AlgorithmsOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast bench}. */
@ExitCodes({
    ExitCode.NO_INPUT,
    ExitCode.CHECKSUM,
    ExitCode.SERVICE,
    ExitCode.LAB,
    ExitCode.NODE,
    ExitCode.RANK
})
@Command(
        name = "bench",
        header = "Measure broadcasts and other collective calls, in the lab or on real hosts.",
        description = {
            "",
            "One JVM per host. --mode says what a time is. isolated: a call starts at an agreed instant,"
                    + " when all before it has ended, and its time ends when the last rank is done."
                    + " pipelined: the mean of --calls calls one behind the other. overlap: each rank"
                    + " computes while a non-blocking call is under way; the result is which part of"
                    + " the call's time that hides. Bytes are compared outside the timed part. 'floor' is"
                    + " the same bytes as bare multicast datagrams, without any reliability, in the"
                    + " same run.",
            "",
            "With --hostfile or --nodes the ranks run on real hosts, on which Madcast is installed in the"
                    + " same directory. Their clocks are compared with that of rank 0 by the shortest of"
                    + " many round trips, in a tree, every two seconds; the result says by how much"
                    + " they are off."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast bench --hosts 4,8,16 --sizes 1MiB --floor",
            "  madcast bench --collective allgather,allreduce --sizes 8,64KiB",
            "  madcast bench --collective barrier --sizes 0 --mode pipelined --calls 1000",
            "  madcast bench --collective allreduce/ring,allreduce/halving --sizes 1MiB",
            "  madcast bench --mode overlap --sizes 1MiB",
            "  madcast bench --hosts 16 --loss 1 --skew 2 --json result.json",
            "  madcast bench --hostfile hosts --algorithms once,chain --per-rank",
            "  madcast bench --topology net.topology --algorithms chain,chain_by_rank"
        })
public final class BenchCommand implements Callable<Integer> {

    private static final int MEETING_PORT = 47_100;
    private static final int BURST = 2000;

    private static final List<String> OF_A_LAB =
            List.of("--topology", "--rate", "--loss", "--superframes");

    /** What is overlapped unless other calls are named. */
    private static final List<MeasuredCall> OVERLAPPED =
            List.of(
                    MeasuredCall.IBCAST,
                    MeasuredCall.ALLGATHER,
                    MeasuredCall.ALLREDUCE,
                    MeasuredCall.ALLTOALL);

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private MeasurementOptions measurement = new MeasurementOptions();

    @Mixin private AlgorithmsOption algorithms = new AlgorithmsOption();

    @Option(
            names = "--collective",
            split = ",",
            paramLabel = "NAME[/ALGORITHM]",
            completionCandidates = MeasuredWay.Candidates.class,
            description =
                    "Instead of broadcasts, separated by commas: ${COMPLETION-CANDIDATES}. A size is"
                            + " that of a rank's part. An algorithm is one that a selection table can"
                            + " name for the call, for instance barrier/tree.")
    private List<String> collectives = List.of();

    @Mixin private CompilersOption compilers = new CompilersOption();

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "An option for each rank's JVM; may be repeated.")
    private List<String> jvmOptions = List.of();

    @Option(
            names = "--topology",
            paramLabel = "FILE",
            description = {
                "A tree of switches with a rate for each cable, instead of --hosts and --rate (see"
                        + " 'madcast topology'). chain and binary then follow the cables;"
                        + " chain_by_rank and binary_by_rank are for comparison."
            })
    private @Nullable Path topology;

    @Mixin private MethodOptions method = new MethodOptions();

    @Mixin private PlaceOptions place = new PlaceOptions();

    @Override
    public Integer call() throws Exception {
        BenchOptions asked = measurement.read("madcast", BURST).withCompilers(compilers.value());
        Optional<SshHosts> hosts = place.hosts(spec);
        List<Integer> ranks = measurement.hosts();
        BenchOptions placed =
                hosts.isPresent() && ranks.isEmpty()
                        ? asked.withRanks(List.of(hosts.get().names().size()))
                        : asked;
        BenchOptions plain = method.apply(spec, placed, hosts.isPresent()).withCells(cells(placed));
        if (hosts.isPresent()) {
            for (String option : OF_A_LAB) {
                if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                    throw Arguments.wrong(spec, option + " is for a lab, not for real hosts");
                }
            }
            return measure(plain.onRealHosts(), count -> SshCluster.of(hosts.get(), count), null);
        }
        if (topology == null) {
            return measure(plain, null, null);
        }
        LabTopology tree = LabTopology.of(PlacedTopology.read(topology));
        BenchOptions options;
        try {
            options = plain.withLab(tree.lab(plain.lab()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "--topology " + topology + ": " + e.getMessage(), e);
        }
        Path directory = TemporaryDirectory.make("bench");
        try {
            Path ofRanks = directory.resolve("ranks.topology");
            return measure(options, null, Files.writeString(ofRanks, tree.text()));
        } finally {
            TemporaryDirectory.delete(directory);
        }
    }

    private Integer measure(
            BenchOptions options, Bench.@Nullable Places places, @Nullable Path ofRanks)
            throws Exception {
        BenchResult result;
        try (Steps steps = Steps.on(spec.commandLine().getErr())) {
            Fleet.Starter starter =
                    (cluster, launch, heard) -> start(options, ofRanks, cluster, launch, heard);
            Bench bench =
                    places == null
                            ? new Bench(options, starter, steps)
                            : new Bench(options, places, starter, steps);
            result = bench.run(unfinished -> measurement.show(options, unfinished));
        }
        return measurement.publish(options, result);
    }

    /** Every size with every algorithm, and each that has a root with every root. */
    private List<Cell> cells(BenchOptions options) {
        List<Cell> cells = new ArrayList<>();
        List<String> labels = Arguments.read(spec, this::labels);
        List<Integer> roots = Arguments.read(spec, () -> method.roots(options.ranks()));
        for (int sizeBytes : measurement.sizesBytes()) {
            for (String label : labels) {
                boolean rooted = MeasuredCall.of(label).map(MeasuredCall::hasRoot).orElse(true);
                (rooted ? roots : List.of(0))
                        .forEach(root -> cells.add(new Cell(label, sizeBytes, root)));
            }
        }
        return measurement.withFloor(cells);
    }

    private List<String> labels() {
        boolean named = spec.commandLine().getParseResult().hasMatchedOption(AlgorithmsOption.NAME);
        boolean calls = !collectives.isEmpty() || (method.isOverlap() && !named);
        if (!calls) {
            return algorithms.names().stream().map(BenchCommand::label).distinct().toList();
        }
        if (collectives.isEmpty()) {
            return OVERLAPPED.stream().map(MeasuredCall::label).toList();
        }
        List<MeasuredWay> wanted = collectives.stream().map(MeasuredWay::of).toList();
        for (MeasuredWay way : wanted) {
            if (method.isOverlap() && !way.call().canOverlap()) {
                throw new IllegalArgumentException(
                        "--mode overlap is not for " + way.label() + ", which always waits");
            }
        }
        return wanted.stream().map(MeasuredWay::label).distinct().toList();
    }

    private static String label(String name) {
        boolean byRank = name.endsWith(MadcastRank.BY_RANK);
        String label = Algorithm.of(name.replace(MadcastRank.BY_RANK, "")).label();
        return byRank ? label + MadcastRank.BY_RANK : label;
    }

    private Fleet start(
            BenchOptions options,
            @Nullable Path ofRanks,
            Cluster cluster,
            int launch,
            BiConsumer<Integer, String> heard)
            throws IOException {
        String job = "bench-" + ProcessHandle.current().pid() + "-" + launch;
        // Ranks of an earlier launch may hold their port for a while after they have ended.
        int port = MEETING_PORT + launch * options.algorithms().size();
        RankEnvironment environment =
                new RankEnvironment(job, cluster.size()).root(cluster.address(0), port);
        if (ofRanks != null) {
            environment.with("MADCAST_TOPOLOGY", ofRanks.toString());
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(Integer.toString(options.largestBytes()));
        arguments.addAll(options.algorithms());
        List<String> jvm = new ArrayList<>(JvmFleet.JVM_OPTIONS);
        jvm.addAll(compilers.value().options());
        jvm.addAll(jvmOptions);
        JvmFleet.Program program = new JvmFleet.Program(jvm, MadcastRank.class, arguments);
        return JvmFleet.start(cluster, environment, program, heard);
    }
}
