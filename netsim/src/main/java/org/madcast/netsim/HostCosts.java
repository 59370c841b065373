package org.madcast.netsim;

/**
 * What datagrams cost a host's one processor, in the terms of LogGP: a gap for each datagram and
 * one for each of its bytes. While it works on one datagram the others wait: those that have come
 * in the receive buffer, those to be sent before the uplink. Timeouts are not held up.
 *
 * @param receiveNs for each datagram received
 * @param receiveNsPerByte for each of its bytes
 * @param sendNs for each datagram sent
 * @param sendNsPerByte for each of its bytes
 */
public record HostCosts(
        long receiveNs, double receiveNsPerByte, long sendNs, double sendNsPerByte) {

    /** An infinitely fast processor. */
    public static final HostCosts NONE = new HostCosts(0, 0, 0, 0);

    /** Checks the ranges. */
    public HostCosts {
        if (receiveNs < 0 || sendNs < 0 || !(receiveNsPerByte >= 0) || !(sendNsPerByte >= 0)) {
            throw new IllegalArgumentException(
                    "negative: %d ns and %s ns per byte received, %d ns and %s ns per byte sent"
                            .formatted(receiveNs, receiveNsPerByte, sendNs, sendNsPerByte));
        }
    }

    /** The same both ways. */
    public static HostCosts bothWays(long datagramNs, double byteNs) {
        return new HostCosts(datagramNs, byteNs, datagramNs, byteNs);
    }

    /** What a datagram that has come costs. */
    public long receivingNs(int bytes) {
        return receiveNs + (long) (receiveNsPerByte * bytes);
    }

    /** What a datagram that is sent costs. */
    public long sendingNs(int bytes) {
        return sendNs + (long) (sendNsPerByte * bytes);
    }
}
