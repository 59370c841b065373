package org.madcast.client.internal;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.BroadcastSite;
import org.madcast.client.Collective;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CommunicatorConfig;
import org.madcast.client.CommunicatorInfo;
import org.madcast.client.CommunicatorStatistics;
import org.madcast.client.MismatchException;
import org.madcast.client.collective.AlgorithmChoice;
import org.madcast.client.io.EngineLoop;
import org.madcast.client.lease.Rendezvous;
import org.madcast.client.protocol.BroadcastEngine;
import org.madcast.client.protocol.Failure;
import org.madcast.client.protocol.GroupState;
import org.madcast.client.report.CallRecorder;
import org.madcast.client.report.SiteReporter;
import org.madcast.client.report.StatisticsReporter;

/** A communicator: an engine, the loop that drives it, and the place where its ranks met. */
final class EngineCommunicator extends CollectiveCommunicator {

    private static final long NS_PER_US = 1000;

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
    private final GoodBye goodBye;
    private final BlockingCall blocking;
    private final SharedFailures failures;
    private final boolean pinsRootWait;
    private final long rootWaitNs;

    /** Whether a call, or a future, has ended with why nothing works any more. */
    private volatile boolean told;

    private volatile boolean closed;
    private final ManyRoots.@Nullable Multicast multicast;

    EngineCommunicator(
            CommunicatorConfig config,
            BroadcastEngine engine,
            EngineLoop loop,
            Rendezvous rendezvous,
            CommunicatorInfo info,
            MessageGroup messages) {
        super(messages, true);
        this.config = config;
        this.engine = engine;
        this.loop = loop;
        this.rendezvous = rendezvous;
        this.view = new CommunicatorView(engine, loop, rendezvous, info, config.rank());
        this.choice =
                new AlgorithmChoice(config.parameters(), messages.world().table(), config.size());
        this.blocking = new BlockingCall(messages, engine, loop, choice);
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
        this.failures =
                new SharedFailures(
                        engine, loop, messages, info.members().get(config.rank()).getAddress());
        loop.afterEachTurn(this::settle);
        this.goodBye = new GoodBye(config, engine, loop);
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
        long began = beginBroadcast(buffer, root);
        try {
            inTurn(buffer, root, wanted, site);
        } finally {
            group().ended(began, CallRecorder.BCAST, buffer.byteSize(), root);
        }
    }

    private void inTurn(
            MemorySegment buffer,
            int root,
            @Nullable Algorithm wanted,
            Optional<SiteReporter> site) {
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

    /** In the profile; a receiver waits for the root from the beginning on. */
    private long beginBroadcast(MemorySegment buffer, int root) {
        CallRecorder profile = group().calls();
        long began = profile.begin();
        if (root == config.rank()) {
            profile.multicast(buffer.byteSize());
        } else {
            profile.waits();
        }
        return began;
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
        long began = group().calls().begin();
        if (root == config.rank()) {
            group().calls().multicast(buffer.byteSize());
        }
        try {
            return inOrder(() -> begun(buffer, root, wanted, site));
        } finally {
            int kind = CallRecorder.BCAST + CallRecorder.BEGUN;
            group().ended(began, kind, buffer.byteSize(), root);
        }
    }

    private CompletableFuture<Void> begun(
            MemorySegment buffer,
            int root,
            @Nullable Algorithm wanted,
            Optional<SiteReporter> site) {
        long startNs = System.nanoTime();
        long bytes = buffer.byteSize();
        long waitNs = root == config.rank() ? rootWaitNs(bytes, site) : 0;
        return loop.with(() -> {
            boolean works = engine.groupState() == GroupState.MULTICAST;
            Algorithm algorithm = choice.algorithm(wanted, bytes, works);
            int code = choice.code(algorithm, wanted, bytes);
            long lostBefore = engine.fragmentsLost();
            group().history().beginBroadcast(CallSignature.ofBroadcast(0, root, bytes));
            long number = engine.call(startNs, buffer, root, code, startNs + waitNs);
            PendingCalls.Note note =
                    site.isEmpty()
                            ? null
                            : afterDataNs -> {
                                boolean lost = loop.read(engine::fragmentsLost) > lostBefore;
                                record(
                                        new EndedBroadcast(
                                                algorithm, bytes, root, startNs, afterDataNs, lost),
                                        site);
                            };
            return pending.add(number, new EngineFuture(group(), root, loop), note);
        });
    }

    @Override
    Collective barrier(CollectiveAlgorithm algorithm) {
        return algorithm != CollectiveAlgorithm.TREE
                ? super.barrier(algorithm)
                : new EngineBarrier(
                        group(),
                        () -> drive(blocking::barrier),
                        () -> inOrder(() -> loop.with(() -> begun(blocking.callBarrier()))));
    }

    private CompletableFuture<Void> begun(long number) {
        return pending.add(number, new EngineFuture(group(), -1, loop), null);
    }

    /** Calls of the engine for which this thread waits. */
    private interface Driven {
        void run() throws IOException;
    }

    private void drive(Driven call) {
        takeTurn();
        try {
            call.run();
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
        CallArguments.checkAccess("the buffer", buffer, loop.thread());
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
    ManyRoots.@Nullable Multicast multicast() {
        return multicast;
    }

    private final class Multicast implements ManyRoots.Multicast {

        @Override
        public void exchange(MemorySegment[] parts, int kind) {
            drive(() -> blocking.exchange(parts, kind));
        }

        @Override
        public CompletableFuture<Void> begin(MemorySegment[] parts, int kind) {
            return inOrder(() -> loop.with(() -> begun(blocking.callAll(parts, kind))));
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
            long bytes = buffer.byteSize();
            record(new EndedBroadcast(algorithm, bytes, root, startNs, afterDataNs, lost), site);
        }
    }

    private void record(EndedBroadcast ended, Optional<SiteReporter> site) {
        if (site.isPresent()) {
            boolean atRoot = ended.root() == config.rank();
            ended.reportTo(site.get(), atRoot ? rootWaitNs(ended.bytes(), site) : -1);
        }
    }

    /** Of the call that has just ended. */
    private void throwFailure() {
        Failure failure = blocking.failure();
        if (failure != null) {
            told = true;
            throw failures.exception(failure);
        }
    }

    /** Tells who waits for futures; under the loop's lock, after the engine was driven. */
    private void settle() {
        failures.tellMessages();
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
                            return failure == null ? null : failures.exception(failure);
                        });
        if (settled) {
            blocking.noteLost();
        }
        if (loop.isOver()) {
            boolean _ = pending.settle(_ -> false, _ -> 0, () -> EngineFailure.unfinished(rank()));
        }
    }

    /** What shows only when nothing is called any more: it would be reported only by closing. */
    private void throwUntoldMismatch() {
        Failure failure = loop.read(engine::failure);
        if (!told
                && !group().isFailureTold()
                && failure != null
                && failures.exception(failure) instanceof MismatchException untold) {
            throw untold;
        }
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
        goodBye.lock(calls, () -> closed);
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                groups.close();
                goodBye.await(pending::isEmpty);
                failures.tellEngine(goodBye);
                goodBye.leave();
            } finally {
                free();
            }
            throwUntoldMismatch();
        } finally {
            calls.unlock();
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
}
