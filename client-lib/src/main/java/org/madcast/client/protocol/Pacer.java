package org.madcast.client.protocol;

/**
 * A token bucket in time: each datagram moves the moment at which the wire is free again, and a
 * sender may be ahead of that moment by at most a burst. The rate is the configured one, or what
 * {@link RateControl} finds when that is less; without either nothing is held back.
 *
 * <p>Time in which nothing was sent is lost, except, up to a limit, where the rate is what the link
 * carries less the room for repairs: there the socket keeps whoever makes up for it from sending
 * more than the link carries.
 */
final class Pacer {

    private static final long BURST_NS = 1_000_000;

    /** What Ethernet, IPv4 and UDP add to a datagram on the wire. */
    private static final int OVERHEAD_BYTES = 66;

    private final double configured;
    private final long catchUpNs;
    private final RateControl control;
    private long freeAtNs;
    private long heldUntilNs = ProtocolEngine.NO_DEADLINE;

    Pacer(RateLimits limits, RateControl control) {
        configured = limits.bitsPerSecond() / 8e9;
        catchUpNs = limits.catchUpNs();
        this.control = control;
    }

    /** Whether the next datagram may leave; when not, {@link #heldUntilNs()} says from when on. */
    boolean allows(long nowNs) {
        boolean allowed = freeAtNs - nowNs <= BURST_NS;
        heldUntilNs = allowed ? ProtocolEngine.NO_DEADLINE : freeAtNs - BURST_NS;
        return allowed;
    }

    /** Nothing waits any more: no moment is waited for either. */
    void rest() {
        heldUntilNs = ProtocolEngine.NO_DEADLINE;
    }

    void onSent(long nowNs, int datagramBytes) {
        control.onSent(datagramBytes + OVERHEAD_BYTES);
        onHandedOn(nowNs, datagramBytes);
    }

    /** A datagram left by another way than the socket, over the same wire. */
    void onHandedOn(long nowNs, int datagramBytes) {
        int wireBytes = datagramBytes + OVERHEAD_BYTES;
        double bytesPerNs = bytesPerNs();
        if (bytesPerNs > 0) {
            boolean linkBound = bytesPerNs == control.bytesPerNs() && control.leavesRoom();
            long earliestNs = linkBound ? nowNs - catchUpNs : nowNs;
            freeAtNs = Math.max(freeAtNs, earliestNs) + (long) (wireBytes / bytesPerNs);
        }
    }

    private double bytesPerNs() {
        double found = control.bytesPerNs();
        return found == 0 || (configured > 0 && configured < found) ? configured : found;
    }

    long heldUntilNs() {
        return heldUntilNs;
    }
}
