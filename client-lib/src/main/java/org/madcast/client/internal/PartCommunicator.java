package org.madcast.client.internal;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.BroadcastSite;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.DurationDistribution;
import org.madcast.client.GroupSource;

/**
 * A communicator that was made out of another one. It has no socket and no thread: its operations
 * run over the messages of its world.
 */
final class PartCommunicator extends CollectiveCommunicator {

    private final CommunicatorInfo info;
    private final AtomicLong broadcasts = new AtomicLong();
    private final AtomicLong messageBytes = new AtomicLong();

    PartCommunicator(MessageGroup group, String name) {
        super(group);
        CommunicatorInfo world = group.world().info();
        List<InetSocketAddress> members =
                IntStream.range(0, group.size())
                        .mapToObj(rank -> world.members().get(group.inWorld(rank)))
                        .toList();
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
        await(begin(buffer, root, null));
    }

    @Override
    public void bcast(MemorySegment buffer, int root, Algorithm algorithm) {
        await(begin(buffer, root, algorithm));
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root) {
        return begin(buffer, root, null);
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root, Algorithm algorithm) {
        return begin(buffer, root, algorithm);
    }

    private CompletableFuture<Void> begin(
            MemorySegment buffer, int root, @Nullable Algorithm wanted) {
        Algorithm algorithm = wanted == null ? algorithm(buffer.byteSize()) : wanted;
        CompletableFuture<Void> begun = broadcast(buffer, root, algorithm).start();
        broadcasts.incrementAndGet();
        messageBytes.addAndGet(buffer.byteSize());
        return begun;
    }

    @Override
    public void barrier() {
        await(ibarrier());
    }

    @Override
    public BroadcastSite site(String name) {
        String _ = NamedSite.check(name);
        return this;
    }

    @Override
    public AlgorithmSelection selection(long bytes) {
        return new AlgorithmSelection(
                algorithm(bytes), "messages serve a communicator that was made out of another one");
    }

    @Override
    public void markFailed(int rank) {
        int number = checkRank("rank", rank);
        if (rank == rank()) {
            throw new IllegalArgumentException("rank " + rank + " is this one");
        }
        group().markFailed(rank);
        group().endpoint().markLost(number, "rank " + rank() + " has given it up");
    }

    @Override
    public CommunicatorInfo info() {
        return info;
    }

    @Override
    public CommunicatorStatistics statistics() {
        return new CommunicatorStatistics(
                broadcasts.get(),
                messageBytes.get(),
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
    }

    @Override
    public void close() {
        closeMessages();
    }
}
