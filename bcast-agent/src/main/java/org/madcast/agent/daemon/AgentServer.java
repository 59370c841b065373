package org.madcast.agent.daemon;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.madcast.agent.node.AllowedDirectories;
import org.madcast.agent.node.NodeChannel;
import org.madcast.agent.node.NodeToken;

/** Listens for senders and serves each on a thread of its own. */
final class AgentServer implements AutoCloseable {

    private static final int BACKLOG = 64;
    private static final int MAX_CONNECTIONS = 32;

    /** No sender for this time after the last one. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    private final ServerSocket listening;
    private final String node;
    private final NodeToken token;
    private final AllowedDirectories allowed;
    private final ReceiveTask.Attachment attachment;
    private final AgentMetrics metrics;
    private final AgentLog log;
    private final AtomicBoolean givingBack = new AtomicBoolean();
    private final Semaphore places = new Semaphore(MAX_CONNECTIONS);
    private volatile Runnable whenAccepted = () -> {};
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** The options that an agent is started with. */
    record Settings(
            InetSocketAddress address,
            String node,
            NodeToken token,
            AllowedDirectories allowed,
            ReceiveTask.Attachment attachment) {}

    AgentServer(Settings settings, AgentMetrics metrics, AgentLog log) throws IOException {
        this.node = settings.node();
        this.token = settings.token();
        this.allowed = settings.allowed();
        this.attachment = settings.attachment();
        this.metrics = metrics;
        this.log = log;
        this.listening =
                new ServerSocket(
                        settings.address().getPort(), BACKLOG, settings.address().getAddress());
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** What to do whenever a sender who has the token comes; any thread does it. */
    void whenAccepted(Runnable action) {
        whenAccepted = action;
    }

    /** Serves until it is closed. */
    void serve() throws InterruptedException {
        while (!listening.isClosed()) {
            places.acquire();
            try {
                Socket socket = listening.accept();
                open.add(socket);
                Thread _ = Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException failed) {
                places.release();
                if (!listening.isClosed()) {
                    log.say(AgentEvent.ACCEPT_FAILED, "reason", String.valueOf(failed));
                    Thread.sleep(100);
                }
            }
        }
    }

    private void serve(Socket socket) {
        boolean served = false;
        try {
            NodeChannel sender = NodeChannel.accept(socket, node, token);
            whenAccepted.run();
            new AgentSession(sender, allowed, attachment, metrics, log).serve();
            served = true;
        } catch (IOException refused) {
            metrics.refused();
            log.say(
                    AgentEvent.REFUSED,
                    "peer",
                    String.valueOf(socket.getRemoteSocketAddress()),
                    "reason",
                    String.valueOf(refused.getMessage()));
        } finally {
            open.remove(socket);
            places.release();
        }
        if (served) {
            giveBackMemory();
        }
    }

    /**
     * What a push needed is garbage when it is over, some of it outside of the heap, and a daemon
     * that waits makes no new garbage for which the JVM would collect it.
     */
    private void giveBackMemory() {
        if (!givingBack.compareAndSet(false, true)) {
            return;
        }
        try {
            Thread.sleep(IDLE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            givingBack.set(false);
        }
        if (open.isEmpty()) {
            System.gc();
        }
    }

    /** Listens no more; rounds that are under way end. */
    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException _) {
            // The process is ending.
        }
    }
}
