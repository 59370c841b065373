package org.madcast.allocator.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Limits how often something is logged that can happen with each request. Any thread. */
public final class OnceAMinute {

    private static final long EVERY_NS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier clockNs;
    private final AtomicLong dueNs;

    /** Due at once. */
    public OnceAMinute() {
        this(System::nanoTime);
    }

    OnceAMinute(LongSupplier clockNs) {
        this.clockNs = clockNs;
        this.dueNs = new AtomicLong(clockNs.getAsLong());
    }

    /** True for one caller in a minute. */
    public boolean isDue() {
        long due = dueNs.get();
        long nowNs = clockNs.getAsLong();
        return nowNs - due >= 0 && dueNs.compareAndSet(due, nowNs + EVERY_NS);
    }
}
