package org.madcast.simulator.model;

/**
 * A network between hosts that are alike, on one switch, in the parameters of LogGP: what a message
 * of a given size costs on its way from one host to another. All times are nanoseconds. Pure.
 */
public interface NetworkModel {

    /** The largest datagram, its header included. */
    int datagramBytes();

    /** o: what a call costs the processor before it begins and before it returns, together. */
    double callNs();

    /** What a datagram costs a processor that sends or receives it. */
    double workNs(int datagramBytes);

    /** g(m) of the cable: the least time between two datagrams of this size. */
    double gapNs(int datagramBytes);

    /**
     * L(m) + g(m): from when a processor begins to send a datagram to when it has come to the other
     * host, where nothing else is on the way.
     */
    double hopNs(int datagramBytes);

    /** A datagram's costs together. */
    default DatagramCost cost(int bytes) {
        return new DatagramCost(gapNs(bytes), workNs(bytes), hopNs(bytes));
    }
}
