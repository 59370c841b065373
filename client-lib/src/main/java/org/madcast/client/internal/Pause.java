package org.madcast.client.internal;

import java.util.concurrent.locks.LockSupport;

/** A wait for a time, which an interrupt does not shorten; the thread's flag is kept. */
final class Pause {

    private Pause() {}

    static void ofNanos(long durationNs) {
        if (durationNs == 0) {
            return;
        }
        long endNs = System.nanoTime() + durationNs;
        boolean interrupted = false;
        for (long leftNs = durationNs; leftNs > 0; leftNs = endNs - System.nanoTime()) {
            // Who is interrupted is not parked.
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(leftNs);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
