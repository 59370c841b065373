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
import org.madcast.measure.options.LossOption;
import org.madcast.measure.options.RateOption;
import org.madcast.measure.options.SizesOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every command that measures, and what becomes of a measurement. */
public final class MeasurementOptions {

    private static final int MOST_HOSTS = 64;
    private static final int HOSTS = 16;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--hosts",
            split = ",",
            paramLabel = "N",
            description =
                    "How many hosts, 2 to "
                            + MOST_HOSTS
                            + "; several numbers, separated by commas, are measured one after the"
                            + " other (default "
                            + HOSTS
                            + ").")
    private List<Integer> hosts = List.of();

    @Mixin private RateOption rate = new RateOption();

    @Mixin private LossOption loss = new LossOption();

    @Option(
            names = "--superframes",
            description = {
                "Let datagrams sent in one call cross the lab's cables in one piece. This costs less"
                        + " processor time, but loss and rate are no longer those of a wire."
            })
    private boolean superframes;

    @Mixin private SizesOption sizes = new SizesOption();

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
     * @param burst see {@link Amount#burst}
     * @throws ParameterException when a value is wrong
     * @throws CommandFailure when the result could not be written
     */
    public BenchOptions read(String system, int burst) {
        output.requireWritable();
        List<Integer> ranks = Arguments.read(spec, this::ranks);
        LabSpec lab = Arguments.read(spec, () -> lab(ranks.getFirst()));
        long order = seed != null ? seed : ThreadLocalRandom.current().nextInt(1_000_000);
        return new BenchOptions(
                system,
                lab,
                ranks,
                List.of(),
                new Amount(launches, repetitions, warmUps, burst, calls),
                Compilers.FIRST,
                Method.PLAIN,
                order);
    }

    /** How many hosts the user asked for; empty when that was not said. */
    List<Integer> hosts() {
        return hosts;
    }

    private List<Integer> ranks() {
        for (int each : hosts) {
            if (each < 2 || each > MOST_HOSTS) {
                throw new IllegalArgumentException(
                        "--hosts must be 2 to " + MOST_HOSTS + ", not " + each);
            }
        }
        return hosts.isEmpty() ? List.of(HOSTS) : hosts.stream().distinct().toList();
    }

    private LabSpec lab(int most) {
        LabSpec.Builder lab =
                LabSpec.builder().hosts(most).lossPercent(loss.percent()).superframes(superframes);
        rate.limit().ifPresent(lab::rate);
        return lab.build();
    }

    /** The sizes that the user asked for, in bytes, each once. */
    public List<Integer> sizesBytes() {
        return Arguments.read(spec, sizes::bytes);
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
    public int publish(BenchOptions options, BenchResult result) throws IOException {
        BenchReport report = new BenchReport(options, result);
        return output.publish(spec.commandLine(), report, result.rows());
    }

    /** Prints what a measurement has that is not over; nothing where scripts read its end. */
    public void show(BenchOptions options, BenchResult result) {
        output.show(spec.commandLine(), new BenchReport(options, result));
    }
}
