package org.madcast.client.message;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Since when transfers have waited for which ranks, as one who looks at intervals has seen it. Who
 * was itself stopped between two looks, or comes late, forgives the time in which it did not
 * listen.
 */
final class AwaitedRanks {

    private final long intervalNs;
    private final Map<Integer, Long> sinceNs = new HashMap<>();
    private long lastNs;

    AwaitedRanks(long intervalNs, long nowNs) {
        this.intervalNs = intervalNs;
        lastNs = nowNs;
    }

    /** From one look to the next, in nanoseconds. */
    long intervalNs() {
        return intervalNs;
    }

    /** How long after its time a look comes now, in nanoseconds. */
    long stoppedNs(long nowNs) {
        return Math.max(0, nowNs - lastNs - intervalNs);
    }

    /** Looks at who is waited for now. */
    void look(long nowNs, Set<Integer> awaited) {
        long stoppedNs = stoppedNs(nowNs);
        lastNs = nowNs;
        sinceNs.keySet().retainAll(awaited);
        if (stoppedNs > 0) {
            sinceNs.replaceAll((_, since) -> since + stoppedNs);
        }
        awaited.forEach(rank -> sinceNs.putIfAbsent(rank, nowNs));
    }

    /** For how long the rank has been waited for, in nanoseconds; 0 when it is not. */
    long waitedNs(int rank) {
        return lastNs - sinceNs.getOrDefault(rank, lastNs);
    }
}
