package org.madcast.client.lease;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.madcast.client.JobKey;
import org.madcast.client.JoinFailedException;

/**
 * Rank 0's side of the meeting: listens, serves each connection on a thread of its own, and answers
 * all of them when the roster is complete. A connection that has not yet sent a valid hello has
 * five seconds for it, and their number is bounded: when there are too many, the address that has
 * most of them loses its oldest, so that connections that send nothing keep no rank out.
 */
final class RootListener implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(RootListener.class.getName());
    private static final Duration HELLO_TIMEOUT = Duration.ofSeconds(5);
    private static final int SILENT_TO_SPARE = 64;
    private static final int FEW = 64;
    private static final long PAUSE_AFTER_FAILURE_NS = 10_000_000;

    private final HelloMessage own;
    private final @Nullable JobKey key;
    private final Duration joinTimeout;
    private final ServerSocket server;
    private final int mostSilent;
    private final SilentConnections silent = new SilentConnections();
    private final Set<FrameConnection> connections = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Roster roster;
    private JsonObject welcome = new JsonObject();
    private String failure = "";
    private String outcome = "";
    private int unanswered;
    private boolean evicted;

    /**
     * Listens: ranks that connect before {@link #admit} wait for it.
     *
     * @param key the job's, which ranks must know and are shown to know; null when it has none
     */
    RootListener(
            InetSocketAddress address, HelloMessage own, @Nullable JobKey key, Duration joinTimeout)
            throws IOException {
        this.own = own;
        this.key = key;
        this.joinTimeout = joinTimeout;
        this.mostSilent = own.size() + SILENT_TO_SPARE;
        this.threads = threads(own.size());
        this.roster = new Roster(own, "rank 0 itself");
        this.server = listen(address, mostSilent);
    }

    /**
     * Begins to admit ranks.
     *
     * @param answer what admitted ranks are sent
     */
    void admit(JsonObject answer) {
        welcome = answer;
        threads.execute(this::accept);
    }

    /**
     * Virtual ones where there are many. A JVM of which one has ever waited for a socket takes 300
     * ms longer to end, since its poller waits in the system.
     */
    static ExecutorService threads(int ranks) {
        String name = "madcast-meeting";
        return Executors.newThreadPerTaskExecutor(
                ranks <= FEW
                        ? Thread.ofPlatform().daemon().name(name).factory()
                        : Thread.ofVirtual().name(name).factory());
    }

    /** On the given address, or on all of this host when the address is another's (a proxy's). */
    private static ServerSocket listen(InetSocketAddress address, int backlog) throws IOException {
        InetAddress resolved = InetAddress.getByName(address.getHostString());
        try {
            return new ServerSocket(address.getPort(), backlog, resolved);
        } catch (BindException notMine) {
            if (NetworkInterface.getByInetAddress(resolved) != null
                    || resolved.isLoopbackAddress()) {
                throw notMine;
            }
            return new ServerSocket(address.getPort(), backlog);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                FrameConnection connection = new FrameConnection(server.accept());
                connections.add(connection);
                if (server.isClosed()) {
                    connection.close(); // it came too late for close() to see it
                    return;
                }
                if (silent.add(connection) > mostSilent) {
                    evict();
                }
                threads.execute(() -> serve(connection));
            } catch (RejectedExecutionException closed) {
                LOG.log(Level.TRACE, "accepting", closed); // close() has closed the connection
                return;
            } catch (IOException closedOrBroken) {
                LOG.log(Level.TRACE, "accepting", closedOrBroken);
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NS);
            }
        }
    }

    private void evict() {
        FrameConnection victim = silent.oldestOfMostFrequentSource();
        victim.close();
        if (!evicted) {
            evicted = true;
            LOG.log(
                    Level.WARNING,
                    "many connections to rank 0 send nothing; the oldest, now {0}, are closed",
                    victim.peer());
        }
    }

    private void serve(FrameConnection connection) {
        try (connection) {
            introduce(connection);
        } catch (IOException strangerOrGone) {
            LOG.log(
                    Level.DEBUG,
                    "a connection from {0} ended: {1}",
                    connection.peer(),
                    strangerOrGone.getMessage());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            silent.remove(connection);
            connections.remove(connection);
        }
    }

    private void introduce(FrameConnection connection) throws IOException, InterruptedException {
        JsonFields said = connection.read(FrameConnection.SMALL_BYTES, HELLO_TIMEOUT);
        HelloMessage hello = HelloMessage.read(said);
        Roster.Admission admission =
                proves(connection, hello, said)
                        ? admit(hello, connection.peer())
                        : refuse(hello, said, connection.peer());
        silent.remove(connection);
        switch (admission) {
            case Roster.Admission.Refused(String reason) -> {
                connection.write(refusal(reason));
                LOG.log(Level.WARNING, "{0} was refused: {1}", connection.peer(), reason);
            }
            case Roster.Admission.Welcome() -> {
                enrol(hello, connection);
                answer(connection);
            }
        }
    }

    /**
     * Whether the rank knows the job's key, or there is none on both sides; if so, it is admitted.
     */
    private boolean proves(FrameConnection connection, HelloMessage hello, JsonFields said)
            throws IOException {
        if (key == null || !said.has(HelloMessage.DRAWN)) {
            return key == null && !said.has(HelloMessage.DRAWN);
        }
        String drawn = MeetingSeal.draw();
        MeetingSeal seal = MeetingSeal.of(key, said.text(HelloMessage.DRAWN), drawn, true);
        JsonObject challenge = new JsonObject();
        challenge.put("type", "challenge");
        challenge.put(HelloMessage.DRAWN, drawn);
        connection.write(challenge);
        JsonFields proof = connection.read(FrameConnection.SMALL_BYTES, HELLO_TIMEOUT);
        if (!seal.isProof(hello, proof.text("mac"))) {
            return false;
        }
        JsonObject proven = new JsonObject();
        proven.put("type", "proven");
        connection.write(proven);
        connection.sealWith(seal);
        return true;
    }

    private Roster.Admission refuse(HelloMessage hello, JsonFields said, String peer) {
        boolean hasKey = said.has(HelloMessage.DRAWN);
        String reason =
                "rank %d %s; give all ranks the same MADCAST_KEY"
                        .formatted(
                                hello.rank(),
                                key == null
                                        ? "has a key, but rank 0 has none"
                                        : hasKey
                                                ? "has another key than rank 0"
                                                : "has no key, but rank 0 has one");
        lock.lock();
        try {
            return roster.refuse(reason, peer);
        } finally {
            lock.unlock();
        }
    }

    private Roster.Admission admit(HelloMessage hello, String peer) {
        lock.lock();
        try {
            return roster.admit(hello, peer);
        } finally {
            lock.unlock();
        }
    }

    /** Until the rank has reported its address, its place belongs to the connection. */
    private void enrol(HelloMessage hello, FrameConnection connection) throws IOException {
        Member member = null;
        try {
            connection.write(welcome);
            JsonFields fields = connection.read(FrameConnection.SMALL_BYTES, joinTimeout);
            member = Member.read(fields, hello.rank());
        } finally {
            lock.lock();
            try {
                if (member == null) {
                    roster.forget(hello);
                } else {
                    roster.register(member);
                    unanswered++;
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void answer(FrameConnection connection) throws IOException, InterruptedException {
        try {
            connection.write(outcome());
        } finally {
            lock.lock();
            try {
                unanswered--;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits for the end of the meeting: the table of members, or why there is none. */
    private String outcome() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!roster.isComplete() && failure.isEmpty()) {
                changed.await();
            }
            if (outcome.isEmpty()) {
                JsonObject message = failure.isEmpty() ? table(roster.members()) : refusal(failure);
                outcome = JsonWriter.string(message);
            }
            return outcome;
        } finally {
            lock.unlock();
        }
    }

    /** Registers rank 0 itself and waits for the others, and until each has its answer. */
    List<Member> meet(Member self, Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            roster.register(self);
            changed.signalAll();
            long remainingNs = timeout.toNanos();
            while (!roster.isComplete()) {
                if (remainingNs <= 0) {
                    failure =
                            "%s within %d ms (communicator '%s' of job '%s', size %d)"
                                    .formatted(
                                            roster.explanation(),
                                            timeout.toMillis(),
                                            own.name(),
                                            own.job(),
                                            own.size());
                    changed.signalAll();
                    awaitAnswered();
                    throw new JoinFailedException(failure, null);
                }
                remainingNs = changed.awaitNanos(remainingNs);
            }
            awaitAnswered();
            return roster.members();
        } finally {
            lock.unlock();
        }
    }

    private void awaitAnswered() throws InterruptedException {
        long remainingNs = HELLO_TIMEOUT.toNanos();
        while (unanswered > 0 && remainingNs > 0) {
            remainingNs = changed.awaitNanos(remainingNs);
        }
    }

    private static JsonObject table(List<Member> members) {
        JsonArray elements = new JsonArray();
        for (Member member : members) {
            JsonObject element = member.write();
            element.put("rank", member.rank());
            elements.add(element);
        }
        JsonObject table = new JsonObject();
        table.put("type", "members");
        table.put("members", elements);
        return table;
    }

    private static JsonObject refusal(String reason) {
        JsonObject refusal = new JsonObject();
        refusal.put("type", "refused");
        refusal.put("reason", reason);
        return refusal;
    }

    /** Ends all connections and threads at once. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException alreadyGone) {
            LOG.log(Level.TRACE, "closing the listener", alreadyGone);
        }
        connections.forEach(FrameConnection::close);
        threads.shutdownNow();
    }

    /**
     * Connections that have not sent a valid hello yet, the oldest first. Safe for every thread.
     */
    private static final class SilentConnections {

        private final Set<FrameConnection> connections = new LinkedHashSet<>();

        /** How many there are with this one. */
        synchronized int add(FrameConnection connection) {
            connections.add(connection);
            return connections.size();
        }

        synchronized void remove(FrameConnection connection) {
            connections.remove(connection);
        }

        /** Takes it out; of sources that have equally many, the one that came first. */
        synchronized FrameConnection oldestOfMostFrequentSource() {
            Map<InetAddress, Integer> counts = new HashMap<>();
            connections.forEach(it -> counts.merge(it.source(), 1, Integer::sum));
            int most = Collections.max(counts.values());
            FrameConnection victim =
                    connections.stream()
                            .filter(it -> counts.getOrDefault(it.source(), 0) == most)
                            .findFirst()
                            .orElseThrow();
            connections.remove(victim);
            return victim;
        }
    }
}
