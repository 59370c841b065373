package org.madcast.benchmarks.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Units;
import org.madcast.benchmarks.compare.MpiWay.Tuned;
import org.madcast.measure.bench.Bench;
import org.madcast.measure.bench.BenchOptions;
import org.madcast.measure.bench.BenchResult;
import org.madcast.measure.bench.Cell;
import org.madcast.measure.bench.Fleet;
import org.madcast.measure.bench.MeasuredCall;
import org.madcast.measure.bench.MeasurementOptions;
import org.madcast.measure.bench.Row;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code compare openmpi}. */
@Command(
        name = "openmpi",
        mixinStandardHelpOptions = true,
        header = "Measure MPI_Bcast and other collective calls of Open MPI 4.1 over TCP.",
        description = {
            "",
            "Its own choice and each algorithm of its component 'tuned'. A short search finds the"
                    + " best segment of each algorithm at each size; then those are measured. Needs the"
                    + " Debian packages openmpi-bin, libopenmpi-dev and gcc."
        })
final class OpenMpiCommand implements Callable<Integer> {

    /** Nothing has to be compiled while it runs; the connections are made by the first few. */
    private static final int BURST = 100;

    private static final int SEARCH_WARM_UPS = 1;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private MeasurementOptions measurement = new MeasurementOptions();

    @Option(
            names = "--algorithms",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Algorithms, with commas between (default all): ${COMPLETION-CANDIDATES}.")
    private List<Tuned> algorithms = List.of(Tuned.values());

    @Option(
            names = "--collective",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Instead of broadcasts from rank 0, separated by commas:"
                            + " ${COMPLETION-CANDIDATES}. A size is that of a rank's part.")
    private List<MeasuredCall> collectives = List.of();

    @Option(
            names = "--segments",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "2KiB,8KiB,32KiB,128KiB",
            description = "Segments to try, beside the whole message (default ${DEFAULT-VALUE}).")
    private List<String> segments = List.of();

    @Option(
            names = "--search",
            paramLabel = "N",
            defaultValue = "5",
            description = "Repetitions of the search (default ${DEFAULT-VALUE}).")
    private int search;

    @Option(
            names = "--tcp",
            split = ",",
            paramLabel = "NAME=VALUE",
            defaultValue = "tcp_congestion_control=reno,tcp_slow_start_after_idle=0",
            description =
                    "Settings below net.ipv4 for the lab's hosts (default ${DEFAULT-VALUE}); an"
                            + " empty one leaves the machine's. An isolated broadcast finds its"
                            + " connections idle, so what the machine does then decides.")
    private List<String> tcp = List.of();

    @Override
    public Integer call() throws Exception {
        BenchOptions options = measurement.read("openmpi", BURST);
        MpiProgram openMpi = new MpiProgram(System.getenv().getOrDefault("PATH", ""));
        Path mpirun = openMpi.launcher();
        try (Cleanup cleanup = Cleanup.atExit(() -> {})) {
            Path directory =
                    cleanup.make(
                            () -> TemporaryDirectory.make("openmpi"), TemporaryDirectory::delete);
            Path program = openMpi.compile(directory);
            BenchOptions full;
            BenchResult result;
            try (Steps steps = Steps.on(spec.commandLine().getErr())) {
                Measurement run = new Measurement(mpirun, directory, program, tcp, steps);
                full = options.withCells(measurement.withFloor(choose(options, run)));
                result = run.of(full, "run");
            }
            return measurement.publish(full, result);
        }
    }

    /** The best segment of each algorithm at each size, after a search where there are several. */
    private List<Cell> choose(BenchOptions options, Measurement run) throws Exception {
        if (!collectives.isEmpty()) {
            return calls();
        }
        List<Cell> candidates = candidates();
        List<Cell> contested = contested(candidates);
        if (contested.isEmpty()) {
            return candidates;
        }
        run.steps().say("searching the best segments");
        List<Integer> most = List.of(Collections.max(options.ranks()));
        BenchOptions brief =
                options.times(1, search, SEARCH_WARM_UPS).withRanks(most).withCells(contested);
        return best(candidates, run.of(brief, "search").rows());
    }

    private record Measurement(
            Path mpirun, Path directory, Path program, List<String> tcp, Steps steps) {

        BenchResult of(BenchOptions options, String phase) throws Exception {
            List<MpiWay> ways = options.algorithms().stream().map(MpiWay::parse).toList();
            Path own = Files.createDirectory(directory.resolve(phase));
            MpiFleet.Job job = new MpiFleet.Job(mpirun, own, program, options.largestBytes(), ways);
            Fleet.Starter starter =
                    (cluster, launch, heard) -> {
                        HostSettings.apply(cluster, tcp);
                        return MpiFleet.start(job, cluster, launch, heard);
                    };
            return new Bench(options, starter, steps).run();
        }
    }

    /** Every size with every algorithm and every segment that cuts it. */
    private List<Cell> candidates() {
        List<Cell> cells = new ArrayList<>();
        for (int sizeBytes : measurement.sizesBytes()) {
            for (Tuned algorithm : algorithms) {
                segmentsOf(algorithm, sizeBytes)
                        .map(segmentBytes -> MpiWay.of(algorithm, segmentBytes).name())
                        .forEach(name -> cells.add(new Cell(name, sizeBytes)));
            }
        }
        return cells;
    }

    /** Every size with every algorithm of each call. */
    private List<Cell> calls() {
        return measurement.sizesBytes().stream()
                .flatMap(sizeBytes ->
                        collectives.stream()
                                .distinct()
                                .flatMap(call -> MpiWay.of(call).stream())
                                .map(way -> new Cell(way.name(), sizeBytes)))
                .toList();
    }

    private Stream<Integer> segmentsOf(Tuned algorithm, int sizeBytes) {
        Stream<Integer> whole = Stream.of(0);
        if (!algorithm.isSegmented()) {
            return whole;
        }
        try {
            List<Integer> cutting =
                    segments.stream()
                            .map(text -> (int) Units.sizeBytes(text))
                            .filter(bytes -> bytes > 0 && bytes < sizeBytes)
                            .toList();
            return Stream.concat(whole, cutting.stream());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /** Those of which there are several for the same size and algorithm. */
    private static List<Cell> contested(List<Cell> candidates) {
        return candidates.stream()
                .filter(cell ->
                        candidates.stream().filter(other -> rivals(cell, other)).count() > 1)
                .toList();
    }

    private static boolean rivals(Cell one, Cell other) {
        return one.sizeBytes() == other.sizeBytes()
                && MpiWay.algorithmOf(one.algorithm())
                        .equals(MpiWay.algorithmOf(other.algorithm()));
    }

    /** For each size and algorithm the fastest one of the search, or the only one. */
    private static List<Cell> best(List<Cell> candidates, List<Row> searched) {
        Set<Cell> losers = new HashSet<>();
        for (Row row : searched) {
            Row fastest =
                    searched.stream()
                            .filter(other -> rivals(row.cell(), other.cell()))
                            .min(Comparator.comparingDouble(Row::lastMedianUs))
                            .orElse(row);
            if (!fastest.cell().equals(row.cell())) {
                losers.add(row.cell());
            }
        }
        return candidates.stream().filter(cell -> !losers.contains(cell)).toList();
    }
}
