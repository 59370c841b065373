package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.madcast.client.lock.DriverLock;
import org.madcast.client.lock.Polling;
import org.madcast.client.protocol.GroupAddress;
import org.madcast.client.protocol.ProtocolEngine;
import org.madcast.client.wire.Arrival;

/**
 * Drives an engine on real sockets. The engine is touched only under this loop's lock.
 *
 * <p>One thread at a time is the <em>driver</em>: it receives, lets time pass, sends and waits on
 * the sockets. That is the loop's own daemon thread, except while a caller waits in {@link
 * #callAndAwait}: then the caller drives, so that no hand-over between threads lies between a
 * datagram and the call that it completes.
 */
public final class EngineLoop implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(EngineLoop.class.getName());
    private static final int BATCH = 64;
    private static final long LONGEST_WAIT_NS = 1_000_000_000;

    private final ProtocolEngine engine;
    private final DatagramTransport transport;
    private final Arena memory;

    /** Fair: a driver that always finds something to do lets in who has waited longest. */
    private final DriverLock lock = new DriverLock(true);

    private final DriverLock.Change driverChanged = lock.new Change();
    private final ReliableWay way;
    private final Outlet outlet;
    private final TakeOver takeOver;
    private final Polling polling;
    private final Thread thread;
    private Runnable afterTurn = () -> {};
    private final ForeignSenders foreign = new ForeignSenders();
    private int callers;
    private boolean driven;
    private boolean awaitsEnd;
    private boolean endTold;
    private long lastCallNs;
    private long lastNewsNs;
    private boolean stopped;
    private long sleepsUntilNs = Long.MIN_VALUE;
    private boolean over;
    private @Nullable Throwable broken;

    /**
     * The loop of one engine; {@link #start()} begins.
     *
     * @param memory what the engine lives in, and the datagrams that wait to be sent; closed with
     *     this loop, so that it is free then and not when garbage is collected
     * @param polling how long a call that waits looks again and again, since it began or something
     *     came, before it sleeps
     */
    public EngineLoop(
            ProtocolEngine engine,
            DatagramTransport transport,
            ReliableWay way,
            Arena memory,
            int datagramBytes,
            Polling polling,
            String name) {
        this.engine = engine;
        this.transport = transport;
        this.way = way;
        this.memory = memory;
        this.takeOver = transport.takeOver();
        this.polling = polling;
        this.lastCallNs = System.nanoTime() - takeOver.delayNs();
        SendBatch batch = new SendBatch(memory, datagramBytes, transport.batchBytes(datagramBytes));
        this.outlet = new Outlet(engine, transport, way, batch);
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /**
     * What to do, under the lock, after each time that the engine was driven, and once more when it
     * {@link #isOver}.
     */
    public void afterEachTurn(Runnable action) {
        lock.lock();
        try {
            afterTurn = action;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the engine is driven no more, whatever ended it; under the lock. */
    public boolean isOver() {
        return over;
    }

    /** How many arriving datagrams the transport refused; under the lock. */
    public long refused() {
        return transport.refused();
    }

    /** How many of them came to the group's socket; under the lock. */
    public long refusedOfGroup() {
        return transport.refusedOfGroup();
    }

    /** Who sent datagrams of other communicators or programs, the latest few; under the lock. */
    public List<String> foreignSenders() {
        return foreign.senders();
    }

    /** Starts the loop's own thread. */
    public void start() {
        way.open(transport::wakeup);
        thread.start();
    }

    /** The loop's own thread, which may touch callers' memory. */
    public Thread thread() {
        return thread;
    }

    /** Reads the engine under the lock; for what changes it there is {@link #with}. */
    public <T extends @Nullable Object> T read(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }

    /** Changes the engine under the lock, sends what that caused, and returns at once. */
    public <T> T with(Supplier<T> action) {
        lock.lock();
        try {
            T result = action.get();
            if (!over) {
                outlet.transmit();
            }
            afterTurn.run();
            wakeIfEarlierDeadline();
            return result;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs the action under the lock, then drives the engine on this thread until the condition
     * holds, which is evaluated under the lock, or the time is over.
     *
     * @param timeoutNs how long to wait at most
     * @return whether the condition held
     * @throws IOException when the sockets broke or were closed meanwhile
     */
    public boolean callAndAwait(Runnable action, BooleanSupplier done, long timeoutNs)
            throws IOException {
        long endNs = System.nanoTime() + timeoutNs;
        // A broadcast is not interruptible; the caller finds the flag set when it is over.
        boolean interrupted = Thread.interrupted();
        lock.lock();
        callers++;
        try {
            if (over || stopped) {
                throw closed();
            }
            goOn();
            lastNewsNs = System.nanoTime();
            action.run();
            outlet.transmit();
            afterTurn.run();
            while (!done.getAsBoolean() && System.nanoTime() - endNs < 0) {
                if (over || stopped) {
                    throw closed();
                }
                interrupted |= driveOrWait(endNs, done);
                // Who is interrupted meanwhile would find that no wait lasts any more.
                interrupted |= Thread.interrupted();
            }
            return done.getAsBoolean();
        } finally {
            callers--;
            wakeIfEarlierDeadline();
            end();
            driverChanged.tellAll();
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private IOException closed() {
        return new IOException("the communicator was closed", broken);
    }

    /** Whether the thread was interrupted while it waited for the driver. */
    private boolean driveOrWait(long endNs, BooleanSupplier done) throws IOException {
        boolean interrupted = false;
        while (driven) {
            transport.wakeup();
            interrupted |= driverChanged.await(LONGEST_WAIT_NS);
        }
        if (over || stopped) {
            return interrupted; // what a turn needs may be gone
        }
        driven = true;
        try {
            turn(endNs, done);
        } finally {
            driven = false;
            driverChanged.tellAll();
        }
        return interrupted;
    }

    private void run() {
        BooleanSupplier untilStopped = () -> stopped;
        lock.lock();
        try {
            while (!stopped) {
                awaitNoCaller();
                driven = true;
                turn(Long.MAX_VALUE, untilStopped);
                driven = false;
                driverChanged.tellAll();
            }
        } catch (IOException | RuntimeException failed) {
            broken = failed;
            if (!stopped) { // else it is the close itself that the thread has noticed
                LOG.log(System.Logger.Level.ERROR, thread.getName() + " has failed", failed);
            }
        } catch (Error fault) {
            broken = fault;
            throw fault;
        } finally {
            driven = false;
            over = true;
            try {
                afterTurn.run();
            } finally {
                driverChanged.tellAll();
                lock.unlock();
            }
        }
    }

    /**
     * Waits until no caller has driven for a moment. The thread looks by itself once after {@link
     * TakeOver#delayNs}; while a longer call lasts it waits for its end: a program that broadcasts
     * again and again would otherwise pay two switches between threads for each small message.
     */
    private void awaitNoCaller() {
        boolean looked = false;
        long restNs;
        while ((restNs = untilTakeOverNs()) > 0 && !stopped) {
            boolean callDrives = restNs == Long.MAX_VALUE;
            if (callDrives && looked) {
                awaitEnd();
                continue;
            }
            lock.unlock();
            try {
                LockSupport.parkNanos(this, callDrives ? takeOver.delayNs() : restNs);
            } finally {
                lock.lock();
            }
            // The thread is the loop's own; it ends when the loop is closed, and then only.
            boolean _ = Thread.interrupted();
            looked |= callDrives;
        }
    }

    private void awaitEnd() {
        awaitsEnd = true;
        lock.unlock();
        try {
            takeOver.await();
        } finally {
            lock.lock();
            awaitsEnd = false;
        }
    }

    /** A call has ended: the loop's thread may drive a moment later. */
    private void end() {
        lastCallNs = System.nanoTime();
        if (awaitsEnd && !stopped) {
            takeOver.after(takeOver.delayNs());
            endTold = true;
        }
    }

    /** A call begins: the thread need not look. */
    private void goOn() {
        if (endTold && !stopped) {
            takeOver.cancel();
            endTold = false;
        }
    }

    /** How long the last caller's end is still too fresh; no end in sight while one drives. */
    private long untilTakeOverNs() {
        return callers > 0 || driven
                ? Long.MAX_VALUE
                : lastCallNs + takeOver.delayNs() - System.nanoTime();
    }

    /**
     * Receives, lets time pass, sends, and, unless what the driver waits for has come, waits
     * without the lock for the next occasion.
     */
    private void turn(long endNs, BooleanSupplier done) throws IOException {
        boolean busy = receive();
        long nowNs = System.nanoTime();
        if (engine.nextDeadlineNs() <= nowNs) {
            engine.onTimeout(nowNs);
        }
        regroup();
        outlet.transmit();
        afterTurn.run();
        driverChanged.tellAll();
        if (busy || outlet.hasMore() || done.getAsBoolean()) {
            letOthersIn();
            return;
        }
        long dueNs = Math.min(engine.nextDeadlineNs(), endNs);
        long waitNs = Math.min(dueNs - System.nanoTime(), LONGEST_WAIT_NS);
        if (dueNs != ProtocolEngine.NO_DEADLINE && waitNs <= 0) {
            return;
        }
        long coalesceNs = engine.coalesceNs(nowNs);
        sleepsUntilNs = dueNs;
        boolean polls = callers > 0 && coalesceNs == 0 && !outlet.isBlocked();
        lock.unlock();
        try {
            if (!polls || !polled(waitNs)) {
                transport.await(Math.max(waitNs, 0), coalesceNs, outlet.isBlocked());
            }
        } finally {
            lock.lock();
            sleepsUntilNs = Long.MIN_VALUE;
        }
    }

    /** The lock is kept from turn to turn, but not from a caller who waits for it. */
    private void letOthersIn() {
        if (lock.hasQueuedThreads()) {
            lock.unlock();
            lock.lock();
        }
    }

    /**
     * Looks again and again while other threads get the processor in between, without the lock.
     *
     * @return whether there is a reason for another turn; else it is time to sleep
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it: it lets others run
    private boolean polled(long waitNs) throws IOException {
        long nowNs = System.nanoTime();
        long allowedNs = polling.allowedNs(nowNs);
        if (allowedNs == 0) {
            return false;
        }
        long restNs = lastNewsNs + allowedNs - nowNs;
        long dueNs = nowNs + waitNs;
        long untilNs = nowNs + Math.min(waitNs, restNs);
        while (nowNs - untilNs < 0) {
            if (transport.poll()) {
                return true;
            }
            Thread.yield();
            nowNs = System.nanoTime();
        }
        return nowNs - dueNs >= 0;
    }

    /** Takes the sockets to another group when the engine says so; only the driver may. */
    private void regroup() {
        GroupAddress group = engine.takeNewGroup();
        if (group == null) {
            return;
        }
        try {
            transport.regroup(
                    new InetSocketAddress(InetAddress.getByAddress(group.address()), group.port()));
            engine.onNewGroupJoined(System.nanoTime());
        } catch (IOException | RuntimeException notJoined) {
            // The engine finds that nothing comes from the group, and all ranks do without it.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} cannot join {1}: {2}",
                    thread.getName(),
                    group,
                    notJoined.getMessage());
        }
    }

    /** True when there may be more. */
    private boolean receive() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            Arrival arrival = way.receive();
            arrival = arrival == null ? transport.receive() : arrival;
            if (arrival == null) {
                return false;
            }
            if (arrival.datagram().byteSize() > 0) {
                take(arrival);
            }
        }
        return true;
    }

    private void take(Arrival arrival) {
        lastNewsNs = System.nanoTime();
        engine.onDatagram(lastNewsNs, arrival);
        if (engine.foreign() != foreign.counted()) {
            foreign.add(transport.lastSender(), engine.foreign());
        }
    }

    /** Wakes the thread that waits on the sockets when the engine's deadline has moved forward. */
    private void wakeIfEarlierDeadline() {
        boolean asleep = sleepsUntilNs != Long.MIN_VALUE;
        boolean unsent = outlet.isBlocked() || outlet.hasMore();
        if (asleep && (unsent || engine.nextDeadlineNs() < sleepsUntilNs)) {
            transport.wakeup();
        }
    }

    /**
     * Stops the thread, closes the transport and frees the memory; callers that wait get an
     * exception.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!stopped) {
                stopped = true;
                takeOver.after(0);
            }
            LockSupport.unpark(thread);
            driverChanged.tellAll();
        } finally {
            lock.unlock();
        }
        transport.wakeup();
        DriverLock.awaitEnd(thread);
        takeOver.close();
        way.close();
        lock.lock();
        try {
            awaitNoDriver();
            over = true;
            afterTurn.run();
        } finally {
            free();
        }
    }

    /** A caller that drives uses the descriptors until its turn ends, even without the lock. */
    private void awaitNoDriver() {
        boolean interrupted = false;
        while (driven) {
            transport.wakeup();
            interrupted |= driverChanged.await(LONGEST_WAIT_NS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives the lock back too. */
    private void free() {
        try {
            transport.close();
            if (memory.scope().isAlive()) {
                memory.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
