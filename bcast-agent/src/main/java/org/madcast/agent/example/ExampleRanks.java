package org.madcast.agent.example;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.process.Child;
import org.madcast.agent.process.Children;
import org.madcast.agent.process.JavaCommand;
import org.madcast.agent.process.OwnSession;
import org.madcast.agent.process.RankEnvironment;

/** The rank processes of an example; what they say is gathered. */
final class ExampleRanks {

    private static final Duration GRACE = Duration.ofSeconds(2);

    /** How long the others may take to end, and to say why, after the first that failed. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xms64m",
                    "-Xmx1g",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:-UsePerfData",
                    "--enable-native-access=ALL-UNNAMED");

    private final Children children = new Children();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> complaintsOfFirst = new CopyOnWriteArrayList<>();

    private ExampleRanks() {}

    /** Starts them, one after the other on the hosts. */
    static ExampleRanks start(
            Cluster cluster, RankEnvironment environment, ExampleOptions options, Path classes)
            throws IOException {
        ExampleRanks ranks = new ExampleRanks();
        List<String> java =
                JavaCommand.of(
                        JVM_OPTIONS, classes, options.application().program(), options.arguments());
        try {
            for (int rank = 0; rank < options.ranks(); rank++) {
                int host = rank % cluster.size();
                List<String> complaints = rank == 0 ? ranks.complaintsOfFirst : ranks.complaints;
                ranks.children.add(
                        Child.start(
                                "rank " + rank + " on " + cluster.hostName(host),
                                OwnSession.of(cluster.command(host, java)),
                                environment.of(rank, cluster.interfaceName(host)),
                                ranks.said::add,
                                complaints::add));
            }
            return ranks;
        } catch (IOException e) {
            ranks.end();
            throw e;
        }
    }

    /**
     * Waits until all have ended, and returns what they said.
     *
     * @throws CommandFailure when one failed
     */
    List<String> await() throws InterruptedException {
        List<Child> left = new ArrayList<>(children.all());
        while (!left.isEmpty()) {
            for (Child child : List.copyOf(left)) {
                if (child.await(Duration.ofMillis(50))) {
                    left.remove(child);
                    if (child.exitValue() != 0) {
                        throw failure(child);
                    }
                }
            }
        }
        return List.copyOf(said);
    }

    private CommandFailure failure(Child child) throws InterruptedException {
        // Rank 0 says for all why nothing was computed; another rank may have ended first.
        long deadlineNs = System.nanoTime() + LAST_WORDS.toNanos();
        for (Child each : children.all()) {
            boolean _ = each.await(Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime())));
        }
        String reason =
                !complaintsOfFirst.isEmpty()
                        ? complaintsOfFirst.getLast()
                        : !complaints.isEmpty() ? complaints.getFirst() : "it said nothing";
        return switch (child.exitValue()) {
            case 2 -> new CommandFailure(ExitCode.USAGE, reason);
            case 3 -> new CommandFailure(ExitCode.NO_INPUT, reason);
            default ->
                    new CommandFailure(
                            ExitCode.RANK,
                            child.name() + " ended with code " + child.exitValue() + ": " + reason);
        };
    }

    /** Ends those that are left. */
    void end() {
        children.end(GRACE);
    }
}
