package org.madcast.simulator.model;

import org.madcast.netsim.Framing;
import org.madcast.simulator.ProcessorCosts;

/**
 * Hosts on one switch that stores and forwards: the parameters that {@code madcast simulate} takes.
 *
 * @param bitsPerSecond of each cable; 0 for no limit
 * @param delayNs of each cable
 * @param processor what calls and datagrams cost a host
 * @param framing what a datagram becomes on a cable
 * @param datagramBytes the largest datagram, its header included
 */
public record CableNetwork(
        long bitsPerSecond,
        long delayNs,
        ProcessorCosts processor,
        Framing framing,
        int datagramBytes)
        implements NetworkModel {

    private static final int ETHERNET_BYTES = 1472;
    private static final double BITS_NS = 8e9;

    /** Checks the ranges. */
    public CableNetwork {
        if (bitsPerSecond < 0 || delayNs < 0) {
            throw new IllegalArgumentException(
                    "cables of %d bit/s and %d ns".formatted(bitsPerSecond, delayNs));
        }
    }

    /** Ethernet. */
    public CableNetwork(long bitsPerSecond, long delayNs, ProcessorCosts processor) {
        this(bitsPerSecond, delayNs, processor, Framing.ETHERNET, ETHERNET_BYTES);
    }

    @Override
    public double callNs() {
        return 2.0 * processor.overheadNs();
    }

    @Override
    public double workNs(int bytes) {
        return processor.gapNs() + processor.gapNsPerByte() * bytes;
    }

    @Override
    public double gapNs(int bytes) {
        return bitsPerSecond == 0 ? 0 : framing.wireBytes(bytes) * BITS_NS / bitsPerSecond;
    }

    @Override
    public double hopNs(int bytes) {
        return workNs(bytes) + 2 * (gapNs(bytes) + delayNs);
    }
}
