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

/**
 * Measures a system that runs inside of the ranks' JVMs. It is configured once, when a rank starts;
 * so every configuration gets launches of its own, as an algorithm by the configuration's name.
 */
final class JvmComparison {

    private static final int MEETING_PORT = 47_500;

    /** As many as a JVM needs until it has compiled what it runs. */
    private static final int BURST = 2000;

    private final CommandSpec spec;
    private final MeasurementOptions measurement;
    private final BenchOptions options;
    private final JvmFleet.Program program;

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

    /** Measures every size in every configuration; returns what the command ends with. */
    int run(List<String> configurations) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (Steps steps = Steps.on(spec.commandLine().getErr())) {
            for (String configuration : configurations) {
                steps.say(options.system() + " " + configuration);
                BenchOptions own = options.withCells(cells(configuration));
                Fleet.Starter starter =
                        (cluster, launch, heard) -> start(own, cluster, launch, heard);
                rows.addAll(new Bench(own, starter, steps).run().rows());
            }
        }
        return measurement.publish(options, BenchResult.ofLab(rows));
    }

    private List<Cell> cells(String configuration) {
        return measurement.withFloor(
                measurement.sizesBytes().stream()
                        .map(sizeBytes -> new Cell(configuration, sizeBytes))
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

    /** The options of every rank's JVM and these. */
    static List<String> jvmOptions(String... more) {
        List<String> all = new ArrayList<>(JvmFleet.JVM_OPTIONS);
        all.addAll(Compilers.FIRST.options());
        all.addAll(List.of(more));
        return all;
    }
}
