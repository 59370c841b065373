package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.BroadcastSite;
import org.madcast.client.Collective;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.DurationDistribution;
import org.madcast.client.GroupSource;
import org.madcast.client.internal.CallSignature.Operation;
import org.madcast.client.schedule.Rooted;
import org.madcast.client.schedule.Schedule;

/**
 * A communicator that was made out of another one. It has no socket and no thread: its operations
 * run over the messages of its world. The first blocking broadcast for which multicast pays makes
 * its ranks try to take a group ({@link PartMulticast}); if all of them succeed, broadcasts go by
 * that from then on, else by messages.
 *
 * <p>Whether multicast pays follows from the call and from what all ranks know alike, so they all
 * decide alike.
 */
final class PartCommunicator extends CollectiveCommunicator {

    private static final CommunicatorStatistics NOTHING =
            new CommunicatorStatistics(
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    Map.of(),
                    DurationDistribution.of(Map.of()),
                    0,
                    0,
                    0);

    /** Up to here the number of messages costs more than their bytes. */
    private static final long SHORT_BYTES = 8 << 10;

    /** The piece of a long broadcast that the ranks of a chain pass on. */
    private static final long CHAIN_PIECE_BYTES = 64 << 10;

    private static final int MOST_PIECES = 1024;

    private final CommunicatorInfo info;
    private final BroadcastParameters parameters;
    private final boolean onManyHosts;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Broadcasts take their way in the order in which they were called. */
    private final ReentrantLock calls = new ReentrantLock(true);

    private boolean decided;
    private volatile @Nullable EngineCommunicator multicast;

    PartCommunicator(MessageGroup group, String name) {
        super(group, false);
        CommunicatorInfo world = group.world().info();
        List<InetSocketAddress> members =
                IntStream.range(0, group.size())
                        .mapToObj(rank -> world.members().get(group.inWorld(rank)))
                        .toList();
        this.parameters = group.world().config().parameters();
        this.onManyHosts = CommunicatorView.onManyHosts(members);
        this.info =
                new CommunicatorInfo(
                        world.jobId(),
                        name,
                        null,
                        GroupSource.NONE,
                        null,
                        null,
                        null,
                        group.context(),
                        members,
                        world.local());
        group.survival().whenRevoked(this::revokeMulticast);
    }

    @Override
    public int rank() {
        return group().self();
    }

    @Override
    public int size() {
        return group().size();
    }

    @Override
    public void bcast(MemorySegment buffer, int root) {
        broadcast(buffer, root, null, null);
    }

    @Override
    public void bcast(MemorySegment buffer, int root, Algorithm algorithm) {
        broadcast(buffer, root, algorithm, null);
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root) {
        return begin(buffer, root, null, null);
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root, Algorithm algorithm) {
        return begin(buffer, root, algorithm, null);
    }

    @Override
    public BroadcastSite site(String name) {
        return new Site(NamedSite.check(name));
    }

    /** Its broadcasts are counted apart where they are counted at all, by the service. */
    private final class Site implements BroadcastSite {
        private final String name;

        Site(String name) {
            this.name = name;
        }

        @Override
        public void bcast(MemorySegment buffer, int root) {
            broadcast(buffer, root, null, name);
        }

        @Override
        public void bcast(MemorySegment buffer, int root, Algorithm algorithm) {
            broadcast(buffer, root, algorithm, name);
        }

        @Override
        public CompletableFuture<Void> ibcast(MemorySegment buffer, int root) {
            return begin(buffer, root, null, name);
        }

        @Override
        public CompletableFuture<Void> ibcast(MemorySegment buffer, int root, Algorithm algorithm) {
            return begin(buffer, root, algorithm, name);
        }
    }

    private void broadcast(
            MemorySegment buffer, int root, @Nullable Algorithm wanted, @Nullable String site) {
        checkOpen();
        MemorySegment message = message(buffer, root);
        calls.lock();
        try {
            if (!decided && multicastPays(buffer.byteSize(), wanted)) {
                decided = true;
                multicast = PartMulticast.join(this, info, buffer.byteSize(), root);
                revokeMulticast();
            }
            EngineCommunicator engine = multicast;
            if (engine == null) {
                byMessages(message, root, wanted).run();
            } else if (wanted == null) {
                place(engine, site).bcast(buffer, root);
            } else {
                place(engine, site).bcast(buffer, root, wanted);
            }
        } finally {
            calls.unlock();
        }
    }

    /** The algorithm of a broadcast by messages. */
    private Algorithm algorithm(long bytes) {
        return bytes <= SHORT_BYTES || size() <= 2
                ? Algorithm.BINOMIAL
                : bytes >= CHAIN_PIECE_BYTES * size()
                        ? Algorithm.CHAIN
                        : Algorithm.SCATTER_ALLGATHER;
    }

    /** A broadcast's checked buffer. */
    private MemorySegment message(MemorySegment buffer, int root) {
        int _ = checkRank("root", root);
        return rank() == root ? in("buffer", buffer) : out("buffer", buffer, 0);
    }

    /** A broadcast by messages; algorithms that have no schedule are replaced by the tree. */
    private Collective broadcast(MemorySegment buffer, int root, Algorithm algorithm) {
        long bytes = buffer.byteSize();
        MemorySegment message = message(buffer, root);
        Schedule schedule =
                switch (algorithm) {
                    case CHAIN ->
                            Rooted.chainBroadcast(
                                    size(),
                                    rank(),
                                    root,
                                    bytes,
                                    Math.clamp(bytes / CHAIN_PIECE_BYTES, 1, MOST_PIECES));
                    case SCATTER_ALLGATHER ->
                            Rooted.scatterAllgatherBroadcast(size(), rank(), root, bytes);
                    default -> Rooted.binomialBroadcast(size(), rank(), root, bytes);
                };
        return call(Operation.BCAST, root, bytes, schedule, EMPTY, message);
    }

    /** What is revoked is revoked as a whole. */
    private void revokeMulticast() {
        EngineCommunicator engine = multicast;
        if (engine != null && isRevoked() && !closed.get()) {
            engine.revoke();
        }
    }

    private CompletableFuture<Void> begin(
            MemorySegment buffer, int root, @Nullable Algorithm wanted, @Nullable String site) {
        checkOpen();
        MemorySegment message = message(buffer, root);
        calls.lock();
        try {
            EngineCommunicator engine = multicast;
            if (engine == null) {
                return byMessages(message, root, wanted).start();
            }
            BroadcastSite place = place(engine, site);
            return wanted == null ? place.ibcast(buffer, root) : place.ibcast(buffer, root, wanted);
        } finally {
            calls.unlock();
        }
    }

    private static BroadcastSite place(EngineCommunicator engine, @Nullable String site) {
        return site == null ? engine : engine.site(site);
    }

    private Collective byMessages(MemorySegment message, int root, @Nullable Algorithm wanted) {
        return broadcast(message, root, byMessages(message.byteSize(), wanted));
    }

    private Algorithm byMessages(long bytes, @Nullable Algorithm wanted) {
        Algorithm named = wanted == null ? parameters.algorithm().orElse(null) : wanted;
        return named == null || named.usesMulticast() ? algorithm(bytes) : named;
    }

    private boolean multicastPays(long bytes, @Nullable Algorithm wanted) {
        long fromBytes = parameters.partMulticastBytes();
        if (fromBytes < 0 || size() == 1) {
            return false;
        }
        Algorithm named = wanted == null ? parameters.algorithm().orElse(null) : wanted;
        if (named != null && !named.usesMulticast()) {
            return false;
        }
        return fromBytes == 0
                || wanted != null
                || (parameters.prefersMulticast() && onManyHosts && bytes >= fromBytes);
    }

    @Override
    public AlgorithmSelection selection(long messageBytes) {
        EngineCommunicator engine = multicast;
        return engine == null
                ? new AlgorithmSelection(
                        byMessages(messageBytes, null),
                        "messages serve until multicast pays for a communicator that was made out"
                                + " of another one")
                : engine.selection(messageBytes);
    }

    @Override
    public void markFailed(int rank) {
        int number = checkRank("rank", rank);
        if (rank == rank()) {
            throw new IllegalArgumentException("rank " + rank + " is this one");
        }
        EngineCommunicator engine = multicast;
        if (engine != null) {
            engine.markFailed(rank);
        }
        group().markFailed(rank);
        group().endpoint().giveUp(number, "rank " + rank() + " has given it up");
    }

    @Override
    public CommunicatorInfo info() {
        EngineCommunicator engine = multicast;
        return engine == null ? info : engine.info();
    }

    @Override
    public CommunicatorStatistics statistics() {
        EngineCommunicator engine = multicast;
        CommunicatorStatistics counted = engine == null ? NOTHING : engine.statistics();
        return new CommunicatorStatistics(
                counted.broadcasts() + group().broadcasts(),
                counted.messageBytes() + group().broadcastBytes(),
                counted.datagramsSent(),
                counted.datagramsReceived(),
                counted.fragmentsUseful(),
                counted.fragmentsDuplicate(),
                counted.fragmentsLost(),
                counted.repairsSent(),
                counted.repairsReceived(),
                counted.rejected(),
                counted.repairTimes(),
                counted.repairRequestsSent(),
                counted.multicastSent(),
                counted.multicastReceived());
    }

    /** Ends on every rank what another thread of this rank still waits for. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        EngineCommunicator engine = multicast;
        try {
            if (engine != null) {
                PartMulticast.leave(engine, group().world());
            }
        } finally {
            closeMessages();
        }
    }
}
