package org.madcast.agent.push;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.JoinRequest;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.node.PushKey;

/** A connection to one node's agent, and what it said last. Any thread. */
final class NodeLink implements AutoCloseable {

    private enum Round {
        IDLE,
        RUNNING,
        ENDED
    }

    private final NodeName name;
    private final NodeChannel channel;
    private Round round = Round.IDLE;
    private @Nullable String refusal;
    private boolean answered;
    private boolean directory;
    private boolean sealed;
    private boolean gone;
    private boolean toldToLeave;
    private long streamBytes;

    private NodeLink(NodeName name, NodeChannel channel) {
        this.name = name;
        this.channel = channel;
    }

    /** Connects, and listens from then on. */
    static NodeLink connect(NodeName name, NodeToken token, Duration timeout) throws IOException {
        NodeLink link = new NodeLink(name, NodeChannel.connect(name.address(), token, timeout));
        Thread _ = Thread.ofVirtual().start(link::listen);
        return link;
    }

    private void listen() {
        try {
            while (true) {
                heard(channel.hear());
            }
        } catch (IOException _) {
            synchronized (this) {
                gone = true;
                notifyAll();
            }
        }
    }

    private synchronized void heard(JsonObject message) {
        switch (NodeChannel.type(message)) {
            case "accepted" -> {
                answered = true;
                directory = message.getBoolean("directory", true);
                sealed = message.getBoolean("sealed", false);
            }
            case "refused" -> {
                answered = true;
                refusal = message.getString("reason", "no reason given");
            }
            case "progress" -> {
                streamBytes = message.getLong("streamBytes");
            }
            case "ended" -> {
                round = Round.ENDED;
            }
            default -> {
                // A newer agent may say more.
            }
        }
        notifyAll();
    }

    String name() {
        return name.text();
    }

    InetAddress localAddress() {
        return channel.localAddress();
    }

    /**
     * Asks whether the node may write there.
     *
     * @param key what the push is sealed with, or null
     * @return why it may not, null when it may
     */
    @Nullable String offer(String destination, @Nullable PushKey key, Duration timeout)
            throws IOException, InterruptedException {
        synchronized (this) {
            answered = false;
        }
        JsonObject offer = NodeChannel.message("offer");
        if (key != null) {
            offer.put("key", key.fingerprint());
        }
        offer.put("destination", destination);
        channel.say(offer);
        if (!await(() -> answered, timeout)) {
            throw new IOException(isGone() ? "the agent hung up" : "the agent does not answer");
        }
        synchronized (this) {
            return refusal == null && key != null && !sealed
                    ? "its agent is too old for sealed pushes"
                    : refusal;
        }
    }

    /** Whether the destination that was offered last is a directory there. */
    synchronized boolean isDirectory() {
        return directory;
    }

    /** Has the agent join a round. */
    void join(JoinRequest request) throws IOException {
        synchronized (this) {
            round = Round.RUNNING;
            streamBytes = 0;
        }
        channel.say(request.toMessage());
    }

    /** Has the agent leave the round. */
    void leave() {
        synchronized (this) {
            toldToLeave = true;
        }
        try {
            channel.say(NodeChannel.message("leave"));
        } catch (IOException _) {
            // Then it has left already.
        }
    }

    synchronized boolean wasToldToLeave() {
        return toldToLeave;
    }

    /** Waits until the agent says that the round has ended for it; false when it does not. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        return await(() -> round != Round.RUNNING, timeout);
    }

    private interface Condition {
        boolean holds();
    }

    private synchronized boolean await(Condition condition, Duration timeout)
            throws InterruptedException {
        long endNs = System.nanoTime() + timeout.toNanos();
        while (!condition.holds() && !gone) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
            if (leftMs <= 0) {
                return false;
            }
            wait(leftMs);
        }
        return condition.holds();
    }

    synchronized boolean isGone() {
        return gone;
    }

    /** How far it is in this round's stream. */
    synchronized long streamBytes() {
        return streamBytes;
    }

    @Override
    public void close() {
        channel.close();
    }
}
