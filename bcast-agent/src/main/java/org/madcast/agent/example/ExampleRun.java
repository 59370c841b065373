package org.madcast.agent.example;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.cluster.LabCluster;
import org.madcast.agent.cluster.LoopbackCluster;
import org.madcast.agent.node.FreePort;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.agent.terminal.Steps;
import org.madcast.lab.LabSpec;

/** One run of an application, from its source to its result; nothing of it is left. */
final class ExampleRun {

    private static final int MEETING_PORT = 47_300;

    private final ExampleOptions options;
    private final Steps steps;

    ExampleRun(ExampleOptions options, Steps steps) {
        this.options = options;
        this.steps = steps;
    }

    /** Runs it. */
    ExampleResult run() throws Exception {
        try (Cleanup cleanup = Cleanup.atExit(() -> steps.say("madcast: interrupted"))) {
            return run(cleanup);
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    private ExampleResult run(Cleanup cleanup) throws Exception {
        ExampleSource source = ExampleSource.of(options.application());
        Path classes =
                cleanup.make(() -> TemporaryDirectory.make("example"), TemporaryDirectory::delete);
        source.compile(classes);
        Cluster cluster =
                steps.run(
                        options.inLab() ? "making " + options.hosts() + " hosts" : "looking around",
                        () -> cleanup.make(this::cluster, Cluster::close),
                        Cluster::description);
        ExampleRanks ranks =
                cleanup.make(
                        () -> ExampleRanks.start(cluster, environment(cluster), options, classes),
                        ExampleRanks::end);
        List<String> said =
                steps.run(
                        "running " + options.application().program(),
                        ranks::await,
                        _ -> options.application().program() + " with " + options.place());
        return ExampleResult.of(options, said);
    }

    private Cluster cluster() {
        if (!options.inLab()) {
            return new LoopbackCluster(options.ranks());
        }
        Optional<String> obstacle = LabCluster.whyNot(false);
        if (obstacle.isPresent()) {
            throw new CommandFailure(
                    ExitCode.LAB,
                    "an example needs the lab: "
                            + obstacle.get()
                            + "; or give --no-lab to run it over loopback");
        }
        // As by a network card that cuts and joins segments; the processors are for the ranks.
        LabSpec.Builder lab = LabSpec.builder().hosts(options.hosts()).superframes(true);
        return LabCluster.up(options.rate().map(lab::rate).orElse(lab).build());
    }

    private RankEnvironment environment(Cluster cluster) throws IOException {
        String address = cluster.address(0);
        int port = options.inLab() ? MEETING_PORT : FreePort.onLoopback().getPort();
        String job = "example-" + ProcessHandle.current().pid();
        return new RankEnvironment(job, options.ranks()).root(address, port);
    }
}
