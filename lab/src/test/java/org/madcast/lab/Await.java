package org.madcast.lab;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads or the kernel do, with a bound that only a failure reaches. */
final class Await {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("not within " + LONGEST + ": " + what);
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }
}
