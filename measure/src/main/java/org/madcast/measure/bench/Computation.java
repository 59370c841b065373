package org.madcast.measure.bench;

import java.util.concurrent.locks.LockSupport;

/**
 * What a rank computes while a call is under way: an amount of work rather than a time, so that
 * what the call takes of the processor makes it longer.
 */
final class Computation {

    private static final int UNIT = 1000;
    private static final int SAMPLES = 50;

    private static volatile double result = 1;
    private static long unitNs;

    private Computation() {}

    /**
     * Computes.
     *
     * @param lastingNs how long it takes on a processor of its own
     * @param idle whether to sleep instead, for as long, as if another processor computed
     */
    static synchronized void run(long lastingNs, boolean idle) {
        if (idle) {
            long endNs = System.nanoTime() + lastingNs;
            for (long leftNs = lastingNs; leftNs > 0; leftNs = endNs - System.nanoTime()) {
                LockSupport.parkNanos(leftNs);
            }
            return;
        }
        long units = lastingNs / unitNs();
        for (long i = 0; i < units; i++) {
            unit();
        }
    }

    /** The least of some, since others may use the processor meanwhile. */
    private static long unitNs() {
        if (unitNs == 0) {
            long leastNs = Long.MAX_VALUE;
            for (int i = 0; i < SAMPLES * SAMPLES; i++) {
                long startNs = System.nanoTime();
                unit();
                leastNs = Math.min(leastNs, System.nanoTime() - startNs);
            }
            unitNs = Math.max(1, leastNs);
        }
        return unitNs;
    }

    private static void unit() {
        double value = result;
        for (int i = 0; i < UNIT; i++) {
            value = value * 0.999_999 + 1e-6;
        }
        result = value;
    }
}
