package org.madcast.client.lease;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Renews a lease on a daemon thread, when {@link LeaseKeeper} says so. Safe for every thread. */
final class LeaseThread implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LeaseThread.class.getName());

    /** What came of a renewal. */
    sealed interface Result {

        /** The lease lasts this long from now. */
        record Renewed(Duration duration) implements Result {}

        /** There is no such lease. */
        record Gone(String reason) implements Result {}

        /** It did not work, this time. */
        record Failed(String reason) implements Result {}
    }

    /** Asks for a renewal, once. */
    interface Renewal {
        /** The answer; called on the lease's own thread, which closing interrupts. */
        Result renew() throws IOException, InterruptedException;
    }

    private final String lease;
    private final Renewal renewal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final LeaseKeeper keeper;
    private final Thread thread;
    private volatile Instant expiresAt;
    private boolean closed;

    /**
     * Prepares; {@link #start} begins.
     *
     * @param lease what the lease is called in the log
     * @param granted how long it lasts
     */
    LeaseThread(String lease, Duration granted, Renewal renewal) {
        this.lease = lease;
        this.renewal = renewal;
        this.expiresAt = Instant.now().plus(granted);
        this.keeper = new LeaseKeeper(System.nanoTime(), granted.toNanos(), 0);
        this.thread = Thread.ofPlatform().daemon().name("madcast-lease-0").unstarted(this::keep);
    }

    void start() {
        thread.start();
    }

    Instant expiresAt() {
        return expiresAt;
    }

    boolean isLost() {
        lock.lock();
        try {
            return !closed && keeper.state(System.nanoTime()) == LeaseKeeper.State.LOST;
        } finally {
            lock.unlock();
        }
    }

    private void keep() {
        try {
            while (awaitNextRenewal()) {
                renew();
            }
        } catch (InterruptedException closingNow) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits; false when there is nothing left to renew. */
    private boolean awaitNextRenewal() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !keeper.isDue(System.nanoTime())) {
                if (keeper.state(System.nanoTime()) == LeaseKeeper.State.LOST) {
                    LOG.log(
                            Level.ERROR,
                            "lease {0} was not renewed in time and is lost; its group may belong to"
                                    + " others now",
                            lease);
                    return false;
                }
                long unusedNs = closing.awaitNanos(keeper.waitNs(System.nanoTime()));
                LOG.log(Level.TRACE, "woke {0} ns early", unusedNs);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void renew() throws InterruptedException {
        Result result;
        try {
            result = renewal.renew();
        } catch (IOException away) {
            result = new Result.Failed(String.valueOf(away.getMessage()));
        }
        lock.lock();
        try {
            switch (result) {
                case Result.Renewed(Duration duration) -> {
                    expiresAt = Instant.now().plus(duration);
                    keeper.onRenewed(System.nanoTime(), duration.toNanos());
                }
                case Result.Gone(String reason) -> {
                    LOG.log(Level.WARNING, "lease {0} is gone: {1}", lease, reason);
                    keeper.onRefused();
                }
                case Result.Failed(String reason) -> {
                    LOG.log(Level.DEBUG, "lease {0} could not be renewed: {1}", lease, reason);
                    keeper.onFailed(System.nanoTime());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Renews no more. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
            thread.interrupt();
        }
    }

    /** Says that the lease could not be given back. */
    void warnOfUnreleased(String reason) {
        LOG.log(
                Level.WARNING,
                "lease {0} could not be released ({1}); it expires at {2}",
                lease,
                reason,
                expiresAt);
    }
}
