package org.madcast.client.internal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.Communicator;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.MadcastException;
import org.madcast.client.MismatchException;
import org.madcast.client.RankLostException;
import org.madcast.client.TransportException;
import org.madcast.client.collective.AlgorithmChoice;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.lease.Introduction;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.EngineCounters;
import org.madcast.client.protocol.Failure;
import org.madcast.client.protocol.GroupState;
import org.madcast.client.report.StatisticsReporter;

/** A communicator: an engine, the loop that drives it, and the place where its ranks met. */
final class EngineCommunicator implements Communicator {

    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final CommunicatorConfig config;
    private final BroadcastEngine engine;
    private final EngineLoop loop;
    private final Introduction introduction;
    private final CommunicatorInfo info;
    private final AlgorithmChoice choice;
    private final Optional<StatisticsReporter> reporter;
    private final ReentrantLock calls = new ReentrantLock(true);
    private boolean closed;

    EngineCommunicator(
            CommunicatorConfig config,
            BroadcastEngine engine,
            EngineLoop loop,
            Introduction introduction,
            CommunicatorInfo info) {
        this.config = config;
        this.engine = engine;
        this.loop = loop;
        this.introduction = introduction;
        this.info = info;
        this.choice = new AlgorithmChoice(config.parameters(), config.size());
        this.reporter =
                introduction
                        .reports()
                        .map(channel ->
                                StatisticsReporter.start(
                                        channel::send,
                                        this::statistics,
                                        info.local().socketPath()));
    }

    @Override
    public int rank() {
        return config.rank();
    }

    @Override
    public int size() {
        return config.size();
    }

    @Override
    public void bcast(MemorySegment buffer, int root) {
        broadcast(buffer, root, null);
    }

    @Override
    public void bcast(MemorySegment buffer, int root, Algorithm algorithm) {
        broadcast(buffer, root, algorithm);
    }

    private void broadcast(MemorySegment buffer, int root, @Nullable Algorithm wanted) {
        check(buffer, root);
        calls.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the communicator is closed");
            }
            if (root == config.rank()) {
                pause(config.parameters().rootWaitTime());
            }
            run(buffer, root, algorithm(buffer.byteSize(), wanted));
        } finally {
            calls.unlock();
        }
    }

    private void check(MemorySegment buffer, int root) {
        if (root < 0 || root >= config.size()) {
            throw new IllegalArgumentException(
                    "root " + root + " is outside 0 to " + (config.size() - 1));
        }
        if (root != config.rank() && buffer.isReadOnly()) {
            throw new IllegalArgumentException("a receiver's buffer must not be read-only");
        }
        if (!buffer.isAccessibleBy(loop.thread())) {
            throw new IllegalArgumentException(
                    "the buffer belongs to one thread; use a heap array or a shared or automatic"
                            + " arena");
        }
    }

    private Algorithm algorithm(long messageBytes, @Nullable Algorithm wanted) {
        boolean works = loop.with(engine::groupState) == GroupState.MULTICAST;
        return wanted == null
                ? choice.byDefault(messageBytes, works)
                : choice.possible(wanted, works);
    }

    private void run(MemorySegment buffer, int root, Algorithm algorithm) {
        long startNs = System.nanoTime();
        Failure failure = loop.with(engine::failure);
        if (failure == null) {
            try {
                loop.callAndAwait(
                        () -> engine.call(System.nanoTime(), buffer, root, algorithm.code()),
                        () -> !engine.callPending(),
                        Long.MAX_VALUE / 2);
            } catch (IOException broken) {
                throw new TransportException(
                        "rank " + rank() + ": the sockets broke: " + broken.getMessage(), broken);
            }
            failure = loop.with(engine::failure);
        }
        if (failure != null) {
            throw exception(failure);
        }
        long tookNs = System.nanoTime() - startNs;
        reporter.ifPresent(to -> to.recordBroadcast(algorithm.label(), buffer.byteSize(), tookNs));
    }

    private static MadcastException exception(Failure failure) {
        return switch (failure.kind()) {
            case RANK_DIED, RANK_LEFT -> new RankLostException(failure.rank(), failure.describe());
            case SIZE_MISMATCH, ROOT_MISMATCH, ALGORITHM_MISMATCH ->
                    new MismatchException(failure.describe());
            case STREAM_FORGED -> new TransportException(failure.describe(), null);
        };
    }

    private static void pause(Duration duration) {
        long endNs = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = endNs - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public CommunicatorInfo info() {
        return info;
    }

    @Override
    public CommunicatorStatistics statistics() {
        return loop.with(this::snapshot);
    }

    private CommunicatorStatistics snapshot() {
        EngineCounters counters = engine.counters();
        Map<String, Long> rejected = new TreeMap<>();
        counters.rejected().forEach((reason, count) -> rejected.put(reason.label(), count));
        return new CommunicatorStatistics(
                counters.broadcasts(),
                counters.messageBytes(),
                counters.datagramsSent(),
                counters.datagramsReceived(),
                counters.fragmentsUseful(),
                counters.fragmentsDuplicate(),
                engine.fragmentsLost(),
                counters.repairsSent(),
                counters.repairsReceived(),
                Map.copyOf(rejected),
                engine.repairTimes().percentileNs(99),
                engine.repairRequestsSent());
    }

    @Override
    public void close() {
        calls.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            leave();
            reporter.ifPresent(StatisticsReporter::close);
            if (config.parameters().printStatistics()) {
                System.err.println("madcast rank " + rank() + ": " + statistics());
            }
            loop.close();
            introduction.close();
        } finally {
            calls.unlock();
        }
    }

    private void leave() {
        try {
            loop.callAndAwait(
                    () -> engine.leave(System.nanoTime()),
                    engine::hasLeft,
                    config.parameters().deathTimeout().plus(FAREWELL).toNanos());
        } catch (IOException broken) {
            System.getLogger(EngineCommunicator.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "rank {0} left without a good-bye: {1}",
                            rank(),
                            broken.getMessage());
        }
    }
}
