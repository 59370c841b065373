package org.madcast.benchmarks.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.terminal.Steps;
import org.madcast.measure.bench.Bench;
import org.madcast.measure.bench.BenchOptions;
import org.madcast.measure.bench.BenchRank;
import org.madcast.measure.bench.BenchResult;
import org.madcast.measure.bench.Cell;
import org.madcast.measure.bench.Compilers;
import org.madcast.measure.bench.Fleet;
import org.madcast.measure.bench.JvmFleet;
import org.madcast.measure.bench.MeasurementOptions;
import org.madcast.measure.bench.Row;
import picocli.CommandLine.Model.CommandSpec;

/** Measures a system that runs inside of the ranks' JVMs. */
final class JvmComparison {

    private static final int MEETING_PORT = 47_500;

    /** As many as a JVM needs until it has compiled what it runs. */
    private static final int BURST = 2000;

    private final CommandSpec spec;
    private final MeasurementOptions measurement;
    private final JvmFleet.Program program;
    private BenchOptions options;

    /**
     * A comparison.
     *
     * @param program its main method leads to {@link BenchRank#run}; its arguments are added here
     */
    JvmComparison(
            String system,
            CommandSpec spec,
            MeasurementOptions measurement,
            JvmFleet.Program program) {
        this.spec = spec;
        this.measurement = measurement;
        this.program = program;
        this.options = measurement.read(system, BURST);
    }

    /**
     * Measures every size in every configuration, of which each gets launches of its own: the
     * system is configured when a rank starts.
     *
     * @param configurations each is an algorithm of the result
     * @return what the command ends with
     */
    int run(List<String> configurations) throws Exception {
        List<Row> rows = new ArrayList<>();
        for (String configuration : configurations) {
            rows.addAll(launches(options.system() + " " + configuration, List.of(configuration)));
        }
        return measurement.publish(options, BenchResult.ofLab(rows));
    }

    /**
     * Measures every size with every algorithm, all in the same launches.
     *
     * @return what the command ends with
     */
    int runTogether(List<String> algorithms) throws Exception {
        List<Row> rows = launches(options.system(), algorithms);
        return measurement.publish(options, BenchResult.ofLab(rows));
    }

    private List<Row> launches(String title, List<String> algorithms) throws Exception {
        try (Steps steps = Steps.on(spec.commandLine().getErr())) {
            steps.say(title);
            BenchOptions own = options.withCells(cells(algorithms));
            Fleet.Starter starter = (cluster, launch, heard) -> start(own, cluster, launch, heard);
            return new Bench(own, starter, steps).run().rows();
        }
    }

    private List<Cell> cells(List<String> algorithms) {
        return measurement.withFloor(
                measurement.sizesBytes().stream()
                        .flatMap(sizeBytes ->
                                algorithms.stream()
                                        .map(algorithm -> new Cell(algorithm, sizeBytes)))
                        .toList());
    }

    private Fleet start(
            BenchOptions own, Cluster cluster, int launch, BiConsumer<Integer, String> heard)
            throws IOException {
        RankEnvironment environment =
                new RankEnvironment("compare", cluster.size())
                        .root(cluster.address(0), MEETING_PORT + launch);
        List<String> arguments = new ArrayList<>();
        arguments.add(Integer.toString(own.largestBytes()));
        arguments.addAll(own.algorithms());
        return JvmFleet.start(
                cluster,
                environment,
                new JvmFleet.Program(program.options(), program.main(), arguments),
                heard);
    }

    /** Warms up as these compilers need it; without this, as for the first. */
    JvmComparison with(Compilers compilers) {
        options = options.withCompilers(compilers);
        return this;
    }

    /** The options of every rank's JVM and these. */
    static List<String> jvmOptions(Compilers compilers, String... more) {
        List<String> all = new ArrayList<>(JvmFleet.JVM_OPTIONS);
        all.addAll(compilers.options());
        all.addAll(List.of(more));
        return all;
    }
}
