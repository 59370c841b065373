package org.madcast.packaging;

import java.time.Duration;

/** Waits for what other processes do. */
final class Waiting {

    private static final Duration POLL = Duration.ofMillis(100);

    private Waiting() {}

    /** Something that is true sooner or later. */
    interface Condition {
        boolean holds() throws Exception;
    }

    /** Returns how long it took; fails with the name when it takes longer than the limit. */
    static Duration until(String name, Duration limit, Condition condition) throws Exception {
        long began = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - began > limit.toNanos()) {
                throw new AssertionError(name + " did not happen within " + limit);
            }
            Thread.sleep(POLL);
        }
        return Duration.ofNanos(System.nanoTime() - began);
    }
}
