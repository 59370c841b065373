package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.AllowedDirectories;
import org.madcast.agent.node.JoinRequest;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.PushKey;
import org.madcast.agent.probe.ProbeService;

/**
 * One sender's connection. It sends {@code offer} with a destination, answered by {@code accepted},
 * with whether that is a directory, or {@code refused}; then {@code join} for each round, answered
 * by {@code progress} and {@code ended}; {@code leave} ends a round for this node. When the
 * connection ends, so does the round. Messages of a probe are answered by a {@link ProbeService},
 * those of loggp by an {@link Echo}.
 */
final class AgentSession {

    private final NodeChannel sender;
    private final AllowedDirectories allowed;
    private final ReceiveTask.Attachment attachment;
    private final AgentMetrics metrics;
    private final AgentLog log;
    private final ProbeService probe;
    private final Echo echo;
    private @Nullable Path destination;
    private static final Duration LONGEST_LEAVING = Duration.ofSeconds(10);

    private @Nullable ReceiveTask participation;

    AgentSession(
            NodeChannel sender,
            AllowedDirectories allowed,
            ReceiveTask.Attachment attachment,
            AgentMetrics metrics,
            AgentLog log) {
        this.sender = sender;
        this.allowed = allowed;
        this.attachment = attachment;
        this.metrics = metrics;
        this.log = log;
        this.echo =
                new Echo(
                        sender.localAddress(),
                        sender.remoteAddress(),
                        attachment.networkInterface());
        this.probe = new ProbeService(sender.node(), attachment.networkInterface());
    }

    /** Serves until the sender is gone. */
    void serve() {
        try (sender;
                echo;
                probe) {
            while (true) {
                handle(sender.hear());
            }
        } catch (IOException _) {
            // The sender is gone or sends invalid messages: this is over.
        } finally {
            leave();
        }
    }

    private void handle(JsonObject message) throws IOException {
        if (NodeChannel.type(message).endsWith("-open")) {
            metrics.probed();
            log.say(AgentEvent.PROBED, "peer", sender.peer(), "by", NodeChannel.type(message));
        }
        if (ProbeService.understands(message)) {
            sender.say(probe.answer(message));
            return;
        }
        if (Echo.understands(message)) {
            sender.say(echo.open(message));
            return;
        }
        switch (NodeChannel.type(message)) {
            case "offer" ->
                    offer(message.getString("destination", ""), message.getString("key", ""));
            case "join" -> join(JoinRequest.of(message));
            case "leave" -> leave();
            default -> throw new IOException("unknown message " + NodeChannel.type(message));
        }
    }

    private void offer(String wanted, String fingerprint) throws IOException {
        Path resolved;
        try {
            String mismatch = PushKey.refusal(attachment.key(), fingerprint);
            if (mismatch != null) {
                throw new IOException(mismatch);
            }
            resolved = allowed.resolve(wanted);
            destination = resolved;
        } catch (IOException refusal) {
            destination = null;
            metrics.refused();
            log.say(
                    AgentEvent.DESTINATION_REFUSED,
                    "sender",
                    sender.peer(),
                    "destination",
                    wanted,
                    "reason",
                    String.valueOf(refusal.getMessage()));
            JsonObject refused = NodeChannel.message("refused");
            refused.put("reason", String.valueOf(refusal.getMessage()));
            sender.say(refused);
            return;
        }
        JsonObject accepted = NodeChannel.message("accepted");
        accepted.put("directory", Files.isDirectory(resolved));
        accepted.put("sealed", attachment.key() != null);
        sender.say(accepted);
    }

    private void join(JoinRequest request) throws IOException {
        Path to = destination;
        ReceiveTask running = participation;
        // It says how it ended before it has left its communicator, which takes a moment.
        if (to == null || (running != null && !running.isOverWithin(LONGEST_LEAVING))) {
            throw new IOException("a join out of turn");
        }
        try {
            participation = ReceiveTask.start(sender, request, to, attachment, metrics, log);
        } catch (IllegalArgumentException e) {
            throw new IOException("invalid request: " + e.getMessage(), e);
        }
    }

    /** Waits until the round that was under way when it ended is over, at most this long. */
    boolean isOverWithin(Duration time) {
        return participation == null || participation.isOverWithin(time);
    }

    private void leave() {
        if (participation != null) {
            participation.leave();
        }
    }
}
