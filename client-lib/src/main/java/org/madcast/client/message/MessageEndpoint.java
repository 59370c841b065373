package org.madcast.client.message;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.lock.DriverLock;
import org.madcast.client.message.Transfer.Outcome;
import org.madcast.client.message.Transfer.Receive;
import org.madcast.client.message.Transfer.Send;
import org.madcast.client.message.Unexpected.Claimed;

/**
 * The messages of one process: its connections to the other ranks of its world and the thread that
 * drives them. All communicators that were made out of one share it.
 *
 * <p><b>Threads.</b> Any thread may call. One thread at a time drives: it waits on the sockets and
 * moves bytes. A caller that waits for its transfer drives; when no caller waits, the endpoint's
 * own daemon thread does, so that a message that is under way goes on while the program computes.
 *
 * <p><b>Death.</b> A rank is lost when its connection breaks, or when a transfer waits for it and
 * nothing, not even the answer to a PING, has come for the death timeout of its waiting.
 */
public final class MessageEndpoint implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(MessageEndpoint.class.getName());

    /** Why a rank is lost that has closed its communicators. */
    public static final String LEFT = "it has closed its communicators";

    /** Why a rank is lost that counts this one as lost. */
    static final String GIVES_UP = "it has given this rank up";

    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(1);
    static final Duration TICK = Duration.ofMillis(100);
    private static final long TICK_NS = TICK.toNanos();

    /** How long after the last caller the endpoint's own thread drives. */
    private static final long TAKE_OVER_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final int self;
    private final int size;
    private final TcpCarrier carrier;
    private final MessageEngine engine;
    private final long deathTimeoutNs;
    private final DriverLock lock = new DriverLock(false);
    private final DriverLock.Change changed = lock.new Change();
    private final DriverLock.Change idle = lock.new Change();
    private final Thread thread;
    private final List<Runnable> deferred = new ArrayList<>();
    private final AwaitedRanks awaited;

    private int callers;
    private boolean driven;
    private boolean asleep;

    /** What the driver waits for while it is asleep. */
    private BooleanSupplier driverIsDone = () -> false;

    private long lastCallNs;
    private long nextTickNs;
    private boolean closed;
    private @Nullable Throwable broken;

    /**
     * Starts to listen for the other ranks.
     *
     * @param listener bound to this rank's address; closed with the endpoint
     * @param relay takes over connections that are meant for the relay of reports
     */
    public MessageEndpoint(
            MessageWorld world,
            ServerSocketChannel listener,
            BiConsumer<SocketChannel, ByteBuffer> relay,
            long deathTimeoutNs)
            throws IOException {
        this.self = world.self();
        this.size = world.addresses().size();
        this.deathTimeoutNs = deathTimeoutNs;
        this.carrier =
                new TcpCarrier(
                        world,
                        PeerSecret.of(world.key(), world.token()),
                        listener,
                        relay,
                        deathTimeoutNs);
        this.engine = new MessageEngine(carrier, Unexpected.budgetBytes(size));
        carrier.events(engine);
        this.awaited = new AwaitedRanks(Math.min(TICK_NS, deathTimeoutNs / 8), System.nanoTime());
        this.lastCallNs = System.nanoTime() - TAKE_OVER_NS;
        this.nextTickNs = System.nanoTime() + awaited.intervalNs();
        this.thread =
                Thread.ofPlatform().daemon().name("madcast-messages-" + self).start(this::run);
    }

    /** The thread that touches the memory of transfers besides their callers'. */
    public Thread thread() {
        return thread;
    }

    /** A communicator's half of a context; called under the lock. */
    public interface Context extends Contexts.Context {}

    /**
     * Makes contexts known.
     *
     * @throws IllegalStateException if one of them belongs to another communicator
     */
    public void open(Context of, long... contexts) {
        run(() -> engine.open(of, contexts));
    }

    /** Reports to a rank that the collective calls of a context have failed. */
    public void abort(int rank, long context, byte[] why) {
        run(() -> engine.abort(rank, context, why));
    }

    /** Says something to a rank's half of a context, which hears it as soon as it is open. */
    public void notice(int rank, long context, byte[] notice) {
        run(() -> engine.notice(rank, context, notice));
    }

    /** Ends what is under way in a context, and all that begins in it later. */
    public void revoke(long context) {
        run(() -> engine.revoke(context));
    }

    /** Drops what has arrived for a context, and cancels its receives. */
    public void close(long context) {
        run(() -> engine.close(context));
    }

    /** Begins to send. */
    public void start(Send send) {
        run(() -> {
            engine.send(send);
            engine.release();
        });
    }

    /** Begins to receive. */
    public void start(Receive receive) {
        run(() -> engine.receive(receive));
    }

    /** Begins to receive a message that was found before. */
    public void start(FoundMessage found, Receive receive) {
        run(() -> engine.receive(found.claimed, receive));
    }

    /** Takes a receive back; false when a message has matched it already. */
    public boolean cancel(Receive receive) {
        return with(() -> engine.cancel(receive));
    }

    /** The message that such a receive would get now; it stays. */
    public Outcome.@Nullable Complete probe(long context, int source, int tag) {
        return with(() -> engine.probe(context, source, tag));
    }

    /** Takes out the message that such a receive would get now. */
    public @Nullable FoundMessage claim(long context, int source, int tag) {
        return with(() -> {
            Claimed claimed = engine.claim(context, source, tag);
            return claimed == null ? null : new FoundMessage(claimed);
        });
    }

    /** Ends what depends on a rank that is known to be gone, in whatever way that was found. */
    public void markLost(int rank, String reason) {
        run(() -> carrier.giveUp(rank, reason));
    }

    /** Gives a rank up when what it has been told is on its way, or after a second. */
    public void giveUp(int rank, String reason) {
        boolean _ = await(() -> carrier.isIdle(rank), LEAVE_NS);
        markLost(rank, reason);
    }

    /** Why a rank is lost; null while it is not known to be. */
    public @Nullable String lost(int rank) {
        return with(() -> engine.lost(rank));
    }

    /** Whether a rank with this reason has said that its connection ends, rather than died. */
    public static boolean mayLive(String reason) {
        return reason.equals(LEFT) || reason.equals(GIVES_UP);
    }

    private void run(Runnable action) {
        with(() -> {
            action.run();
            return self;
        });
    }

    /** Runs an action under the lock, in which transfers may begin and end. */
    public <T extends @Nullable Object> T with(Supplier<T> action) {
        lock.lock();
        try {
            if (closed) {
                throw broken == null
                        ? new IllegalStateException("the communicator is closed")
                        : new IllegalStateException("messages have failed: " + broken, broken);
            }
            T result = action.get();
            // A message to this rank itself ends what the driver waits for without the carrier.
            if ((carrier.takeChanged() || engine.holds() || isDriverDone()) && asleep) {
                carrier.wakeup();
            }
            changed.tellAll();
            return result;
        } finally {
            unlock();
        }
    }

    /**
     * Runs an action that uses this endpoint, unless it is closed, for a caller that holds an
     * engine's lock: what is deferred, which may be code of the program, is left to the driver.
     *
     * @return whether it was run
     */
    public boolean quietly(Runnable action) {
        lock.lock();
        try {
            if (!closed) {
                action.run();
            }
            if (asleep && !deferred.isEmpty()) {
                carrier.wakeup();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Evaluates the driver's condition, which may itself run actions, as that of a probe does. */
    private boolean isDriverDone() {
        BooleanSupplier condition = driverIsDone;
        driverIsDone = () -> false;
        try {
            return condition.getAsBoolean();
        } finally {
            driverIsDone = condition;
        }
    }

    /**
     * Runs an action as soon as the lock is free: what is called by a transfer's end and may run
     * code of the program. Under the lock.
     */
    public void defer(Runnable action) {
        deferred.add(action);
    }

    /** Gives the lock back, and runs what was deferred unless the caller holds it once more. */
    private void unlock() {
        List<Runnable> actions = List.of();
        if (lock.getHoldCount() == 1 && !deferred.isEmpty()) {
            actions = List.copyOf(deferred);
            deferred.clear();
        }
        lock.unlock();
        actions.forEach(Runnable::run);
    }

    /**
     * Drives, or waits while another thread does, until the condition holds, which is evaluated
     * under the lock.
     *
     * @return whether it held; false when the endpoint was closed or the time over
     */
    public boolean await(BooleanSupplier done, long timeoutNs) {
        long endNs = System.nanoTime() + Math.min(timeoutNs, Long.MAX_VALUE / 2);
        boolean interrupted = false;
        lock.lock();
        callers++;
        try {
            while (!done.getAsBoolean() && !closed && System.nanoTime() - endNs < 0) {
                // A call is not interruptible; its caller finds the flag set when it is over.
                interrupted |= Thread.interrupted();
                if (driven) {
                    interrupted |= waitForDriver(endNs - System.nanoTime());
                } else {
                    drive(done, endNs);
                }
            }
            return done.getAsBoolean();
        } finally {
            callers--;
            lastCallNs = System.nanoTime();
            changed.tellAll();
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Does what can be done now, without waiting, unless another thread drives. */
    public void poll() {
        lock.lock();
        try {
            if (!driven && !closed) {
                lastCallNs = System.nanoTime();
                driven = true;
                try {
                    engine.release();
                    if (carrier.selectNow()) {
                        boolean _ = carrier.turn();
                    }
                    if (nextTickNs - System.nanoTime() <= 0) {
                        tick();
                    }
                } catch (IOException | ClosedSelectorException failure) {
                    fail(failure);
                } finally {
                    driven = false;
                    changed.tellAll();
                }
            }
        } finally {
            unlock();
        }
    }

    private void fail(Throwable reason) {
        if (!closed) { // else it is the close itself that a waiting thread has noticed
            LOG.log(Level.ERROR, "rank " + self + ": messages have failed", reason);
            broken = reason;
            closed = true;
        }
    }

    /**
     * Until the driver has done something; the endpoint's own thread gives way. True if
     * interrupted.
     */
    private boolean waitForDriver(long longestNs) {
        if (asleep && callers == 1) {
            carrier.wakeup();
        }
        return changed.await(Math.min(longestNs, TICK_NS));
    }

    private void drive(BooleanSupplier done, long endNs) {
        driven = true;
        try {
            turn(done, endNs);
        } finally {
            driven = false;
            changed.tellAll();
        }
        if (!deferred.isEmpty()) {
            unlock();
            lock.lock();
        }
    }

    /**
     * Waits without the lock for something to do, unless the driver's wish has come true; does it.
     */
    private void turn(BooleanSupplier done, long endNs) {
        try {
            engine.release();
            long nowNs = System.nanoTime();
            long waitNs = Math.min(nextTickNs, endNs) - nowNs;
            if (!carrier.turn() && deferred.isEmpty() && !done.getAsBoolean()) {
                asleep = true;
                driverIsDone = done;
                long gatherNs = carrier.gatherNs();
                boolean called = callers > 0;
                lock.unlock();
                try {
                    if (gatherNs > 0) {
                        LockSupport.parkNanos(gatherNs);
                    }
                    carrier.select(waitNs, called);
                } finally {
                    lock.lock();
                    asleep = false;
                    driverIsDone = () -> false;
                }
                if (closed) {
                    return;
                }
                engine.release(); // before what has come is answered by long messages
                boolean _ = carrier.turn();
            }
            if (nextTickNs - System.nanoTime() <= 0) {
                tick();
            }
        } catch (IOException | ClosedSelectorException failure) {
            fail(failure);
        }
    }

    private void run() {
        lock.lock();
        try {
            while (!closed) {
                long restNs = lastCallNs + TAKE_OVER_NS - System.nanoTime();
                if (callers > 0 || driven) {
                    boolean _ = idle.await(10 * TAKE_OVER_NS);
                } else if (restNs > 0) {
                    boolean _ = idle.await(restNs);
                } else {
                    drive(() -> closed || callers > 0, Long.MAX_VALUE);
                }
            }
        } catch (RuntimeException | Error fault) {
            // A fault of the library: waiting callers end, rather than hang.
            fail(fault);
            changed.tellAll();
        } finally {
            lock.unlock();
        }
    }

    /** Looks after handshakes and after ranks that transfers wait for. */
    private void tick() {
        long nowNs = System.nanoTime();
        nextTickNs = nowNs + awaited.intervalNs();
        carrier.onTime(nowNs, awaited.stoppedNs(nowNs));
        engine.onTime(nowNs);
        Set<Integer> ranks = engine.awaited();
        ranks.remove(self);
        awaited.look(nowNs, ranks);
        for (int rank : ranks) {
            Long heardNs = carrier.heardNs(rank);
            if (heardNs == null || nowNs - heardNs > deathTimeoutNs / 2) {
                engine.ping(rank);
            }
            // A rank of which nothing was wanted had no reason to say anything.
            if (heardNs != null
                    && nowNs - heardNs > deathTimeoutNs
                    && awaited.waitedNs(rank) > deathTimeoutNs) {
                carrier.giveUp(
                        rank, "it has not answered for " + deathTimeoutNs / 1_000_000 + " ms");
            }
        }
    }

    private boolean isIdle() {
        return IntStream.range(0, size).allMatch(carrier::isIdle);
    }

    /** Says good-bye to the other ranks, and ends what still waits. */
    @Override
    public void close() {
        boolean open =
                quietly(() -> {
                    engine.release();
                    carrier.leave();
                });
        if (!open) {
            return;
        }
        boolean _ = await(this::isIdle, deathTimeoutNs);
        run(() -> carrier.endOutput());
        boolean _ = await(carrier::isDisconnected, LEAVE_NS);
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            carrier.close();
            idle.tellAll();
            changed.tellAll();
        } finally {
            lock.unlock();
        }
        if (!Thread.currentThread().equals(thread)) {
            DriverLock.awaitEnd(thread);
        }
    }
}
