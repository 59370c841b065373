package org.madcast.agent.daemon;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.madcast.agent.node.FreePort;
import org.madcast.agent.process.TemporaryDirectory;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.MadcastException;
import org.madcast.client.file.FileBroadcast;
import org.madcast.client.file.FileBroadcastOptions;

/**
 * A small push from this agent to itself, over loopback and in a temporary directory, when it has
 * started: then the code that a push needs is loaded and compiled, and the first sender does not
 * wait for it. When a sender comes meanwhile, the rehearsal is broken off. Any thread may {@link
 * #close()} it.
 */
final class Rehearsal implements AutoCloseable {

    private static final int RANKS = 2;
    private static final int LARGE_BYTES = 4 << 20;
    private static final int SMALL_FILES = 400;
    private static final long MEMORY_BYTES = 8 << 20;
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

    private final AgentLog log;
    private final List<FileBroadcast> running = new ArrayList<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("rehearsal").unstarted(this::run);
    private boolean closed;

    private Rehearsal(AgentLog log) {
        this.log = log;
    }

    /** Begins one. */
    static Rehearsal start(AgentLog log) {
        Rehearsal made = new Rehearsal(log);
        made.thread.start();
        return made;
    }

    private void run() {
        long startNs = System.nanoTime();
        try {
            Path directory = TemporaryDirectory.make("rehearsal");
            try {
                push(directory);
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

    private void push(Path directory) throws IOException, InterruptedException {
        Path source = SampleFiles.make(directory.resolve("source"), LARGE_BYTES, SMALL_FILES);
        Path destination = directory.resolve("destination");
        InetSocketAddress root = FreePort.at(InetAddress.getLoopbackAddress());
        Thread receiver =
                Thread.ofPlatform()
                        .daemon()
                        .name("rehearsal-receiver")
                        .start(() -> receive(root, destination));
        try (Communicator communicator = Communicator.join(config(root, 0))) {
            var _ = broadcast(communicator).send(List.of(source));
        } finally {
            receiver.join();
        }
    }

    private void receive(InetSocketAddress root, Path destination) {
        try (Communicator communicator = Communicator.join(config(root, 1))) {
            var _ = broadcast(communicator).receive(destination, 0);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException | MadcastException | CancellationException _) {
            // The sending side fails too, and says so.
        }
    }

    private synchronized FileBroadcast broadcast(Communicator communicator) {
        FileBroadcast made =
                FileBroadcast.over(
                        communicator,
                        FileBroadcastOptions.defaults().withMemoryBytes(MEMORY_BYTES));
        running.add(made);
        if (closed) {
            made.cancel();
        }
        return made;
    }

    private static CommunicatorConfig config(InetSocketAddress root, int rank) {
        return CommunicatorConfig.builder("rehearsal-" + root.getPort(), rank, RANKS)
                .rootAddress(root)
                .networkInterface("lo")
                .madcap(CommunicatorConfig.MADCAP_OFF)
                .joinTimeout(JOIN_TIMEOUT)
                .parameters(BroadcastParameters.defaults())
                .build();
    }

    /** Breaks it off; it ends a moment later. */
    @Override
    public synchronized void close() {
        closed = true;
        running.forEach(FileBroadcast::cancel);
    }
}
