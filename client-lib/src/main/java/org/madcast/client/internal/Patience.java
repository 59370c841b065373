package org.madcast.client.internal;

import java.util.concurrent.TimeUnit;

/**
 * When a rank that waits in a collective call lets others know in which: after a second, then after
 * twice as long each time. They may not have made their call yet.
 */
final class Patience {

    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(1);

    private int round = -1;
    private long sinceNs;
    private long patienceNs;

    /**
     * Whether it is time to; asked now and then.
     *
     * @param inRound the round in which the rank waits; in each it waits anew
     */
    boolean ends(long nowNs, int inRound) {
        if (round != inRound) {
            round = inRound;
            sinceNs = nowNs;
            patienceNs = FIRST_NS;
            return false;
        }
        if (nowNs - sinceNs < patienceNs) {
            return false;
        }
        sinceNs = nowNs;
        patienceNs *= 2;
        return true;
    }
}
