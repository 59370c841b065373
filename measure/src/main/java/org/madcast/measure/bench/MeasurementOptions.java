package org.madcast.measure.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.Arguments;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.Range;
import org.madcast.lab.LabSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that measures, and what becomes of a measurement. */
public final class MeasurementOptions {

    private static final int MOST_HOSTS = 64;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--hosts",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many hosts, 2 to " + MOST_HOSTS + " (default ${DEFAULT-VALUE}).")
    @Range(from = 2, to = MOST_HOSTS)
    private int hosts;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            defaultValue = "100mbit",
            description = "The rate of a link, such as 1gbit, or none (default ${DEFAULT-VALUE}).")
    private String rate = "";

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            defaultValue = "0",
            description =
                    "Percentage of arriving datagrams that each host loses (default ${DEFAULT-VALUE}).")
    @Range(from = 0, to = 100, below = true)
    private double loss;

    @Option(
            names = "--superframes",
            description = {
                "Let datagrams sent in one call cross the lab's cables in one piece. This costs less"
                        + " processor time, but loss and rate are no longer those of a wire."
            })
    private boolean superframes;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "16,4KiB,64KiB,1MiB,4MiB",
            description = "Message sizes, separated by commas (default ${DEFAULT-VALUE}).")
    private List<String> sizes = List.of();

    @Option(
            names = "--launches",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "How many times all processes are started afresh (default ${DEFAULT-VALUE}).")
    @Range(from = 1, to = 100)
    private int launches;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            defaultValue = "20",
            description = "Timed broadcasts of each kind per launch (default ${DEFAULT-VALUE}).")
    @Range(from = 1, to = 100_000)
    private int repetitions;

    @Option(
            names = "--calls",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "How many calls one behind the other a time is taken over (default"
                            + " ${DEFAULT-VALUE}: each alone).")
    @Range(from = 1, to = 100_000)
    private int calls;

    @Option(
            names = "--warm-ups",
            paramLabel = "N",
            defaultValue = "100",
            description =
                    "Untimed broadcasts of each kind beforehand (default ${DEFAULT-VALUE}); fewer, but at"
                            + " least 5, for messages above 160 KiB.")
    @Range(from = 0, to = 1000)
    private int warmUps;

    @Option(names = "--floor", description = "Measure the bare network too.")
    private boolean floor;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides the order of the broadcasts (default a new one each time).")
    private @Nullable Long seed;

    @Mixin private ResultOutput output = new ResultOutput();

    /**
     * What the user asked for, without any cells.
     *
     * @param burst see {@link BenchOptions#burst}
     * @throws ParameterException when a value is wrong
     * @throws CommandFailure when the result could not be written
     */
    public BenchOptions read(String system, int burst) {
        output.requireWritable();
        LabSpec lab = Arguments.read(spec, this::lab);
        long order = seed != null ? seed : ThreadLocalRandom.current().nextInt(1_000_000);
        return new BenchOptions(
                system,
                lab,
                List.of(),
                launches,
                repetitions,
                warmUps,
                burst,
                calls,
                Compilers.FIRST,
                order);
    }

    private LabSpec lab() {
        return LabSpec.builder()
                .hosts(hosts)
                .rate(rate)
                .lossPercent(loss)
                .superframes(superframes)
                .build();
    }

    /** The sizes that the user asked for, in bytes, each once. */
    public List<Integer> sizesBytes() {
        return Arguments.read(spec, () -> ResultOutput.sizesBytes(sizes));
    }

    /** These cells, and a floor for each of their sizes when it is wanted. */
    public List<Cell> withFloor(List<Cell> cells) {
        List<Cell> all = new ArrayList<>(cells);
        if (floor) {
            cells.stream()
                    .map(Cell::sizeBytes)
                    .distinct()
                    .forEach(sizeBytes -> all.add(new Cell(Cell.FLOOR, sizeBytes)));
        }
        return all;
    }

    /**
     * Prints and writes the result.
     *
     * @return what the command ends with
     */
    public int publish(BenchOptions options, List<Row> rows) throws IOException {
        return output.publish(spec.commandLine(), new BenchReport(options, rows), rows);
    }

    /** Prints what a measurement has that is not over; nothing where scripts read its end. */
    public void show(BenchOptions options, List<Row> rows) {
        output.show(spec.commandLine(), new BenchReport(options, rows));
    }
}
