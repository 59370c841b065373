package org.madcast.client.protocol;

/** Where a polled datagram goes. Reused from poll to poll, so that polling allocates nothing. */
public final class TransmitSlot {

    /** The destination that stands for the multicast group. */
    public static final int GROUP = -1;

    private int destination;

    /** The rank that the datagram goes to, or {@link #GROUP}. */
    public int destination() {
        return destination;
    }

    /** Sets the destination. */
    public void destination(int rankOrGroup) {
        destination = rankOrGroup;
    }
}
