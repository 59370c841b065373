package org.madcast.simulator.model;

/**
 * What a datagram of one size costs, in nanoseconds.
 *
 * @param gapNs of the cable
 * @param workNs of a processor that sends or receives it
 * @param hopNs from one host to the next, that of the sender's processor included
 * @param turnNs how long a host that hands on keeps a processor that others wait for
 */
record DatagramCost(double gapNs, double workNs, double hopNs, double turnNs) {

    /** Between two that a host sends one after the other. */
    double stepNs() {
        return Math.max(gapNs, workNs);
    }

    /** From one host to the next when that has just received it. */
    double relayNs() {
        return workNs + hopNs + turnNs;
    }

    /** The same as if cables were infinitely fast. */
    DatagramCost withoutGap() {
        return new DatagramCost(0, workNs, hopNs, turnNs);
    }

    /** How long a host needs for a datagram that it receives and sends {@code n} times. */
    double paceNs(double sends, double receives) {
        return Math.max(sends * gapNs, (sends + receives) * workNs);
    }
}
