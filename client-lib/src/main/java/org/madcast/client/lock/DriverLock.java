package org.madcast.client.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of what one thread at a time drives. A virtual thread may be the next to get it and have
 * no processor, since the program computes on all carriers; whoever queues behind it would wait for
 * that. The driver keeps ranks alive, so a platform thread passes such a thread after a
 * millisecond. A {@link java.util.concurrent.locks.Condition} does not, so {@link Change} is there
 * in its place.
 */
public final class DriverLock extends ReentrantLock {

    private static final long serialVersionUID = 1;
    private static final long PATIENCE_NS = 1_000_000;

    /**
     * A lock that is free.
     *
     * @param fair whether who has waited longest gets it first, but for virtual threads without a
     *     processor
     */
    public DriverLock(boolean fair) {
        super(fair);
    }

    /** Takes it. An interrupt is kept for later. */
    @Override
    public void lock() {
        if (!hasQueuedThreads() && tryLock()) {
            return; // mostly
        }
        if (Thread.currentThread().isVirtual()) {
            super.lock();
        } else {
            lockPassing();
        }
    }

    private void lockPassing() {
        boolean interrupted = false;
        boolean taken = false;
        while (!taken) {
            try {
                taken = tryLock(PATIENCE_NS, TimeUnit.NANOSECONDS) || tryLock();
            } catch (InterruptedException noted) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of a driver's own thread. An interrupt is kept for later. */
    public static void awaitEnd(Thread driver) {
        boolean interrupted = false;
        while (driver.isAlive()) {
            try {
                driver.join();
            } catch (InterruptedException noted) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Something that threads wait for: used by who holds the lock, once. */
    public final class Change {

        private final List<Thread> waiting = new ArrayList<>();

        /**
         * Gives the lock back, waits, and takes it again. May return without reason.
         *
         * @param longestNs how long to wait
         * @return whether the thread was interrupted; the flag is cleared
         */
        public boolean await(long longestNs) {
            Thread self = Thread.currentThread();
            waiting.add(self);
            unlock();
            try {
                LockSupport.parkNanos(this, longestNs);
            } finally {
                lock();
                waiting.remove(self);
            }
            return Thread.interrupted();
        }

        /** Ends the waiting of all. */
        public void tellAll() {
            if (!waiting.isEmpty()) {
                waiting.forEach(LockSupport::unpark);
                waiting.clear();
            }
        }
    }
}
