package org.madcast.client.protocol;

/**
 * A token bucket in time: each datagram moves the moment at which the wire is free again, and a
 * sender may be ahead of that moment by at most a burst. A rate of 0 never holds anything back.
 */
final class Pacer {

    private static final long BURST_NS = 1_000_000;

    /** What Ethernet, IPv4 and UDP add to a datagram on the wire. */
    private static final int OVERHEAD_BYTES = 66;

    private final double nsPerByte;
    private long freeAtNs;
    private long heldUntilNs = ProtocolEngine.NO_DEADLINE;

    Pacer(long rateBitsPerSecond) {
        nsPerByte = rateBitsPerSecond == 0 ? 0 : 8e9 / rateBitsPerSecond;
    }

    /** Whether the next datagram may leave; when not, {@link #heldUntilNs()} says from when on. */
    boolean allows(long nowNs) {
        boolean allowed = freeAtNs - nowNs <= BURST_NS;
        heldUntilNs = allowed ? ProtocolEngine.NO_DEADLINE : freeAtNs - BURST_NS;
        return allowed;
    }

    void onSent(long nowNs, int datagramBytes) {
        freeAtNs =
                Math.max(freeAtNs, nowNs) + (long) ((datagramBytes + OVERHEAD_BYTES) * nsPerByte);
    }

    long heldUntilNs() {
        return heldUntilNs;
    }
}
