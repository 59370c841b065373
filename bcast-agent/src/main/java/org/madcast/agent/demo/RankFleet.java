package org.madcast.agent.demo;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.process.Child;
import org.madcast.agent.process.Children;
import org.madcast.agent.process.JavaCommand;
import org.madcast.agent.process.OwnSession;
import org.madcast.agent.process.RankEnvironment;
import org.madcast.agent.process.RankJvm;
import org.madcast.agent.terminal.LibraryLog;

/**
 * The rank processes of a demonstration. They report what happens on threads of their own; whoever
 * made the fleet awaits them.
 */
final class RankFleet {

    private static final Duration GRACE = Duration.ofSeconds(4);

    private final Children children = new Children();
    private final SortedMap<Integer, RankOutcome> outcomes = new ConcurrentSkipListMap<>();
    private final SortedMap<Integer, String> failures = new ConcurrentSkipListMap<>();
    private final SortedMap<String, Integer> remarks = new ConcurrentSkipListMap<>();
    private final CountDownLatch joined;
    private volatile @Nullable JsonObject introduction;
    private volatile DoubleConsumer onProgress = _ -> {};

    private RankFleet(int size) {
        this.joined = new CountDownLatch(size);
    }

    /** Starts one process on each host, which waits for {@link #join}. */
    static RankFleet start(Cluster cluster, RankEnvironment environment, Path file)
            throws IOException {
        RankFleet fleet = new RankFleet(cluster.size());
        try {
            for (int rank = 0; rank < cluster.size(); rank++) {
                fleet.startRank(cluster, environment, file, rank);
            }
        } catch (IOException e) {
            fleet.end();
            throw e;
        }
        return fleet;
    }

    private void startRank(Cluster cluster, RankEnvironment environment, Path file, int rank)
            throws IOException {
        List<String> java =
                JavaCommand.of(RankJvm.ofThisProgram(), DemoRank.class, List.of(file.toString()));
        String host = cluster.hostName(rank);
        children.add(
                Child.start(
                        "rank " + rank + " on " + host,
                        OwnSession.of(cluster.command(rank, java)),
                        environment.of(rank, cluster.interfaceName(rank)),
                        line -> hear(rank, host, line),
                        line -> remarks.putIfAbsent(LibraryLog.words(line), rank)));
    }

    private void hear(int rank, String host, String line) {
        JsonObject said;
        try {
            said = JsonParser.object().from(line);
        } catch (JsonParserException _) {
            remarks.putIfAbsent(line, rank);
            return;
        }
        switch (said.getString("event", "")) {
            case "joined" -> {
                introduction = said;
                joined.countDown();
            }
            case "progress" -> onProgress.accept(said.getDouble("part"));
            case "done" -> outcomes.put(rank, RankOutcome.of(rank, host, said));
            case "failed" -> failures.put(rank, said.getString("message", "no reason given"));
            default -> remarks.putIfAbsent(line, rank);
        }
    }

    /** Lets the ranks join each other. */
    void join() {
        children.all().forEach(child -> child.send("join"));
    }

    /** Called with the part of the file that has arrived, 0 to 1. */
    void onProgress(DoubleConsumer consumer) {
        onProgress = consumer;
    }

    /**
     * Waits until all ranks have met.
     *
     * @return what the ranks agreed on
     */
    JsonObject awaitJoined() throws InterruptedException {
        while (!joined.await(50, TimeUnit.MILLISECONDS)) {
            for (Child child : children.all()) {
                if (!child.isAlive() && joined.getCount() > 0) {
                    throw failure(child);
                }
            }
        }
        JsonObject agreed = introduction;
        return agreed == null ? new JsonObject() : agreed;
    }

    /** Waits until all ranks have ended and returns what they said, by rank. */
    List<RankOutcome> awaitDone() throws InterruptedException {
        for (Child child : children.all()) {
            while (!child.await(Duration.ofMillis(100))) {
                // Ranks end by themselves, also when another one dies: no call of theirs hangs.
            }
        }
        List<Child> ended = children.all();
        for (int rank = 0; rank < ended.size(); rank++) {
            if (!outcomes.containsKey(rank)) {
                throw failure(ended.get(rank));
            }
        }
        return new ArrayList<>(outcomes.values());
    }

    private CommandFailure failure(Child child) throws InterruptedException {
        // The first rank that died is the reason for the others' failures; let it have its say.
        boolean _ = child.await(Duration.ofSeconds(1));
        if (!failures.isEmpty()) {
            int rank = failures.firstKey();
            Child first = children.all().get(rank);
            return new CommandFailure(
                    ExitCode.RANK, first.name() + " failed: " + failures.get(rank));
        }
        String reason = remarks.isEmpty() ? "it said nothing" : remarks.firstKey();
        return new CommandFailure(
                ExitCode.RANK,
                child.name() + " ended with code " + child.exitValue() + ": " + reason);
    }

    /** What the ranks said beside their reports, such as warnings; each text once. */
    List<String> remarks() {
        return remarks.entrySet().stream()
                .map(remark -> "rank " + remark.getValue() + ": " + remark.getKey())
                .toList();
    }

    /** Ends those that are left. */
    void end() {
        children.end(GRACE);
    }
}
