package org.madcast.measure.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.ExitCodes;
import org.madcast.agent.Range;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.terminal.Steps;
import org.madcast.client.Algorithm;
import org.madcast.measure.bench.ResultOutput;
import org.madcast.measure.bench.Row;
import org.madcast.measure.options.AlgorithmsOption;
import org.madcast.measure.options.LossOption;
import org.madcast.measure.options.SizesOption;
import org.madcast.measure.options.SkewOption;
import org.madcast.simulator.JobSettings;
import org.madcast.simulator.SimulationFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code madcast simulate}. */
@ExitCodes({ExitCode.NO_INPUT, ExitCode.CHECKSUM, ExitCode.RANK})
@Command(
        name = "simulate",
        header = "Simulate broadcasts and other calls on a network of any size.",
        description = {
            "",
            "The engines of the library themselves run on simulated hosts, cables and switches, in one"
                    + " process and without a lab. The result is that of 'madcast bench'. The same"
                    + " options and seed give the same result."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  madcast simulate --ranks 342 --sizes 8KiB,64KiB --algorithms once,ipmc",
            "  madcast simulate --ranks 10000 --sizes 1MiB --algorithms once",
            "  madcast simulate --ranks 64 --switches 7 --trunk 1gbit --loss 0.1 --floor",
            "  madcast simulate --ranks 256 --collective allreduce,allreduce/ring"
        })
public final class SimulateCommand implements Callable<Integer> {

    private static final List<String> OF_BROADCASTS =
            List.of("--algorithms", "--floor", "--window", "--loss", "--queue");

    private static final List<String> OF_NO_MEASUREMENT =
            List.of(
                    "--ranks",
                    "--rate",
                    "--loss",
                    "--sizes",
                    "--algorithms",
                    "--collective",
                    "--switches",
                    "--trunk",
                    "--topology",
                    "--processors");

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private NetworkOptions network = new NetworkOptions();

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description =
                    "How many ranks, each on its own host, 2 to "
                            + JobSettings.MOST_RANKS
                            + " (default "
                            + NetworkOptions.STANDARD_RANKS
                            + ", or as many as the topology has).")
    @Range(from = 2, to = JobSettings.MOST_RANKS)
    private @Nullable Integer ranks;

    @Mixin private SizesOption sizes = new SizesOption();

    @Mixin private AlgorithmsOption algorithms = new AlgorithmsOption();

    @Option(
            names = "--collective",
            split = ",",
            paramLabel = "NAME[/ALGORITHM]",
            description =
                    "Instead of broadcasts, separated by commas: barrier, gather, scatter, allgather,"
                            + " alltoall, reduce, allreduce or reduce_scatter, as the library selects or"
                            + " with this algorithm. A size is that of a rank's part.")
    private List<String> collectives = List.of();

    @Mixin private LossOption loss = new LossOption();

    @Mixin private SkewOption skew = new SkewOption();

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "0",
            description = {
                "How many fragments may be in flight, a power of two from 2 to 2048 (default 2048, or"
                        + " less where the memory of all ranks would be more than 1 GiB)."
            })
    private int window;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description =
                    "Broadcasts of each kind (default 1; with --loss or --skew up to 20, the fewer the"
                            + " larger the job).")
    @Range(from = 1, to = 100_000)
    private @Nullable Integer repetitions;

    @Option(names = "--floor", description = "Simulate the bare network too.")
    private boolean floor;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Decides losses and when ranks call; another one gives another run (default"
                            + " ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin private ResultOutput output = new ResultOutput();

    @Option(
            names = "--measured",
            paramLabel = "FILE",
            description = {
                "Simulate what this file of 'madcast bench --json' measured, as the lab has it, and"
                        + " compare: ranks, rate, loss, sizes and algorithms are the file's."
            })
    private @Nullable Path measured;

    @Override
    public Integer call() throws IOException {
        output.requireWritable();
        SimulateOptions options = Arguments.read(spec, this::read);
        SimulatedBench bench = new SimulatedBench(options);
        try (Steps steps = Steps.on(spec.commandLine().getErr());
                Cleanup _ = Cleanup.atExit(() -> interrupted(steps, options, bench))) {
            bench.run(steps);
        } catch (SimulationFailure e) {
            throw new CommandFailure(ExitCode.RANK, String.valueOf(e.getMessage()), e);
        }
        List<Row> rows = bench.rows();
        return output.publish(spec.commandLine(), new SimulateReport(options, rows), rows);
    }

    private SimulateOptions read() {
        Measured known = measured == null ? null : known(measured);
        if (!collectives.isEmpty()) {
            network.refuse(
                    OF_BROADCASTS,
                    "--collective simulates messages on connections that lose nothing");
        }
        return new SimulateOptions(
                new JobSettings(
                        network.network(ranks, !collectives.isEmpty()),
                        loss.percent(),
                        skew.ns(),
                        network.costs(),
                        window,
                        seed),
                network.describe(),
                network.rate(),
                kinds(),
                sizes.bytes(),
                repetitions == null ? 0 : repetitions,
                floor,
                known);
    }

    private List<SimulatedKind> kinds() {
        return collectives.isEmpty()
                ? algorithms.names().stream()
                        .map(Algorithm::of)
                        .distinct()
                        .<SimulatedKind>map(SimulatedKind.Broadcast::new)
                        .toList()
                : collectives.stream().map(SimulatedKind::collective).distinct().toList();
    }

    /** Lets a file say what the options else do. */
    private Measured known(Path file) {
        network.refuse(OF_NO_MEASUREMENT, "--measured names a file that says this");
        Measured known = Measured.read(file);
        network.takeLab(known.rate(), known.processors());
        ranks = known.ranks();
        loss.set(known.lossPercent());
        sizes.set(known.sizesBytes());
        algorithms.set(known.algorithms());
        collectives = known.collectives();
        if (!collectives.isEmpty() && known.lossPercent() > 0) {
            throw new IllegalArgumentException(
                    file + " has messages on cables that lose something, which is not simulated");
        }
        return known;
    }

    private void interrupted(Steps steps, SimulateOptions options, SimulatedBench bench) {
        steps.say("madcast: interrupted; this is done so far");
        steps.close();
        List<Row> rows = bench.rows();
        if (!rows.isEmpty()) {
            output.show(spec.commandLine(), new SimulateReport(options, rows));
        }
    }
}
