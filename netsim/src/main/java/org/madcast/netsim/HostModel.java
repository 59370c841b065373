package org.madcast.netsim;

/**
 * One host and its cable to the switch.
 *
 * @param uplink from the host to the switch
 * @param downlink from the switch to the host
 * @param receiveBufferBytes how many bytes of payload may wait in the host's socket while the node
 *     is paused or busy; 0 = unlimited
 * @param costs for how long datagrams keep the node busy
 */
public record HostModel(
        LinkModel uplink, LinkModel downlink, long receiveBufferBytes, HostCosts costs) {

    private static final long SEND_QUEUE_BYTES = 64 * 1024;
    private static final long SWITCH_QUEUE_BYTES = 512 * 1024;
    private static final long RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

    /** Everything infinitely fast and large. */
    public static final HostModel IDEAL = new HostModel(LinkModel.IDEAL, LinkModel.IDEAL, 0, 0);

    /** Checks the ranges. */
    public HostModel {
        if (receiveBufferBytes < 0) {
            throw new IllegalArgumentException(
                    "negative: receive buffer " + receiveBufferBytes + " bytes");
        }
    }

    /** A host that is busy for so long after each datagram received; sending costs nothing. */
    public HostModel(
            LinkModel uplink, LinkModel downlink, long receiveBufferBytes, long processingNs) {
        this(uplink, downlink, receiveBufferBytes, new HostCosts(processingNs, 0, 0, 0));
    }

    /**
     * A usual host: the same rate and delay both ways, 64 KiB of send queue, 512 KiB at the
     * switch's port, a receive buffer of 4 MiB and no processing time.
     */
    public static HostModel ethernet(long bitsPerSecond, long delayNs) {
        return new HostModel(
                new LinkModel(bitsPerSecond, delayNs, SEND_QUEUE_BYTES),
                new LinkModel(bitsPerSecond, delayNs, SWITCH_QUEUE_BYTES),
                RECEIVE_BUFFER_BYTES,
                0);
    }

    /** The same host with another receive buffer and processing time per datagram. */
    public HostModel withReceiver(long newReceiveBufferBytes, long newProcessingNs) {
        return new HostModel(uplink, downlink, newReceiveBufferBytes, newProcessingNs);
    }
}
