package org.madcast.netsim;

/** What one node sent, received and did not receive, counted from the start of the simulation. */
public final class NodeCounters {

    private final long[] dropped = new long[DropCause.values().length];
    private final long[] droppedOnUplink = new long[DropCause.values().length];
    private long sentDatagrams;
    private long sentMulticastDatagrams;
    private long sentBytes;
    private long sentWireBytes;
    private long receivedDatagrams;
    private long receivedBytes;

    NodeCounters() {}

    /** Datagrams that the node put on its uplink; a multicast counts once. */
    public long sentDatagrams() {
        return sentDatagrams;
    }

    /** Those of the sent datagrams that were multicast. */
    public long sentMulticastDatagrams() {
        return sentMulticastDatagrams;
    }

    /** Payload bytes sent. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Bytes sent with all that Ethernet, IP and UDP add, preamble and gap too. */
    public long sentWireBytes() {
        return sentWireBytes;
    }

    /** Datagrams handed to the node. */
    public long receivedDatagrams() {
        return receivedDatagrams;
    }

    /** Payload bytes handed to the node. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Copies meant for this node that did not reach it, lost behind the switch. */
    public long dropped(DropCause cause) {
        return dropped[cause.code()];
    }

    /** Datagrams of this node that were lost before the switch: every receiver missed them. */
    public long droppedOnUplink(DropCause cause) {
        return droppedOnUplink[cause.code()];
    }

    /** All copies meant for this node that did not reach it, lost behind the switch. */
    public long droppedTotal() {
        long total = 0;
        for (long count : dropped) {
            total += count;
        }
        return total;
    }

    void countSent(Datagram datagram) {
        sentDatagrams++;
        sentMulticastDatagrams += datagram.isMulticast() ? 1 : 0;
        sentBytes += datagram.lengthBytes();
        sentWireBytes += datagram.wireBytes();
    }

    void countReceived(Datagram datagram) {
        receivedDatagrams++;
        receivedBytes += datagram.lengthBytes();
    }

    void countDropped(DropCause cause) {
        dropped[cause.code()]++;
    }

    void countDroppedOnUplink(DropCause cause) {
        droppedOnUplink[cause.code()]++;
    }
}
