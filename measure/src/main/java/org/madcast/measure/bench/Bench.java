package org.madcast.measure.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.cluster.LabCluster;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Steps.Step;
import org.madcast.lab.LabSpec;

/**
 * One measurement: for each number of ranks makes the lab, or takes the hosts that there are,
 * launches the ranks so many times, and takes the lab down.
 */
public final class Bench {

    /** Where the ranks run. */
    @FunctionalInterface
    public interface Places {
        /** Makes room for so many ranks, or leaves nothing behind and throws. */
        Cluster make(int ranks);
    }

    private final BenchOptions options;
    private final Places places;
    private final Fleet.Starter starter;
    private final Steps steps;
    private final ClockQuality quality = new ClockQuality();
    private final List<Row> ended = new CopyOnWriteArrayList<>();
    private final List<Launch> launches = new CopyOnWriteArrayList<>();
    private volatile int ranks;
    private volatile String place = "";
    private double workDone;

    /** A measurement of what these ranks are in a lab, shown as these steps. */
    public Bench(BenchOptions options, Fleet.Starter starter, Steps steps) {
        this(options, ranks -> lab(options, ranks), starter, steps);
    }

    /** A measurement in these places. */
    public Bench(BenchOptions options, Places places, Fleet.Starter starter, Steps steps) {
        this.options = options;
        this.places = places;
        this.starter = starter;
        this.steps = steps;
    }

    /** Measures; one row for each number of ranks, size, algorithm and root. */
    public BenchResult run() throws Exception {
        return run(_ -> {});
    }

    /**
     * The same.
     *
     * @param unfinished is shown the rows so far when the user interrupts the measurement
     */
    public BenchResult run(Consumer<BenchResult> unfinished) throws Exception {
        for (int each : options.ranks()) {
            run(each, unfinished);
            ended.addAll(rowsOfLaunches());
            launches.clear();
        }
        return result();
    }

    private void run(int ofRanks, Consumer<BenchResult> unfinished) throws Exception {
        ranks = ofRanks;
        try (Cleanup cleanup = Cleanup.atExit(() -> interrupted(unfinished))) {
            Cluster cluster =
                    steps.run(
                            "making " + ranks + " hosts",
                            () -> cleanup.make(() -> places.make(ranks), Cluster::close),
                            Cluster::description);
            place = cluster instanceof LabCluster ? "" : cluster.description();
            for (int number = 0; number < options.amount().launches(); number++) {
                launch(cleanup, cluster, number);
                workDone += ranks;
                if (workDone < work()) {
                    BenchResult sofar = result();
                    new BenchReport(options, sofar).lines().forEach(steps::say);
                }
            }
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    private BenchResult result() {
        List<Row> rows = new ArrayList<>(ended);
        rows.addAll(rowsOfLaunches());
        return new BenchResult(rows, quality, place);
    }

    private List<Row> rowsOfLaunches() {
        return options.cells().stream()
                .filter(cell -> !cell.isFloor())
                .map(cell -> Row.of(cell, ranks, launches))
                .filter(Row::isMeasured)
                .toList();
    }

    private void interrupted(Consumer<BenchResult> unfinished) {
        steps.say("madcast: interrupted, cleaning up");
        steps.close();
        BenchResult result = result();
        if (!result.rows().isEmpty()) {
            unfinished.accept(result);
        }
    }

    private static Cluster lab(BenchOptions options, int ranks) {
        Optional<String> obstacle = LabCluster.whyNot(options.lossPercent() > 0);
        if (obstacle.isPresent()) {
            throw new CommandFailure(ExitCode.LAB, "bench needs the lab: " + obstacle.get());
        }
        LabSpec lab = options.lab();
        if (lab.hosts() == ranks) {
            return LabCluster.up(lab);
        }
        LabSpec.Builder builder =
                LabSpec.builder()
                        .hosts(ranks)
                        .lossPercent(lab.lossPercent())
                        .superframes(lab.superframes());
        lab.rate().ifPresent(builder::rate);
        return LabCluster.up(builder.build());
    }

    private void launch(Cleanup cleanup, Cluster cluster, int number) throws Exception {
        String name = "launch " + (number + 1) + " of " + options.amount().launches();
        Step step = steps.begin(name);
        try {
            LaunchedRanks crew =
                    cleanup.make(
                            () -> LaunchedRanks.start(starter, cluster, number),
                            LaunchedRanks::end);
            List<LaunchedRanks.Heard> _ = crew.hearAll("joined");
            long seed = options.seed() + number;
            Launch launch = new Launch(options, cluster, crew, quality, seed);
            launches.add(launch);
            long startNs = System.nanoTime();
            launch.run(
                    Trial.schedule(options, seed),
                    part -> step.progress(part, timeLeft(startNs, part)));
            crew.end();
            step.done(name + ": " + trials() + " broadcasts");
        } finally {
            step.abandon();
        }
    }

    /** What there is to do: the more ranks the more. */
    private double work() {
        return (double) options.amount().launches()
                * options.ranks().stream().mapToInt(Integer::intValue).sum();
    }

    /** If the launches to come take as long as this one, whose warm-up is part of its time. */
    private String timeLeft(long startNs, double part) {
        double seconds = (System.nanoTime() - startNs) / 1e9 / part;
        double left = seconds * ((work() - workDone) / ranks - part);
        return left < 90
                ? String.format(Locale.ROOT, "about %.0f s left", left)
                : String.format(Locale.ROOT, "about %.0f min left", left / 60);
    }

    private long trials() {
        return (long) options.cells().size() * options.amount().repetitions();
    }
}
