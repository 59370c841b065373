package org.madcast.measure.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.cluster.Cluster;

/** The ranks of one launch, told what to do and heard from the parent's side. */
final class LaunchedRanks {

    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    /** A line that a rank said, in words. */
    record Heard(int rank, List<String> words) {

        long number(int index) {
            return Long.parseLong(words.get(index));
        }
    }

    private final LinkedBlockingQueue<Heard> heard;
    private final Fleet fleet;
    private final int size;

    private LaunchedRanks(Fleet fleet, int size, LinkedBlockingQueue<Heard> heard) {
        this.fleet = fleet;
        this.size = size;
        this.heard = heard;
    }

    /** Starts one process on each host. */
    static LaunchedRanks start(Fleet.Starter starter, Cluster cluster, int launch)
            throws IOException {
        LinkedBlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
        Fleet fleet =
                starter.start(
                        cluster,
                        launch,
                        (rank, line) -> heard.add(new Heard(rank, List.of(line.split(" ")))));
        return new LaunchedRanks(fleet, cluster.size(), heard);
    }

    /** Sends every rank the same. */
    void tell(String line) {
        fleet.tell(line);
    }

    /** Sends one rank a line. */
    void tell(int rank, String line) {
        fleet.tell(rank, line);
    }

    /** Waits for {@code count} lines that begin with this word. */
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
                throw new CommandFailure(
                        ExitCode.RANK,
                        fleet.name(line.rank())
                                + " failed: "
                                + String.join(" ", line.words().subList(1, line.words().size())));
            }
        }
        return lines;
    }

    /** Waits for one line of each rank. */
    List<Heard> hearAll(String word) throws InterruptedException {
        return hear(word, size);
    }

    private void requireAlive(String word, boolean silent) {
        Optional<String> trouble = fleet.trouble();
        if (trouble.isPresent() && heard.isEmpty()) {
            throw new CommandFailure(ExitCode.RANK, trouble.get());
        }
        if (silent) {
            throw new CommandFailure(ExitCode.RANK, "not every rank said '" + word + "' in time");
        }
    }

    /** Waits a little for the ranks to leave, then ends those that are left. */
    void end() {
        fleet.end();
    }
}
