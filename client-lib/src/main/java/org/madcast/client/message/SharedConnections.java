package org.madcast.client.message;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.lock.Polling;

/**
 * The connections of a process that go through shared memory, where one thread waits for all of
 * them and for the sockets. Changed under the endpoint's lock; {@link #isReady} and {@link #select}
 * need none.
 */
final class SharedConnections {

    private static final int LOOKS_BETWEEN_SOCKETS = 64;

    private final boolean sharesMemory;
    private final InetAddress host;
    private final int ringBytes;
    private final Polling polling;
    private volatile List<SharedConnection> all = List.of();
    private volatile boolean woken;

    /** None yet. */
    SharedConnections(MessageWorld world) {
        sharesMemory = world.sharesMemory();
        host = world.addresses().get(world.self()).getAddress();
        long here = world.addresses().stream().filter(this::isOfThisHost).count();
        ringBytes = SharedMemory.ringBytes((int) here);
        // With more ranks than processors, one that polls keeps another from running.
        boolean crowded = here > Runtime.getRuntime().availableProcessors();
        polling = new Polling(crowded ? 0 : world.pollNs());
    }

    private boolean isOfThisHost(InetSocketAddress address) {
        return address.getAddress().equals(host);
    }

    /** Makes memory to share with a rank; null when it is of another host, or there is none. */
    @Nullable SharedMemory offer(InetSocketAddress to, Handshake handshake) {
        return sharesMemory && isOfThisHost(to)
                ? SharedMemory.create(handshake.memoryName(), ringBytes)
                : null;
    }

    /** Whether memory that another rank offers is shared. */
    boolean accepts() {
        return sharesMemory;
    }

    /** Makes the connection of two ends that have recognised each other. */
    SharedConnection add(
            PendingConnection ends, int peer, Carrier.Events events, SharedMemory memory) {
        boolean made = ends.wanted != null;
        SharedRing in = memory.ring(!made);
        SharedConnection connection =
                new SharedConnection(ends.channel, peer, events, in, memory.ring(made));
        List<SharedConnection> more = new ArrayList<>(all);
        more.add(connection);
        all = List.copyOf(more);
        return connection;
    }

    void remove(SharedConnection connection) {
        all = all.stream().filter(it -> it != connection).toList();
    }

    List<SharedConnection> all() {
        return all;
    }

    /** Whether one of them has something to do. */
    boolean isReady() {
        for (SharedConnection each : all) {
            if (each.isReady()) {
                return true;
            }
        }
        return false;
    }

    /** Ends a {@link #select}, or the next one. */
    void wakeup() {
        woken = true;
    }

    /**
     * Waits until something can be done, here or at the selector's sockets, for a {@link #wakeup}
     * or the time; without the lock, by one thread at a time.
     *
     * @param called whether a caller waits, rather than the endpoint's own thread
     */
    void select(Selector selector, long timeoutMs, boolean called) throws IOException {
        try {
            // The first key is the listener's.
            if (called && selector.keys().size() > 1 && isSoonReady(selector)) {
                return;
            }
            boolean sleeps = true;
            for (SharedConnection each : all) {
                sleeps &= each.sleep();
            }
            int _ = sleeps && !woken ? selector.select(timeoutMs) : selector.selectNow();
            all.forEach(SharedConnection::awake);
        } finally {
            woken = false;
        }
    }

    /** Looks again and again; between two looks at sockets alone other threads may run. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it: it lets others run
    private boolean isSoonReady(Selector selector) throws IOException {
        long beganNs = System.nanoTime();
        long allowedNs = polling.allowedNs(beganNs);
        if (allowedNs == 0) {
            return false;
        }
        do {
            for (int i = 0; i < LOOKS_BETWEEN_SOCKETS && !all.isEmpty(); i++) {
                if (woken || isReady()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            if (woken || selector.selectNow() > 0) {
                return true;
            }
            if (all.isEmpty()) {
                Thread.yield();
            }
        } while (System.nanoTime() - beganNs < allowedNs);
        return false;
    }
}
