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

    /**
     * How much of a cable's time passes at once after a rest, as Linux's token buckets let it, in
     * nanoseconds; 0: nothing, as with real cables. Where there is some, a hop is without the
     * cables' gaps: what has passed the first cable in a burst passes the others in it, too.
     */
    default double burstNs() {
        return 0;
    }

    /**
     * How long a host keeps a processor that it shares with a burst to hand on, before the next
     * host gets it; 0 where each has its own.
     *
     * @param fragments of the message
     */
    default double turnNs(long fragments) {
        return 0;
    }

    /** A datagram's costs together. */
    default DatagramCost cost(int bytes) {
        return cost(bytes, 1);
    }

    /** The same of one that is part of a longer message. */
    default DatagramCost cost(int bytes, long fragments) {
        return new DatagramCost(gapNs(bytes), workNs(bytes), hopNs(bytes), turnNs(fragments));
    }
}
