package org.madcast.agent.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
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

    /** A measurement of what these ranks are, shown as these steps. */
    public Bench(BenchOptions options, Fleet.Starter starter, Steps steps) {
        this.options = options;
        this.starter = starter;
        this.steps = steps;
    }

    /** Measures; one row for each size and algorithm. */
    public List<Row> run() throws Exception {
        try (Cleanup cleanup = Cleanup.atExit(this::interrupted)) {
            Cluster cluster =
                    steps.run(
                            "making " + options.hosts() + " hosts",
                            () -> cleanup.make(this::makeLab, Cluster::close),
                            Cluster::description);
            List<Launch> launches = new ArrayList<>();
            for (int number = 0; number < options.launches(); number++) {
                launches.add(launch(cleanup, cluster, number));
            }
            return options.cells().stream()
                    .filter(cell -> !cell.isFloor())
                    .map(cell -> Row.of(cell, launches))
                    .toList();
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    private void interrupted() {
        steps.say("madcast: interrupted, cleaning up");
        steps.close();
    }

    private Cluster makeLab() {
        Optional<String> obstacle = LabCluster.whyNot(options.lossPercent() > 0);
        if (obstacle.isPresent()) {
            throw new CommandFailure(ExitCode.LAB, "bench needs the lab: " + obstacle.get());
        }
        return LabCluster.up(options.lab());
    }

    private Launch launch(Cleanup cleanup, Cluster cluster, int number) throws Exception {
        String name = "launch " + (number + 1) + " of " + options.launches();
        Step step = steps.begin(name);
        try {
            LaunchedRanks crew =
                    cleanup.make(
                            () -> LaunchedRanks.start(starter, cluster, number),
                            LaunchedRanks::end);
            List<LaunchedRanks.Heard> _ = crew.hearAll("joined");
            Launch launch = new Launch(options, crew);
            launch.run(Trial.schedule(options, options.seed() + number), step::progress);
            crew.end();
            step.done(name + ": " + trials() + " broadcasts");
            return launch;
        } finally {
            step.abandon();
        }
    }

    private long trials() {
        return (long) options.cells().size() * options.repetitions();
    }

    /** True when a rank ever got other bytes than the root's. */
    static boolean isCorrupt(List<Row> rows) {
        return rows.stream().anyMatch(row -> row.corrupt() > 0);
    }
}
