package org.madcast.client.lease;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the reports of neighbouring ranks, so that the service has one request where it would
 * have many, and one connection. Listens for TCP at the address and port where the rank has its
 * unicast datagrams, and does all of it on one daemon thread, which sleeps but for a moment every
 * five seconds.
 *
 * <p>A request is sent when all ranks have brought theirs, when it is as large as the service
 * takes, or when its first report has waited for a second. Ranks report five seconds after their
 * last answer and get the same answer, and so come together from then on.
 *
 * <p>Who cannot prove that he is of the communicator is not answered; strangers cost at most a
 * bounded number of connections, of which the oldest give way.
 */
final class ReportRelay implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ReportRelay.class.getName());
    private static final long LONGEST_NS = 1_000_000_000;
    private static final long REST_NS = 50_000_000;
    private static final int CONNECTIONS_TO_SPARE = 16;

    /** The service takes no larger body than 256 KiB. */
    private static final int MOST_CHARS = 200_000;

    private final int ranks;
    private final RelaySeal seal;
    private final Service service;
    private final @Nullable ServerSocketChannel server;
    private final Selector selector;
    private final Thread thread;
    private final Queue<Asking> arrived = new ConcurrentLinkedQueue<>();
    private final List<Asking> batch = new ArrayList<>();
    private volatile int waiting;
    private final Queue<HandedOver> handedOver = new ConcurrentLinkedQueue<>();
    private final List<RelayConnection> visitors = new ArrayList<>();
    private int batchChars;
    private long deadlineNs;
    private volatile boolean closed;

    /** Takes several reports at once. */
    @FunctionalInterface
    interface Service {
        RelayOutcome send(List<String> reports) throws InterruptedException;
    }

    /** A connection whose first bytes were read elsewhere. */
    private record HandedOver(SocketChannel channel, ByteBuffer first) {}

    /** A report, and the future that completes with its fate. */
    private interface Asking {
        String report();

        void answer(RelayOutcome outcome);
    }

    /** This rank's own. */
    private record Own(String report, CompletableFuture<RelayOutcome> outcome) implements Asking {
        @Override
        public void answer(RelayOutcome known) {
            outcome.complete(known);
        }
    }

    /** A neighbour's. */
    private record Brought(String report, RelayConnection visitor) implements Asking {
        @Override
        public void answer(RelayOutcome outcome) {
            visitor.answer(outcome);
        }
    }

    /**
     * Starts to listen.
     *
     * @param ranks how many report here, this one included
     * @throws IOException when the network does not work
     */
    ReportRelay(InetSocketAddress address, int ranks, RelaySeal seal, Service service)
            throws IOException {
        this.ranks = ranks;
        this.seal = seal;
        this.service = service;
        this.selector = Selector.open();
        this.server = listening(address, ranks + CONNECTIONS_TO_SPARE, selector);
        this.thread = Thread.ofPlatform().daemon().name("madcast-relay").start(this::run);
    }

    /** Null when the port is taken: by this rank's messages, which hand over. */
    private static @Nullable ServerSocketChannel listening(
            InetSocketAddress address, int backlog, Selector selector) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.bind(address, backlog);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            return server;
        } catch (IOException taken) {
            LOG.log(Level.DEBUG, "the relay waits for connections that are handed over", taken);
            server.close();
            return null;
        }
    }

    /** Takes over a connection. Any thread. */
    void adopt(SocketChannel channel, ByteBuffer first) {
        handedOver.add(new HandedOver(channel, first));
        selector.wakeup();
        if (closed) {
            dropHandedOver();
        }
    }

    private void dropHandedOver() {
        for (HandedOver each = handedOver.poll(); each != null; each = handedOver.poll()) {
            try {
                each.channel().close();
            } catch (IOException alreadyGone) {
                LOG.log(Level.TRACE, "closing a connection", alreadyGone);
            }
        }
    }

    /** Brings this rank's own report and waits until it was sent and answered. */
    RelayOutcome pass(String report) {
        Own own = new Own(report, new CompletableFuture<>());
        arrived.add(own);
        selector.wakeup();
        if (closed) {
            own.answer(new RelayOutcome.Refused());
        }
        return own.outcome().join();
    }

    /** How many reports have come and wait for others, as any thread sees it. */
    int waiting() {
        return waiting;
    }

    private void run() {
        try {
            while (!closed) {
                selector.select(this::onReady, waitMs());
                welcomeHandedOver();
                for (Asking next = arrived.poll(); next != null; next = arrived.poll()) {
                    add(next);
                }
                if (!batch.isEmpty() && deadlineNs - System.nanoTime() <= 0) {
                    send();
                }
            }
        } catch (InterruptedException | ClosedSelectorException end) {
            LOG.log(Level.TRACE, "the relay ends", end);
        } catch (IOException broken) {
            LOG.log(Level.DEBUG, "reports are not passed on any more: {0}", broken.getMessage());
        } finally {
            end();
        }
    }

    /** Until the batch has to be sent; 0, without end, when there is none. */
    private long waitMs() {
        return batch.isEmpty() ? 0 : Math.max(1, 1 + (deadlineNs - System.nanoTime()) / 1_000_000);
    }

    /** Who arrives while the relay ends is answered too. */
    private void add(Asking asking) throws InterruptedException {
        boolean hasRoom = false;
        try {
            if (batchChars + asking.report().length() > MOST_CHARS && !batch.isEmpty()) {
                send();
            }
            hasRoom = true;
        } finally {
            if (!hasRoom) {
                asking.answer(new RelayOutcome.Refused());
            }
        }
        if (batch.isEmpty()) {
            deadlineNs = System.nanoTime() + LONGEST_NS;
        }
        batch.add(asking);
        waiting = batch.size();
        batchChars += asking.report().length();
        if (batch.size() == ranks) {
            send();
        }
    }

    /** In any case no one of the batch waits any longer. */
    private void send() throws InterruptedException {
        RelayOutcome outcome = new RelayOutcome.Refused();
        try {
            outcome = service.send(batch.stream().map(Asking::report).toList());
        } finally {
            for (Asking each : batch) {
                each.answer(outcome);
            }
            batch.clear();
            waiting = 0;
            batchChars = 0;
        }
    }

    private void onReady(SelectionKey key) {
        if (key.attachment() instanceof RelayConnection visitor) {
            take(visitor);
        } else {
            accept();
        }
    }

    private void take(RelayConnection visitor) {
        String report = visitor.read();
        if (report != null) {
            arrived.add(new Brought(report, visitor));
        }
    }

    private void accept() {
        try {
            SocketChannel channel = server == null ? null : server.accept();
            if (channel != null) {
                RelayConnection _ = welcome(channel, ByteBuffer.allocate(0));
            }
        } catch (IOException goneAgain) {
            LOG.log(Level.TRACE, "accepting", goneAgain);
            // With no descriptor left, who asks to be let in goes on asking.
            LockSupport.parkNanos(REST_NS);
        }
    }

    private void welcomeHandedOver() {
        for (HandedOver each = handedOver.poll(); each != null; each = handedOver.poll()) {
            try {
                take(welcome(each.channel(), each.first()));
            } catch (IOException goneAgain) {
                LOG.log(Level.TRACE, "a connection that was handed over", goneAgain);
            }
        }
    }

    private RelayConnection welcome(SocketChannel channel, ByteBuffer first) throws IOException {
        visitors.removeIf(it -> !it.isOpen());
        if (visitors.size() == ranks + CONNECTIONS_TO_SPARE) {
            RelayConnection oldest = oldestStranger();
            oldest.close();
            visitors.remove(oldest);
        }
        RelayConnection visitor = new RelayConnection(channel, first, selector, seal);
        visitors.add(visitor);
        return visitor;
    }

    /** Among as many visitors as there are ranks and some more, one is a stranger or gone. */
    private RelayConnection oldestStranger() {
        return visitors.stream()
                .filter(it -> !it.isKnown())
                .findFirst()
                .orElseGet(visitors::getFirst);
    }

    private void end() {
        closed = true;
        batch.forEach(it -> it.answer(new RelayOutcome.Refused()));
        for (Asking late = arrived.poll(); late != null; late = arrived.poll()) {
            late.answer(new RelayOutcome.Refused());
        }
        visitors.forEach(RelayConnection::close);
        dropHandedOver();
        try {
            if (server != null) {
                server.close();
            }
            selector.close();
        } catch (IOException alreadyGone) {
            LOG.log(Level.TRACE, "closing the relay", alreadyGone);
        }
    }

    /** Ends all at once: who still waits has to speak for himself. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
