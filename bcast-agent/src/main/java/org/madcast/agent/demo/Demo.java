package org.madcast.agent.demo;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.cluster.LabCluster;
import org.madcast.agent.cluster.LoopbackCluster;
import org.madcast.agent.process.Cleanup;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.service.ServiceProcess;
import org.madcast.agent.terminal.Steps;
import org.madcast.agent.terminal.Steps.Step;
import org.madcast.agent.terminal.Units;
import org.madcast.lab.LabSpec;

/** One run of the demonstration, from nothing to nothing. */
final class Demo {

    private final DemoOptions options;
    private final Steps steps;
    private final boolean wantsLab;
    private volatile boolean keepService;

    Demo(DemoOptions options, Steps steps, boolean wantsLab) {
        this.options = options;
        this.steps = steps;
        this.wantsLab = wantsLab;
    }

    /**
     * Runs it, shows the result and takes down everything that was made, except a service that
     * shall be kept.
     */
    DemoResult run(Consumer<DemoResult> show) throws Exception {
        try (Cleanup cleanup = Cleanup.atExit(this::interrupted)) {
            DemoResult result = run(cleanup);
            steps.close();
            show.accept(result);
            return result;
        } catch (CancellationException e) {
            throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", e);
        }
    }

    private void interrupted() {
        steps.say("madcast: interrupted, cleaning up");
        steps.close();
    }

    private DemoResult run(Cleanup cleanup) throws Exception {
        ServiceProcess.requireFree(options.port());
        boolean inLab = cleanup.make(this::labIsPossible, _ -> {});
        String job = "demo-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);
        ServiceProcess service = startService(cleanup);
        FutureTask<Ranks> starting = new FutureTask<>(() -> startRanks(cleanup, inLab, job));
        Thread.ofPlatform().daemon().name("ranks").start(starting);
        awaitHealthy(service);
        Ranks ranks = result(starting);
        RankFleet fleet = ranks.fleet();
        fleet.join();
        JsonObject agreed =
                steps.run(
                        options.ranks() + " ranks meet",
                        fleet::awaitJoined,
                        said -> options.ranks() + " ranks met in group " + said.getString("group"));
        List<RankOutcome> outcomes = broadcast(fleet);
        DemoResult result =
                new DemoResult(
                        options, ranks.cluster().description(), agreed, outcomes, fleet.remarks());
        result.addService(service, job);
        keepService = options.keep() && service.isAlive();
        if (keepService) {
            service.keep();
        }
        return result;
    }

    private List<RankOutcome> broadcast(RankFleet fleet) throws InterruptedException, IOException {
        String size = Units.size(Files.size(options.file()));
        Step step = steps.begin("broadcasting " + options.file().getFileName());
        try {
            fleet.onProgress(step::progress);
            List<RankOutcome> outcomes = fleet.awaitDone();
            step.done("broadcast " + size + ", checked by " + outcomes.size() + " ranks");
            return outcomes;
        } finally {
            step.abandon();
        }
    }

    private ServiceProcess startService(Cleanup cleanup) throws IOException {
        Path directory = options.dataDirectory();
        Path home =
                directory != null
                        ? directory
                        : cleanup.make(() -> TemporaryDirectory.make("demo"), this::deleteData);
        return cleanup.make(() -> ServiceProcess.start(options.port(), home), this::stopService);
    }

    private void awaitHealthy(ServiceProcess service) throws Exception {
        steps.run(
                "starting the service",
                () -> {
                    service.awaitHealthy();
                    return service;
                },
                _ -> "allocation service on " + service.uri() + " (its own database)");
    }

    private void stopService(ServiceProcess service) {
        if (!keepService) {
            service.stop();
        }
    }

    private void deleteData(Path directory) {
        if (!keepService) {
            TemporaryDirectory.delete(directory);
        }
    }

    private record Ranks(Cluster cluster, RankFleet fleet) {}

    /**
     * Makes the hosts and starts the JVMs of the ranks on them, which takes as long as a service.
     */
    private Ranks startRanks(Cleanup cleanup, boolean inLab, String job) throws Exception {
        Cluster cluster =
                steps.run(
                        "making " + options.ranks() + " hosts",
                        () -> cleanup.make(() -> cluster(inLab), Cluster::close),
                        Cluster::description);
        RankEnvironment environment =
                new RankEnvironment(job, options.ranks()).service(cluster.reach(options.port()));
        return new Ranks(
                cluster,
                cleanup.make(
                        () -> RankFleet.start(cluster, environment, options.file()),
                        RankFleet::end));
    }

    private Cluster cluster(boolean inLab) {
        return inLab ? LabCluster.up(lab()) : new LoopbackCluster(options.ranks());
    }

    private LabSpec lab() {
        LabSpec.Builder spec =
                LabSpec.builder().hosts(options.ranks()).lossPercent(options.lossPercent());
        return options.rate().map(spec::rate).orElse(spec).build();
    }

    /** Says why when a lab is wanted and there can be none. */
    private boolean labIsPossible() {
        if (!wantsLab) {
            return false;
        }
        Optional<String> obstacle = LabCluster.whyNot(options.lossPercent() > 0);
        if (obstacle.isPresent() && options.lossPercent() > 0) {
            throw new CommandFailure(ExitCode.LAB, "--loss needs the lab: " + obstacle.get());
        }
        obstacle.ifPresent(
                why -> steps.say("no lab here: " + why + "\ngoing on over the loopback interface"));
        return obstacle.isEmpty();
    }

    private static Ranks result(FutureTask<Ranks> making) throws Exception {
        try {
            return making.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** What the service says about the job's leases after all ranks have left. */
    static boolean leaseIsLive(ServiceProcess service, String job) throws InterruptedException {
        JsonObject leases =
                new ServiceClient(service.uri(), null).get("/v1/leases?state=ACTIVE&job=" + job);
        return leases.getLong("total") > 0;
    }
}
