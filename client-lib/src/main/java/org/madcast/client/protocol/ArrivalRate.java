package org.madcast.client.protocol;

/**
 * How fast a multicast stream arrives and, from that, for how long the rest of a message may gather
 * in the socket. A host with many ranks spends more on waking up for each datagram than on the
 * datagrams: 16 ranks on 2 processors that take a 100 Mbit/s stream one by one cannot follow it.
 *
 * <p>A coalesce is at most half of the time that the rest of the message needs at this rate, so the
 * last fragment is not kept waiting; at most what the engine was configured with, or the time of
 * {@link #FEWEST} fragments, so that a loss is noticed soon; and at most a sixteenth of the window,
 * so that credit flows. It is granted once for each time that something came: a stream that stops
 * is waited for, not napped on.
 */
final class ArrivalRate {

    /** Below this, going to sleep and waking up costs as much as it saves. */
    private static final long SHORTEST_NS = 150_000;

    /** Where datagrams come so slowly that fewer would gather, waiting for one costs as much. */
    private static final int FEWEST = 4;

    private static final long SPAN_NS = 2_000_000;

    private final int windowFragments;
    private final long longestNs;
    private long spanStartNs;
    private long spanFragments;
    private long gapNs;
    private long left;
    private boolean fresh;

    ArrivalRate(int windowFragments, long longestNs) {
        this.windowFragments = windowFragments;
        this.longestNs = longestNs;
    }

    /** A multicast fragment arrived; {@code n} more of its message are to come. */
    void onFragment(long nowNs, long stillToCome) {
        left = stillToCome;
        fresh = true;
        long spanNs = nowNs - spanStartNs;
        if (spanNs > 8 * SPAN_NS) {
            spanStartNs = nowNs;
            spanFragments = 0;
            return;
        }
        spanFragments++;
        if (spanNs >= SPAN_NS) {
            gapNs = spanNs / spanFragments;
            spanStartNs = nowNs;
            spanFragments = 0;
        }
    }

    /** For how long arriving datagrams may gather; 0 when each is wanted at once. */
    long takeCoalesceNs() {
        if (!fresh) {
            return 0;
        }
        fresh = false;
        long fragments = Math.min(left / 2, windowFragments / 16);
        long mostNs = longestNs == 0 ? 0 : Math.max(longestNs, FEWEST * gapNs);
        long coalesceNs = Math.min(fragments * gapNs, mostNs);
        return coalesceNs < SHORTEST_NS ? 0 : coalesceNs;
    }
}
