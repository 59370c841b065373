package org.madcast.agent.push;

import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.push.NodeOutcome.State;
import org.madcast.client.JoinFailedException;
import org.madcast.client.RankLostException;
import org.madcast.client.file.FileFailure;
import org.madcast.client.file.FileReport;
import org.madcast.client.file.RankReport;

/**
 * A push from beginning to end: connects to the agents, then makes a job with those that are there.
 * When a node is lost, the job is broken for all of its ranks; so the rest make another one and go
 * on from where they are, until no node is lost any more.
 */
final class Push implements AutoCloseable {

    private static final Duration LONGEST_END = Duration.ofSeconds(25);
    private static final int MOST_JOIN_FAILURES = 2;

    /** A further node is dropped only if it went so much faster without the last one. */
    private static final double WORTH_WHILE = 1.5;

    private final PushOptions options;
    private final String job;
    private final PushProgress progress;
    private final Map<String, NodeOutcome> outcomes = new ConcurrentHashMap<>();
    private final List<NodeLink> links = new ArrayList<>();
    private @Nullable String newName;
    private List<FileFailure> sourceFailures = List.of();
    private @Nullable Transmission transmission;
    private int rounds;
    private int joinFailures;
    private double rateBeforeDrop;
    private boolean dropped;

    /**
     * A push.
     *
     * @param job the start of its jobs' names
     */
    Push(PushOptions options, String job, PushProgress progress) {
        this.options = options;
        this.job = job;
        this.progress = progress;
    }

    PushResult run(SourceSize size) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        connectAll();
        settleName();
        boolean done = false;
        while (!done && !links.isEmpty()) {
            done = round(job + "-" + rounds);
            rounds++;
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        List<NodeOutcome> all =
                options.nodes().stream()
                        .map(node -> outcomes.getOrDefault(node.text(), unknown(node)))
                        .toList();
        return new PushResult(
                all,
                size.files(),
                size.bytes(),
                progress.streamBytes(),
                seconds,
                rounds,
                sourceFailures,
                transmission);
    }

    private static NodeOutcome unknown(NodeName node) {
        return NodeOutcome.failed(node.text(), State.LOST, "nothing was heard of it");
    }

    private void connectAll() throws InterruptedException {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<NodeLink>>> pending = new ArrayList<>();
            for (NodeName node : options.nodes()) {
                pending.add(pool.submit(() -> connect(node)));
            }
            for (Future<List<NodeLink>> link : pending) {
                links.addAll(link.get());
            }
        } catch (ExecutionException broken) {
            throw new IllegalStateException("connecting broke off", broken);
        }
    }

    /**
     * Decides whether the destination is a directory or the new name of the only file, which all
     * nodes must agree on; for a new name they are offered the directory above it.
     */
    private void settleName() throws InterruptedException {
        if (!options.mayRename() || links.stream().allMatch(NodeLink::isDirectory)) {
            return;
        }
        Path destination = Path.of(options.destination());
        Path parent = destination.getParent();
        if (parent == null || links.stream().anyMatch(NodeLink::isDirectory)) {
            NodeLink other = links.stream().filter(NodeLink::isDirectory).findFirst().orElseThrow();
            throw new CommandFailure(
                    ExitCode.NODE,
                    destination
                            + " is a directory on "
                            + other.name()
                            + " but not on all nodes; end it with / to put the file below it");
        }
        newName = destination.getFileName().toString();
        for (NodeLink link : List.copyOf(links)) {
            if (!accepts(link, parent.toString())) {
                links.remove(link);
                link.close();
            }
        }
    }

    /** The link, or none. */
    private List<NodeLink> connect(NodeName node) throws InterruptedException {
        NodeLink link;
        try {
            link = NodeLink.connect(node, options.token(), options.connectTimeout());
        } catch (NodeChannel.RefusedException e) {
            fail(node.text(), State.REFUSED, String.valueOf(e.getMessage()));
            return List.of();
        } catch (IOException e) {
            fail(node.text(), State.UNREACHABLE, describe(node, e));
            return List.of();
        }
        if (accepts(link, options.destination())) {
            return List.of(link);
        }
        link.close();
        return List.of();
    }

    private boolean accepts(NodeLink link, String destination) throws InterruptedException {
        try {
            String refusal =
                    link.offer(destination, options.attachment().key(), options.connectTimeout());
            if (refusal == null) {
                return true;
            }
            fail(link.name(), State.REFUSED, refusal);
        } catch (IOException e) {
            fail(link.name(), State.UNREACHABLE, String.valueOf(e.getMessage()));
        }
        return false;
    }

    /** With where it was looked for, unless that is said already. */
    private static String describe(NodeName node, IOException reason) {
        String at = node.hostAndPort();
        boolean said = node.text().equals(at) || reason instanceof UnknownHostException;
        return (said ? "" : at + ": ") + reason.getMessage();
    }

    private void fail(String node, State state, String reason) {
        outcomes.put(node, NodeOutcome.failed(node, state, reason));
    }

    /** True when it was the last one. */
    private boolean round(String job) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        progress.beginRound((double) links.size() / options.nodes().size());
        boolean resume = options.files().resume() || rounds > 0;
        Round round = new Round(options, newName, List.copyOf(links), progress, rateToDrop());
        try {
            finish(round.run(job, resume));
            return true;
        } catch (RankLostException lost) {
            double seconds = (System.nanoTime() - startNs) / 1e9;
            rateBeforeDrop = progress.roundStreamBytes() / Math.max(seconds, 1e-3);
            lose(lost.rank() - 1, String.valueOf(lost.getMessage()));
        } catch (Round.LostBeforeStartException lost) {
            lose(lost.index(), "its agent hung up");
        } catch (JoinFailedException failed) {
            joinFailures++;
            if (!loseGone() && joinFailures >= MOST_JOIN_FAILURES) {
                loseAll(String.valueOf(failed.getMessage()));
            }
        } finally {
            Transmission last = round.transmission();
            transmission = last == null ? transmission : last;
        }
        awaitEnds();
        return false;
    }

    /** After a first drop the rate must have risen, or the next one would not help either. */
    private double rateToDrop() {
        if (!options.dropSlow() || links.size() < 2) {
            return Double.POSITIVE_INFINITY;
        }
        return dropped ? WORTH_WHILE * rateBeforeDrop : 0;
    }

    private void finish(FileReport report) {
        sourceFailures = report.ranks().getFirst().failures();
        for (int i = 0; i < links.size(); i++) {
            RankReport rank = report.ranks().get(i + 1);
            String node = links.get(i).name();
            outcomes.put(
                    node,
                    new NodeOutcome(
                            node,
                            rank.isWhole() ? State.COMPLETE : State.PARTLY,
                            rank.isWhole() ? "" : describe(rank),
                            rank));
        }
    }

    private static String describe(RankReport rank) {
        FileFailure first = rank.failures().getFirst();
        String more = rank.failureCount() > 1 ? ", and " + (rank.failureCount() - 1) + " more" : "";
        return (first.path().isEmpty() ? "" : first.path() + ": ") + first.reason() + more;
    }

    private void lose(int index, String reason) {
        boolean any = loseGone();
        if (index >= 0 && index < links.size() && !any) {
            remove(links.get(index), reason);
        }
    }

    /**
     * Gives up the nodes whose agents closed the connection or were asked to leave; true when there
     * were any.
     */
    private boolean loseGone() {
        List<NodeLink> lost =
                links.stream().filter(link -> link.isGone() || link.wasToldToLeave()).toList();
        lost.forEach(link -> remove(link, "its agent died or was ended"));
        return !lost.isEmpty();
    }

    private void loseAll(String reason) {
        List.copyOf(links).forEach(link -> remove(link, reason));
    }

    private void remove(NodeLink link, String reason) {
        if (link.wasToldToLeave() && !link.isGone()) {
            dropped = true;
            fail(link.name(), State.DROPPED, "all others waited for it");
        } else {
            fail(link.name(), State.LOST, reason);
        }
        links.remove(link);
        link.close();
    }

    private void awaitEnds() throws InterruptedException {
        for (NodeLink link : List.copyOf(links)) {
            if (!link.awaitEnd(LONGEST_END)) {
                remove(link, link.isGone() ? "its agent died or was ended" : "it does not end");
            }
        }
    }

    @Override
    public void close() {
        links.forEach(NodeLink::close);
    }
}
