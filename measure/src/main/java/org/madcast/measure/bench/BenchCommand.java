package org.madcast.measure.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.topology.LabTopology;
import org.madcast.agent.topology.PlacedTopology;
import org.madcast.client.Algorithm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code madcast bench}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.CHECKSUM, ExitCode.LAB, ExitCode.RANK})
@Command(
        name = "bench",
        header = "Measure broadcasts and other collective calls in the lab.",
        description = {
            "",
            "One JVM per host. Every call is isolated: it starts at an agreed instant of the clock that"
                    + " all hosts share, and its time ends when the last rank is done; with --calls it is"
                    + " the mean of as many one behind the other. Bytes are compared outside the timed"
                    + " part. 'floor' is the same bytes as bare multicast datagrams, without any"
                    + " reliability, in the same run."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast bench --hosts 8 --sizes 1MiB --floor",
            "  madcast bench --collective allgather,allreduce --sizes 8,64KiB",
            "  madcast bench --collective barrier --sizes 0 --calls 1000",
            "  madcast bench --hosts 16 --loss 1 --algorithms once,ipmc --json result.json",
            "  madcast bench --topology net.topology --algorithms chain,chain_by_rank"
        })
public final class BenchCommand implements Callable<Integer> {

    private static final int MEETING_PORT = 47_100;
    private static final int BURST = 2000;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private MeasurementOptions measurement = new MeasurementOptions();

    @Option(
            names = "--algorithms",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "once,ipmc,chain,linear,binomial",
            description = "Algorithms, separated by commas (default ${DEFAULT-VALUE}).")
    private List<String> algorithms = List.of();

    @Option(
            names = "--collective",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Instead of broadcasts from rank 0, separated by commas:"
                            + " ${COMPLETION-CANDIDATES}. A size is that of a rank's part.")
    private List<MeasuredCall> collectives = List.of();

    @Option(
            names = "--compilers",
            paramLabel = "first|both",
            defaultValue = "first",
            description = {
                "Which of the JVM's compilers ranks have: the first, or both, for which they are warmed"
                        + " up longer (default ${DEFAULT-VALUE})."
            })
    private Compilers compilers = Compilers.FIRST;

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

    @Override
    public Integer call() throws Exception {
        BenchOptions plain =
                measurement.read("madcast", BURST).withCompilers(compilers).withCells(cells());
        if (topology == null) {
            return measure(plain, null);
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
            return measure(options, Files.writeString(ofRanks, tree.text()));
        } finally {
            TemporaryDirectory.delete(directory);
        }
    }

    private Integer measure(BenchOptions options, @Nullable Path ofRanks) throws Exception {
        List<Row> rows;
        try (Steps steps = Steps.on(spec.commandLine().getErr())) {
            Fleet.Starter starter =
                    (cluster, launch, heard) -> start(options, ofRanks, cluster, launch, heard);
            rows =
                    new Bench(options, starter, steps)
                            .run(unfinished -> measurement.show(options, unfinished));
        }
        return measurement.publish(options, rows);
    }

    /** Every size with every algorithm. */
    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        List<String> labels = Arguments.read(spec, this::labels);
        for (int sizeBytes : measurement.sizesBytes()) {
            labels.forEach(label -> cells.add(new Cell(label, sizeBytes)));
        }
        return measurement.withFloor(cells);
    }

    private List<String> labels() {
        return !collectives.isEmpty()
                ? collectives.stream().map(MeasuredCall::label).distinct().toList()
                : algorithms.stream().map(BenchCommand::label).distinct().toList();
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
                new RankEnvironment(job, options.hosts()).root(cluster.address(0), port);
        if (ofRanks != null) {
            environment.with("MADCAST_TOPOLOGY", ofRanks.toString());
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(Integer.toString(options.largestBytes()));
        arguments.addAll(options.algorithms());
        List<String> jvm = new ArrayList<>(JvmFleet.JVM_OPTIONS);
        jvm.addAll(compilers.options());
        jvm.addAll(jvmOptions);
        JvmFleet.Program program = new JvmFleet.Program(jvm, MadcastRank.class, arguments);
        return JvmFleet.start(cluster, environment, program, heard);
    }
}
