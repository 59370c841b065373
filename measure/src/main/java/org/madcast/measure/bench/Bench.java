package org.madcast.measure.bench;

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

/** One measurement: makes the lab, launches the ranks so many times, takes the lab down. */
public final class Bench {

    private final BenchOptions options;
    private final Fleet.Starter starter;
    private final Steps steps;
    private final List<Launch> launches = new CopyOnWriteArrayList<>();

    /** A measurement of what these ranks are, shown as these steps. */
    public Bench(BenchOptions options, Fleet.Starter starter, Steps steps) {
        this.options = options;
        this.starter = starter;
        this.steps = steps;
    }

    /** Measures; one row for each size and algorithm. */
    public List<Row> run() throws Exception {
        return run(_ -> {});
    }

    /**
     * The same.
     *
     * @param unfinished is shown the rows so far when the user interrupts the measurement
     */
    public List<Row> run(Consumer<List<Row>> unfinished) throws Exception {
        try (Cleanup cleanup = Cleanup.atExit(() -> interrupted(unfinished))) {
            Cluster cluster =
                    steps.run(
                            "making " + options.hosts() + " hosts",
                            () -> cleanup.make(this::makeLab, Cluster::close),
                            Cluster::description);
            for (int number = 0; number < options.launches(); number++) {
                launch(cleanup, cluster, number);
                if (number < options.launches() - 1) {
                    new BenchReport(options, rows()).lines().forEach(steps::say);
                }
            }
            return rows();
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    private List<Row> rows() {
        return options.cells().stream()
                .filter(cell -> !cell.isFloor())
                .map(cell -> Row.of(cell, launches))
                .filter(Row::isMeasured)
                .toList();
    }

    private void interrupted(Consumer<List<Row>> unfinished) {
        steps.say("madcast: interrupted, cleaning up");
        steps.close();
        List<Row> rows = rows();
        if (!rows.isEmpty()) {
            unfinished.accept(rows);
        }
    }

    private Cluster makeLab() {
        Optional<String> obstacle = LabCluster.whyNot(options.lossPercent() > 0);
        if (obstacle.isPresent()) {
            throw new CommandFailure(ExitCode.LAB, "bench needs the lab: " + obstacle.get());
        }
        return LabCluster.up(options.lab());
    }

    private void launch(Cleanup cleanup, Cluster cluster, int number) throws Exception {
        String name = "launch " + (number + 1) + " of " + options.launches();
        Step step = steps.begin(name);
        try {
            LaunchedRanks crew =
                    cleanup.make(
                            () -> LaunchedRanks.start(starter, cluster, number),
                            LaunchedRanks::end);
            List<LaunchedRanks.Heard> _ = crew.hearAll("joined");
            Launch launch = new Launch(options, crew);
            launches.add(launch);
            long startNs = System.nanoTime();
            launch.run(
                    Trial.schedule(options, options.seed() + number),
                    part -> step.progress(part, timeLeft(startNs, part, number)));
            crew.end();
            step.done(name + ": " + trials() + " broadcasts");
        } finally {
            step.abandon();
        }
    }

    /** If the launches to come take as long as this one, whose warm-up is part of its time. */
    private String timeLeft(long startNs, double part, int number) {
        double launchSeconds = (System.nanoTime() - startNs) / 1e9 / part;
        double left = launchSeconds * (options.launches() - number - part);
        return left < 90
                ? String.format(Locale.ROOT, "about %.0f s left", left)
                : String.format(Locale.ROOT, "about %.0f min left", left / 60);
    }

    private long trials() {
        return (long) options.cells().size() * options.repetitions();
    }

    /** True when a rank ever got other bytes than the root's. */
    static boolean isCorrupt(List<Row> rows) {
        return rows.stream().anyMatch(row -> row.corrupt() > 0);
    }
}
