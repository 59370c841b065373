package org.madcast.netsim;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One datagram's crossing of one side of the network, shown to every {@link FaultLayer} in turn,
 * which may drop, delay, duplicate or corrupt it. Every layer is asked even when an earlier one has
 * dropped the datagram, so that adding a layer does not shift the random numbers of another.
 * Reused: valid only during the call.
 */
public final class Passage {

    private final Framing framing;
    private LinkSide side = LinkSide.UPLINK;
    private long nowNs;
    private int to;
    private @Nullable Datagram datagram;
    private @Nullable Datagram corrupted;
    private @Nullable DropCause dropCause;
    private long[] delaysNs = new long[4];
    private int copies;

    Passage(Framing framing) {
        this.framing = framing;
    }

    void begin(LinkSide newSide, long newNowNs, Datagram newDatagram, int newTo) {
        side = newSide;
        nowNs = newNowNs;
        to = newTo;
        datagram = newDatagram;
        corrupted = null;
        dropCause = null;
        delaysNs[0] = 0;
        copies = 1;
    }

    /** Before the switch or behind it. */
    public LinkSide side() {
        return side;
    }

    /** Virtual time at which the datagram is at the switch. */
    public long nowNs() {
        return nowNs;
    }

    /** The sending node. */
    public int from() {
        return original().from();
    }

    /** The receiving node; on an uplink {@link Destination#GROUP} for a multicast. */
    public int to() {
        return to;
    }

    /** The node whose link this is: the sender on an uplink, the receiver on a downlink. */
    public int node() {
        return side == LinkSide.UPLINK ? from() : to;
    }

    /** Whether the datagram was sent to the group. */
    public boolean isMulticast() {
        return original().isMulticast();
    }

    /** How many Ethernet frames carry the datagram; the loss of one loses it all. */
    public int frames() {
        return original().frames();
    }

    /** The bytes as they are after the layers before this one, read-only, during the call only. */
    public MemorySegment datagram() {
        return current().view();
    }

    /** Whether a layer has dropped the datagram. */
    public boolean isDropped() {
        return dropCause != null;
    }

    /** Loses the datagram; the first cause given is the one that is counted. */
    public void drop(DropCause cause) {
        if (dropCause == null) {
            dropCause = cause;
        }
    }

    /** Holds the datagram back, without holding back those behind it. */
    public void delay(long extraNs) {
        delaysNs[0] += extraNs;
    }

    /** Adds a copy which comes that much later than the undisturbed datagram. */
    public void duplicate(long extraNs) {
        if (copies == delaysNs.length) {
            delaysNs = Arrays.copyOf(delaysNs, copies * 2);
        }
        delaysNs[copies++] = extraNs;
    }

    /** Flips one bit, numbered from 0, of all copies on this side. */
    public void flipBit(long bit) {
        if (bit < 0 || bit >= 8 * datagram().byteSize()) {
            throw new IllegalArgumentException(
                    "bit " + bit + " of a datagram of " + datagram().byteSize() + " bytes");
        }
        if (corrupted == null) {
            corrupted = original().copy(framing);
        }
        corrupted.flipBit(bit);
    }

    @Nullable DropCause dropCause() {
        return dropCause;
    }

    int copies() {
        return copies;
    }

    long delayNs(int copy) {
        return delaysNs[copy];
    }

    /** What goes on from here: the datagram itself, or its corrupted copy. */
    Datagram current() {
        return corrupted == null ? original() : corrupted;
    }

    /** Lets go of the corrupted copy, if one was made. */
    void end() {
        if (corrupted != null) {
            corrupted.release();
            corrupted = null;
        }
        datagram = null;
    }

    private Datagram original() {
        Datagram current = datagram;
        if (current == null) {
            throw new IllegalStateException("a passage is valid only during the layer's call");
        }
        return current;
    }
}
