package org.madcast.client.lock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of what one thread at a time drives. In front of the driver a virtual thread may wait
 * that gets no processor while the program computes on all carriers. The driver keeps ranks alive,
 * so it passes such a thread after a millisecond.
 */
public final class DriverLock extends ReentrantLock {

    private static final long serialVersionUID = 1;
    private static final long PATIENCE_NS = 1_000_000;

    /**
     * A lock that is free.
     *
     * @param fair whether who has waited longest gets it first, the driver excepted
     */
    public DriverLock(boolean fair) {
        super(fair);
    }

    /** Takes it as the driver. An interrupt is kept for later. */
    public void lockAsDriver() {
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
}
