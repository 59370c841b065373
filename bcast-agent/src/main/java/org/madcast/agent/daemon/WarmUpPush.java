package org.madcast.agent.daemon;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.madcast.agent.node.AllowedDirectories;
import org.madcast.agent.node.FreePort;
import org.madcast.agent.node.JoinRequest;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeToken;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.client.Communicator;
import org.madcast.client.MadcastException;
import org.madcast.client.file.FileBroadcast;
import org.madcast.client.file.FileBroadcastOptions;

/**
 * A small push from this agent to itself, over loopback and in a temporary directory, when it has
 * started: then the code that a push needs is loaded and compiled, from the handshake on, and the
 * first sender does not wait for it. When a sender comes meanwhile, the rehearsal is broken off.
 * Any thread may {@link #close()} it.
 */
final class WarmUpPush implements AutoCloseable {

    private static final String INTERFACE = "lo";
    private static final int LARGE_BYTES = 4 << 20;
    private static final int SMALL_FILES = 400;

    /** Pushes of one small file after that: what runs once a push is compiled by then, too. */
    private static final int AGAIN = 9;

    private static final long MEMORY_BYTES = 8 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /**
     * Datagrams as Ethernet carries them, where loopback would carry the same bytes in a few large
     * ones; and multicast, which is for more than two ranks otherwise.
     */
    private static final Map<String, String> PARAMETERS =
            Map.of("MADCAST_DATAGRAM_SIZE", "1472", "MADCAST_CROSSOVER_NODES", "2");

    private final NodeToken token;
    private final AgentLog log;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("rehearsal").unstarted(this::run);
    private @Nullable FileBroadcast running;
    private boolean closed;

    private WarmUpPush(NodeToken token, AgentLog log) {
        this.token = token;
        this.log = log;
    }

    /**
     * Begins one.
     *
     * @param token the agent's, by which it knows itself
     */
    static WarmUpPush start(NodeToken token, AgentLog log) {
        WarmUpPush made = new WarmUpPush(token, log);
        made.thread.start();
        return made;
    }

    private void run() {
        long startNs = System.nanoTime();
        try {
            Path directory = TemporaryDirectory.make("rehearsal");
            try {
                rehearse(directory);
            } finally {
                TemporaryDirectory.delete(directory);
            }
            long ms = Duration.ofNanos(System.nanoTime() - startNs).toMillis();
            log.say(AgentEvent.REHEARSED, "milliseconds", ms);
        } catch (CancellationException _) {
            log.say(AgentEvent.NOT_REHEARSED, "reason", "a sender came first");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException | MadcastException failed) {
            log.say(AgentEvent.NOT_REHEARSED, "reason", String.valueOf(failed.getMessage()));
        }
    }

    private void rehearse(Path directory) throws IOException, InterruptedException {
        Path large = SampleFiles.make(directory.resolve("source"), LARGE_BYTES, SMALL_FILES);
        push(large, Files.createDirectory(directory.resolve("destination")));
        // A daemon that waits keeps what it once touched; most of that is garbage now. Not at the
        // end: after a collection each method's first call is a slow one.
        System.gc();
        Path small = SampleFiles.make(directory.resolve("small"), 1, 1);
        for (int i = 0; i < AGAIN; i++) {
            push(small, Files.createDirectory(directory.resolve("destination-" + i)));
        }
    }

    private void push(Path source, Path destination) throws IOException, InterruptedException {
        ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread agent =
                Thread.ofPlatform()
                        .daemon()
                        .name("rehearsal-agent")
                        .start(() -> serve(listening, destination));
        InetSocketAddress address = (InetSocketAddress) listening.getLocalSocketAddress();
        try (NodeChannel channel = NodeChannel.connect(address, token, PATIENCE)) {
            push(channel, source, destination);
        } finally {
            listening.close();
            agent.join();
        }
    }

    private void serve(ServerSocket listening, Path destination) {
        try {
            NodeChannel sender = NodeChannel.accept(listening.accept(), INTERFACE, token);
            AgentSession session =
                    new AgentSession(
                            sender,
                            AllowedDirectories.of(List.of(destination)),
                            new ReceiveTask.Attachment(INTERFACE, null, null),
                            new AgentMetrics(),
                            new AgentLog(new PrintWriter(Writer.nullWriter())));
            session.serve();
            boolean _ = session.isOverWithin(PATIENCE);
        } catch (IOException _) {
            // The sending side fails too, and says so.
        }
    }

    private void push(NodeChannel channel, Path source, Path destination)
            throws IOException, InterruptedException {
        JsonObject offer = NodeChannel.message("offer");
        offer.put("destination", destination.toString());
        channel.say(offer);
        await(channel, "accepted");
        InetSocketAddress root = FreePort.onLoopback();
        JoinRequest request =
                new JoinRequest(
                        "rehearsal-" + root.getPort(),
                        0,
                        2,
                        root,
                        null,
                        null,
                        PATIENCE,
                        PARAMETERS);
        channel.say(request.forRank(1).toMessage());
        try (Communicator communicator = Communicator.join(request.config(INTERFACE, null, null))) {
            var _ = broadcast(communicator).send(List.of(source));
        }
        await(channel, "ended");
    }

    private static void await(NodeChannel channel, String type) throws IOException {
        channel.waitAtMost(PATIENCE);
        String heard;
        do {
            heard = NodeChannel.type(channel.hear());
        } while (heard.equals("progress"));
        if (!heard.equals(type)) {
            throw new IOException("the agent answered itself with '" + heard + "'");
        }
    }

    private synchronized FileBroadcast broadcast(Communicator communicator) {
        FileBroadcast made =
                FileBroadcast.over(
                        communicator,
                        FileBroadcastOptions.defaults().withMemoryBytes(MEMORY_BYTES));
        running = made;
        if (closed) {
            made.cancel();
        }
        return made;
    }

    /** Breaks it off; it ends a moment later. */
    @Override
    public synchronized void close() {
        closed = true;
        if (running != null) {
            running.cancel();
        }
    }
}
