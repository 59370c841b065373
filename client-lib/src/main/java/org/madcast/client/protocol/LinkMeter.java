package org.madcast.client.protocol;

/**
 * What this rank's own link carries, seen from the queue of what was sent and is still in the
 * kernel: as long as that is never empty, the link takes what is handed out and what the queue
 * becomes shorter by. Without a queue the link is faster than the sender, and nothing shows.
 *
 * <p>The kernel counts a datagram in the queue with the memory that it takes, which is up to twice
 * its size. So a measurement ends only when the queue is about as long as when it began.
 */
final class LinkMeter {

    /** The queue's length is known roughly only: little time and few bytes say little. */
    static final long SPAN_NS = 16_000_000;

    static final long SPAN_BYTES = 48 << 10;

    /** At its end the queue may differ by so much of what was sent. */
    private static final double SAME_QUEUE = 0.05;

    /** A span counts so much, earlier ones the rest; one that is quite different counts alone. */
    private static final double NEWEST = 0.25;

    private static final double DIFFERENT = 0.25;

    /** The memory that a datagram takes in the kernel, at most, in its own size. */
    private static final int KERNEL_BYTES_PER_BYTE = 2;

    /** What control datagrams, which are not counted as sent, may take in the queue. */
    private static final long SMALL_BYTES = 16 << 10;

    private double bytesPerNs;
    private boolean fresh;
    private long sentBytes;
    private long queuedBefore;
    private long lookedNs;
    private long queuedAtStart;
    private long spanBytes;
    private long spanNs;

    /** So much was handed out, counted as it is on the wire. */
    void onSent(long wireBytes) {
        sentBytes += wireBytes;
    }

    /**
     * Whether something was handed out since the queue was last reported; only then it is of use.
     */
    boolean wantsQueue() {
        return sentBytes > 0;
    }

    /** So much is in the queue now, what was handed out last at its end. */
    void onQueue(long nowNs, long queuedBytes) {
        boolean neverEmpty =
                queuedBytes > KERNEL_BYTES_PER_BYTE * sentBytes + SMALL_BYTES
                        && queuedBefore > SMALL_BYTES;
        if (neverEmpty) {
            queuedAtStart = spanNs == 0 ? queuedBefore : queuedAtStart;
            spanBytes += sentBytes + queuedBefore - queuedBytes;
            spanNs += nowNs - lookedNs;
        } else {
            beginSpan();
        }
        boolean sameQueue = Math.abs(queuedBytes - queuedAtStart) <= SAME_QUEUE * spanBytes;
        if (spanNs >= SPAN_NS && spanBytes >= SPAN_BYTES && sameQueue) {
            double seen = (double) spanBytes / spanNs;
            boolean different = Math.abs(seen - bytesPerNs) > DIFFERENT * bytesPerNs;
            bytesPerNs += (seen - bytesPerNs) * (different ? 1 : NEWEST);
            fresh = true;
            beginSpan();
        } else if (spanNs >= SPAN_NS && queuedBytes - queuedAtStart > spanBytes / 2) {
            // It is still filling: what was sent until now says little.
            beginSpan();
        }
        sentBytes = 0;
        queuedBefore = queuedBytes;
        lookedNs = nowNs;
    }

    private void beginSpan() {
        spanBytes = 0;
        spanNs = 0;
    }

    /** Whether something was measured since this was asked last. */
    boolean takeFresh() {
        boolean was = fresh;
        fresh = false;
        return was;
    }

    /** In bytes per nanosecond; 0 when it is not known. */
    double bytesPerNs() {
        return bytesPerNs;
    }
}
