package org.madcast.agent.probe;

import java.time.Duration;

/**
 * Decides when what was sent has arrived, as far as it will. What has all arrived need not be
 * waited for. Where something is missing it may be lost, or wait in the receiver's socket for a
 * processor: on a busy host that takes a good part of a second, in which nothing is counted. For
 * one thread.
 */
final class QuiescenceDetector {

    private static final long QUIET_NS = Duration.ofMillis(500).toNanos();
    private static final long LONGEST_NS = Duration.ofSeconds(5).toNanos();

    private final long startNs;
    private long lastNs;
    private long before;

    /** From now on. */
    QuiescenceDetector(long nowNs) {
        startNs = nowNs;
        lastNs = nowNs;
    }

    /**
     * Whether no more will arrive.
     *
     * @param arrived how many datagrams have, at all points together
     * @param complete whether all have that were sent
     */
    boolean isOver(long nowNs, long arrived, boolean complete) {
        if (arrived != before) {
            before = arrived;
            lastNs = nowNs;
        }
        return complete || nowNs - lastNs >= QUIET_NS || nowNs - startNs >= LONGEST_NS;
    }
}
