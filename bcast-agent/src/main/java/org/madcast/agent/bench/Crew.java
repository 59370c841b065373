package org.madcast.agent.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;
import org.madcast.agent.process.Child;
import org.madcast.agent.process.Children;
import org.madcast.agent.process.JavaCommand;
import org.madcast.agent.process.RankEnvironment;

/** The rank processes of one launch, told what to do and heard from the parent's side. */
final class Crew {

    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-Xms32m",
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:-UsePerfData",
                    "-Xshare:auto",
                    "-Djava.util.logging.SimpleFormatter.format=%5$s%6$s%n",
                    "--enable-native-access=ALL-UNNAMED");

    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    /** A line that a rank said, in words. */
    record Heard(int rank, List<String> words) {

        long number(int index) {
            return Long.parseLong(words.get(index));
        }
    }

    private final Children children = new Children();
    private final LinkedBlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final Map<Integer, String> remarks = new HashMap<>();

    private Crew() {}

    /** Starts one process on each host. */
    static Crew start(Cluster cluster, RankEnvironment environment, List<String> arguments)
            throws IOException {
        Crew crew = new Crew();
        try {
            for (int i = 0; i < cluster.size(); i++) {
                int rank = i;
                List<String> java = JavaCommand.of(JVM_OPTIONS, BenchRank.class, arguments);
                crew.children.add(
                        Child.start(
                                "rank " + rank + " on " + cluster.hostName(rank),
                                cluster.command(rank, java),
                                environment.of(rank, cluster.interfaceName(rank)),
                                line -> crew.heard.add(new Heard(rank, List.of(line.split(" ")))),
                                line -> crew.remark(rank, line)));
            }
            return crew;
        } catch (IOException e) {
            crew.end();
            throw e;
        }
    }

    private synchronized void remark(int rank, String line) {
        remarks.putIfAbsent(rank, line);
    }

    private synchronized String remarkOf(int rank) {
        return remarks.getOrDefault(rank, "it said nothing");
    }

    /** Tells every rank the same. */
    void tell(String line) {
        children.all().forEach(child -> child.send(line));
    }

    /** Waits for so many lines that begin with this word. */
    List<Heard> hear(String word, int count) throws InterruptedException {
        List<Heard> lines = new ArrayList<>();
        long deadlineNs = System.nanoTime() + LONGEST_SILENCE.toNanos();
        while (lines.size() < count) {
            @Nullable Heard line = heard.poll(200, TimeUnit.MILLISECONDS);
            if (line == null) {
                requireAlive(word, lines.size() < count && System.nanoTime() > deadlineNs);
            } else if (line.words().getFirst().equals(word)) {
                lines.add(line);
                deadlineNs = System.nanoTime() + LONGEST_SILENCE.toNanos();
            } else if (line.words().getFirst().equals("failed")) {
                throw failure(
                        line.rank(),
                        String.join(" ", line.words().subList(1, line.words().size())));
            }
        }
        return lines;
    }

    /** Waits for one line of each rank. */
    List<Heard> hearAll(String word) throws InterruptedException {
        return hear(word, children.all().size());
    }

    private void requireAlive(String word, boolean silent) {
        List<Child> all = children.all();
        for (int rank = 0; rank < all.size(); rank++) {
            Child child = all.get(rank);
            if (!child.isAlive() && heard.isEmpty()) {
                throw failure(rank, "ended with code " + child.exitValue() + ": " + remarkOf(rank));
            }
        }
        if (silent) {
            throw new CommandFailure(ExitCode.RANK, "not every rank said '" + word + "' in time");
        }
    }

    private CommandFailure failure(int rank, String reason) {
        return new CommandFailure(
                ExitCode.RANK, children.all().get(rank).name() + " failed: " + reason);
    }

    /** Waits a little for the ranks to leave, then ends those that are left. */
    void end() {
        children.end(GRACE);
    }
}
