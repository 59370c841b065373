package org.madcast.allocator.access;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A token bucket: admits {@code n} requests a second, and a burst of the size it was made with. For
 * any number of threads.
 */
final class Bucket {

    private final LongSupplier clockNs;
    private final double most;
    private final double perNs;
    private double left;
    private long seenNs;

    Bucket(double perSecond, double most, LongSupplier clockNs) {
        this.clockNs = clockNs;
        this.most = most;
        this.perNs = perSecond / TimeUnit.SECONDS.toNanos(1);
        this.left = most;
        this.seenNs = clockNs.getAsLong();
    }

    /** Takes one, if there is one. */
    synchronized boolean take() {
        if (!hasOne()) {
            return false;
        }
        left--;
        return true;
    }

    /** Whether there is one. */
    synchronized boolean hasOne() {
        long nowNs = clockNs.getAsLong();
        left = Math.min(most, left + (nowNs - seenNs) * perNs);
        seenNs = nowNs;
        return left >= 1;
    }
}
