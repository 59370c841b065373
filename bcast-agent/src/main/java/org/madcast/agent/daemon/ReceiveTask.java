package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.JoinRequest;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.PushKey;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MadcastException;
import org.madcast.client.RankLostException;
import org.madcast.client.file.FileBroadcast;
import org.madcast.client.file.FileBroadcastOptions;
import org.madcast.client.file.FileReport;
import org.madcast.client.file.RankReport;

/**
 * This node's part in one round of a push: joins the sender's job, receives, tells the sender how
 * far it is and how it ended. It has a thread of its own; any thread may {@link #leave()} it.
 */
final class ReceiveTask {

    /** How the rank is attached: what only this node knows. */
    record Attachment(
            @Nullable String networkInterface,
            @Nullable String serviceToken,
            @Nullable PushKey key) {}

    private static final int SENDER = 0;
    private static final long PROGRESS_NS = 20_000_000;

    private final NodeChannel sender;
    private final JoinRequest request;
    private final Path destination;
    private final AgentMetrics metrics;
    private final AgentLog log;
    private final Thread thread;
    private @Nullable FileBroadcast files;
    private boolean left;
    private long toldNs = System.nanoTime() - PROGRESS_NS;

    private ReceiveTask(
            NodeChannel sender,
            JoinRequest request,
            CommunicatorConfig config,
            Path destination,
            AgentMetrics metrics,
            AgentLog log) {
        this.sender = sender;
        this.request = request;
        this.destination = destination;
        this.metrics = metrics;
        this.log = log;
        this.thread =
                Thread.ofPlatform().name("push-" + request.job()).unstarted(() -> run(config));
    }

    /**
     * Starts it.
     *
     * @throws IllegalArgumentException when the sender asks for what cannot be
     */
    static ReceiveTask start(
            NodeChannel sender,
            JoinRequest request,
            Path destination,
            Attachment attachment,
            AgentMetrics metrics,
            AgentLog log) {
        CommunicatorConfig config =
                request.config(
                        attachment.networkInterface(), attachment.serviceToken(), attachment.key());
        ReceiveTask made = new ReceiveTask(sender, request, config, destination, metrics, log);
        made.thread.start();
        return made;
    }

    /** Waits for its end, at most this long; whether it came. */
    boolean isOverWithin(Duration time) {
        try {
            return thread.join(time);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return !thread.isAlive();
        }
    }

    /** Ends it at the next piece of the stream. */
    synchronized void leave() {
        left = true;
        if (files != null) {
            files.cancel();
        }
    }

    private synchronized FileBroadcast broadcast(Communicator communicator) {
        FileBroadcast made =
                FileBroadcast.over(
                        communicator,
                        FileBroadcastOptions.defaults().withListener(this::tellProgress));
        files = made;
        if (left) {
            made.cancel();
        }
        return made;
    }

    private void run(CommunicatorConfig config) {
        metrics.began();
        log.say(
                AgentEvent.PUSH_STARTED,
                "job",
                request.job(),
                "rank",
                request.rank(),
                "ranks",
                request.size(),
                "sender",
                sender.peer(),
                "destination",
                destination.toString());
        try (Communicator communicator = Communicator.join(config)) {
            receive(broadcast(communicator));
        } catch (MadcastException broken) {
            brokeOff(-1, broken);
        } finally {
            metrics.ended();
        }
    }

    private void receive(FileBroadcast broadcast) {
        try {
            complete(broadcast.receive(destination, SENDER));
        } catch (RankLostException lost) {
            brokeOff(lost.rank(), lost);
        } catch (MadcastException | IOException | CancellationException broken) {
            brokeOff(-1, broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            brokeOff(-1, interrupted);
        }
    }

    private void complete(FileReport report) {
        RankReport own = report.ranks().get(request.rank());
        metrics.finished(own);
        log.say(
                own.isWhole() ? AgentEvent.PUSH_COMPLETE : AgentEvent.PUSH_PARTLY,
                "job",
                request.job(),
                "filesWritten",
                own.filesWritten(),
                "filesKept",
                own.filesKept(),
                "bytesWritten",
                own.bytesWritten(),
                "failures",
                own.failureCount());
        JsonObject ended = NodeChannel.message("ended");
        ended.put("complete", true);
        say(ended);
    }

    private void brokeOff(int lostRank, Exception reason) {
        metrics.brokeOff();
        log.say(
                AgentEvent.PUSH_BROKEN,
                "job",
                request.job(),
                "reason",
                String.valueOf(reason.getMessage()));
        JsonObject ended = NodeChannel.message("ended");
        ended.put("complete", false);
        ended.put("lostRank", lostRank);
        ended.put("reason", String.valueOf(reason.getMessage()));
        say(ended);
    }

    private void tellProgress(long bytes, long streamBytes) {
        long nowNs = System.nanoTime();
        if (nowNs - toldNs >= PROGRESS_NS) {
            toldNs = nowNs;
            JsonObject progress = NodeChannel.message("progress");
            progress.put("bytes", bytes);
            progress.put("streamBytes", streamBytes);
            say(progress);
        }
    }

    private void say(JsonObject message) {
        try {
            sender.say(message);
        } catch (IOException _) {
            // A sender that is gone is noticed by its listener.
        }
    }
}
