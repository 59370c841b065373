package org.madcast.client.internal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.BroadcastSite;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.MadcastException;
import org.madcast.client.MismatchException;
import org.madcast.client.RevokedException;
import org.madcast.client.collective.AlgorithmChoice;
import org.madcast.client.collective.SelectionTable;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.lease.Rendezvous;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.Failure;
import org.madcast.client.protocol.GroupState;
import org.madcast.client.report.SiteReporter;
import org.madcast.client.report.StatisticsReporter;

/** A communicator: an engine, the loop that drives it, and the place where its ranks met. */
final class EngineCommunicator extends CollectiveCommunicator {

    private static final System.Logger LOG = System.getLogger(EngineCommunicator.class.getName());
    private static final long NS_PER_US = 1000;
    private static final Duration LEAVE_TIME = Duration.ofSeconds(1);

    private final CommunicatorConfig config;
    private final BroadcastEngine engine;
    private final EngineLoop loop;
    private final Rendezvous rendezvous;
    private final CommunicatorView view;
    private final AlgorithmChoice choice;
    private final Optional<StatisticsReporter> reporter;
    private final Optional<SiteReporter> nameless;
    private final ReentrantLock calls = new ReentrantLock(true);
    private final PendingCalls pending = new PendingCalls();
    private final GroupKeeper groups;
    private final BlockingCall blocking;
    private final boolean pinsRootWait;
    private final long rootWaitNs;

    /** Whether a call, or a future, has ended with why nothing works any more. */
    private volatile boolean told;

    private volatile boolean closed;
    private final ThroughRoot.@Nullable Multicast multicast;
    private boolean messagesTold;

    EngineCommunicator(
            CommunicatorConfig config,
            BroadcastEngine engine,
            EngineLoop loop,
            Rendezvous rendezvous,
            SelectionTable table,
            CommunicatorInfo info,
            MessageGroup messages) {
        super(messages);
        this.config = config;
        this.engine = engine;
        this.loop = loop;
        this.rendezvous = rendezvous;
        this.view = new CommunicatorView(engine, loop, rendezvous, info, config.rank());
        this.choice = new AlgorithmChoice(config.parameters(), table, config.size());
        this.blocking = new BlockingCall(engine, loop, choice);
        boolean onManyHosts = CommunicatorView.onManyHosts(info.members());
        this.multicast = choice.partsByMulticast(onManyHosts) ? new Multicast() : null;
        this.pinsRootWait = config.parameters().pinsRootWaitTime();
        this.rootWaitNs = config.parameters().rootWaitTime().toNanos();
        this.reporter =
                rendezvous
                        .reports()
                        .map(channel ->
                                StatisticsReporter.start(
                                        new ReportsToService(channel),
                                        view::statistics,
                                        () -> loop.read(loop::foreignSenders),
                                        info.local().socketPath()));
        this.nameless = reporter.map(it -> it.site(""));
        loop.afterEachTurn(this::settle);
        messages.survival().whenRevoked(this::endRevoked);
        this.groups = GroupKeeper.start(rendezvous, engine, loop, config.rank());
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
        broadcast(buffer, root, null, nameless);
    }

    @Override
    public void bcast(MemorySegment buffer, int root, Algorithm algorithm) {
        broadcast(buffer, root, algorithm, nameless);
    }

    @Override
    public BroadcastSite site(String name) {
        String checked = NamedSite.check(name);
        return new NamedSite(this, reporter.map(it -> it.site(checked)));
    }

    void broadcast(
            MemorySegment buffer,
            int root,
            @Nullable Algorithm wanted,
            Optional<SiteReporter> site) {
        check(buffer, root);
        takeTurn();
        try {
            if (root == config.rank()) {
                Pause.ofNanos(rootWaitNs(buffer.byteSize(), site));
            }
            run(buffer, root, wanted, site);
        } finally {
            calls.unlock();
        }
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root) {
        return begin(buffer, root, null, nameless);
    }

    @Override
    public CompletableFuture<Void> ibcast(MemorySegment buffer, int root, Algorithm algorithm) {
        return begin(buffer, root, algorithm, nameless);
    }

    CompletableFuture<Void> begin(
            MemorySegment buffer,
            int root,
            @Nullable Algorithm wanted,
            Optional<SiteReporter> site) {
        check(buffer, root);
        return inOrder(() -> {
            Algorithm algorithm = choice.algorithm(wanted, buffer.byteSize(), multicastWorks());
            int code = choice.code(algorithm, wanted, buffer.byteSize());
            long startNs = System.nanoTime();
            long bytes = buffer.byteSize();
            long waitNs = root == config.rank() ? rootWaitNs(bytes, site) : 0;
            return loop.with(() -> {
                long lostBefore = engine.fragmentsLost();
                long number = engine.call(startNs, buffer, root, code, startNs + waitNs);
                return pending.add(
                        number,
                        afterDataNs -> {
                            boolean lost = loop.read(engine::fragmentsLost) > lostBefore;
                            record(
                                    new Done(algorithm, bytes, root, startNs, afterDataNs, lost),
                                    site);
                        });
            });
        });
    }

    @Override
    public void barrier() {
        takeTurn();
        try {
            blocking.barrier();
            throwFailure();
        } catch (IOException broken) {
            throw EngineFailure.brokenSockets(rank(), broken);
        } finally {
            calls.unlock();
        }
    }

    @Override
    public void markFailed(int rank) {
        if (rank < 0 || rank >= config.size() || rank == config.rank()) {
            throw new IllegalArgumentException(
                    "rank " + rank + " is this one or outside 0 to " + (config.size() - 1));
        }
        loop.with(() -> {
            engine.markFailed(System.nanoTime(), rank);
            return rank;
        });
    }

    /** Calls take effect one after the other, in the order in which they were made. */
    private <T extends @Nullable Object> T inOrder(Supplier<T> action) {
        takeTurn();
        try {
            return action.get();
        } finally {
            calls.unlock();
        }
    }

    /** Takes the lock of all calls; who gets it gives it back. */
    private void takeTurn() {
        calls.lock();
        RuntimeException refusal =
                closed
                        ? new IllegalStateException("the communicator is closed")
                        : group().survival().revocation();
        if (refusal != null) {
            calls.unlock();
            throw refusal;
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

    /** Whether what is multicast arrives at the other ranks, as far as is known. */
    boolean multicastWorks() {
        return loop.read(engine::groupState) == GroupState.MULTICAST;
    }

    @Override
    public AlgorithmSelection selection(long messageBytes) {
        return choice.byDefault(messageBytes, multicastWorks());
    }

    @Override
    ThroughRoot.@Nullable Multicast multicast() {
        return multicast;
    }

    private final class Multicast implements ThroughRoot.Multicast {

        @Override
        public void broadcast(MemorySegment message, int root) {
            takeTurn();
            try {
                EngineCommunicator.this.run(message, root, null, Optional.empty());
            } finally {
                calls.unlock();
            }
        }

        @Override
        public void abandon() {
            boolean _ = loop.with(() -> engine.abandon(System.nanoTime()));
        }
    }

    /** What the user pinned, else what the service advises. */
    private long rootWaitNs(long messageBytes, Optional<SiteReporter> site) {
        return pinsRootWait || site.isEmpty()
                ? rootWaitNs
                : site.get().rootDelayMicros(messageBytes) * NS_PER_US;
    }

    private void run(
            MemorySegment buffer,
            int root,
            @Nullable Algorithm wanted,
            Optional<SiteReporter> site) {
        long startNs = System.nanoTime();
        try {
            blocking.broadcast(buffer, root, wanted);
            throwFailure();
        } catch (IOException broken) {
            throw EngineFailure.brokenSockets(rank(), broken);
        }
        Algorithm algorithm = blocking.algorithm();
        if (site.isPresent()) {
            boolean lost = blocking.lost() > 0;
            long afterDataNs = blocking.afterDataNs();
            record(new Done(algorithm, buffer.byteSize(), root, startNs, afterDataNs, lost), site);
        }
    }

    /** A broadcast that ended well, as it is reported. */
    private record Done(
            Algorithm algorithm,
            long bytes,
            int root,
            long startNs,
            long afterDataNs,
            boolean lost) {}

    private void record(Done done, Optional<SiteReporter> site) {
        if (site.isEmpty()) {
            return;
        }
        SiteReporter to = site.get();
        String label = done.algorithm.label();
        long tookNs = System.nanoTime() - done.startNs;
        to.recordBroadcast(label, done.bytes, tookNs);
        if (done.root == config.rank()) {
            long delayMicros = rootWaitNs(done.bytes, site) / NS_PER_US;
            to.recordRootDelay(label, done.bytes, delayMicros);
        } else {
            to.recordArrival(label, done.bytes, done.afterDataNs, done.lost ? tookNs : 0);
        }
    }

    /** Of the call that has just ended. */
    private void throwFailure() {
        Failure failure = blocking.failure();
        if (failure != null) {
            told = true;
            throw exception(failure);
        }
    }

    /** Tells who waits for futures; under the loop's lock, after the engine was driven. */
    private void settle() {
        if (!messagesTold && engine.failure() != null) {
            tellMessages(engine.failure());
        }
        if (pending.isEmpty()) {
            return; // mostly, and each of the lambdas costs the first compiler a call into the JVM
        }
        boolean settled =
                pending.settle(
                        engine::isPending,
                        engine::afterDataNs,
                        () -> {
                            Failure failure = engine.failure();
                            told |= failure != null;
                            return failure == null ? null : exception(failure);
                        });
        if (settled) {
            blocking.noteLost();
        }
        if (loop.isOver()) {
            boolean _ = pending.settle(_ -> false, _ -> 0, () -> EngineFailure.unfinished(rank()));
        }
    }

    /** The other half of the communicator has heard that it is revoked. */
    private void endRevoked() {
        RevokedException why = group().survival().revocation();
        if (why != null) {
            loop.with(() -> {
                engine.revoke(System.nanoTime(), why.rank());
                return why;
            });
        }
    }

    /** What depends on a dead rank ends, whichever half of the communicator has noticed. */
    private void tellMessages(Failure failure) {
        messagesTold = true;
        if (failure.kind() == Failure.Kind.REVOKED) {
            GroupSurvival survival = group().survival();
            RevokedException _ = group().endpoint().with(() -> survival.revoke(failure.rank()));
        }
        if (failure.kind() == Failure.Kind.RANK_DIED) {
            group().endpoint()
                    .markLost(group().inWorld(failure.rank()), "it does not answer any more");
        }
    }

    /** What shows only when nothing is called any more: nobody would be told but by closing. */
    private void throwUntoldMismatch() {
        Failure failure = loop.read(engine::failure);
        if (!told && failure != null && exception(failure) instanceof MismatchException untold) {
            throw untold;
        }
    }

    private MadcastException exception(Failure failure) {
        RevokedException revoked = group().survival().revocation();
        return revoked == null ? EngineFailure.toException(failure) : revoked;
    }

    @Override
    public CommunicatorInfo info() {
        return view.info();
    }

    @Override
    public CommunicatorStatistics statistics() {
        return view.statistics();
    }

    @Override
    public void close() {
        lockCalls();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                groups.close();
                awaitPending();
                leave();
            } finally {
                free();
            }
            throwUntoldMismatch();
        } finally {
            calls.unlock();
        }
    }

    /**
     * A call of another thread is waited for; one that has not ended in half of the death timeout
     * ends with this rank's leaving.
     */
    private void lockCalls() {
        long patienceNs = config.parameters().deathTimeout().toNanos() / 2;
        boolean interrupted = false;
        for (boolean locked = false; !locked; patienceNs = LEAVE_TIME.toNanos()) {
            try {
                locked = calls.tryLock(patienceNs, TimeUnit.NANOSECONDS);
            } catch (InterruptedException hurried) {
                interrupted = true;
            }
            if (!locked && !closed) {
                boolean _ = loop.with(() -> engine.abandon(System.nanoTime()));
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever became of the leave-taking. */
    private void free() {
        try {
            reporter.ifPresent(StatisticsReporter::close);
            if (config.parameters().printStatistics()) {
                System.err.println("madcast rank " + rank() + ": " + statistics());
            }
        } finally {
            try {
                closeMessages();
                loop.close();
            } finally {
                rendezvous.close();
            }
        }
    }

    /** What was begun is ended first, unless a rank does not do its part in time. */
    private void awaitPending() {
        try {
            loop.callAndAwait(
                    () -> {}, pending::isEmpty, config.parameters().deathTimeout().toNanos());
        } catch (IOException broken) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "rank {0} closed with calls under way: {1}",
                    rank(),
                    broken.getMessage());
        }
    }

    /** Who comes forward is waited for, and nobody else longer than a dead rank would be. */
    private void leave() {
        long patienceNs = config.parameters().deathTimeout().plus(LEAVE_TIME).toNanos();
        try {
            long before;
            boolean left;
            do {
                before = loop.read(engine::watermark);
                left =
                        loop.callAndAwait(
                                () -> engine.leave(System.nanoTime()), engine::hasLeft, patienceNs);
            } while (!left && loop.read(engine::watermark) > before);
        } catch (IOException broken) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "rank {0} left without a good-bye: {1}",
                    rank(),
                    broken.getMessage());
        }
    }
}
