package org.madcast.client.lock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of what one thread at a time drives. Whoever waits for it in front of the driver may be
 * a virtual thread that gets no processor as long as the program computes on all carriers: the
 * driver, who keeps ranks alive, passes it after a moment.
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
