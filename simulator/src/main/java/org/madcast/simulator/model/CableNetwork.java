package org.madcast.simulator.model;

import org.madcast.netsim.Framing;
import org.madcast.simulator.CableModel;
import org.madcast.simulator.ProcessorCosts;

/**
 * Hosts on one switch that stores and forwards: the parameters that {@code madcast simulate} takes.
 * With a burst the cables are the lab's: it passes at once after a rest.
 *
 * @param bitsPerSecond of each cable; 0 for no limit
 * @param delayNs of each cable
 * @param processor what calls and datagrams cost a host
 * @param framing what a datagram becomes on a cable
 * @param datagramBytes the largest datagram, its header included
 * @param burstBytes what passes at once after a rest; 0 for real cables
 */
public record CableNetwork(
        long bitsPerSecond,
        long delayNs,
        ProcessorCosts processor,
        Framing framing,
        int datagramBytes,
        long burstBytes)
        implements NetworkModel {

    private static final int ETHERNET_BYTES = 1472;
    private static final double BITS_NS = 8e9;

    /** Checks the ranges. */
    public CableNetwork {
        if (bitsPerSecond < 0 || delayNs < 0 || burstBytes < 0) {
            throw new IllegalArgumentException(
                    "cables of %d bit/s, %d ns and bursts of %d bytes"
                            .formatted(bitsPerSecond, delayNs, burstBytes));
        }
    }

    /** Ethernet. */
    public CableNetwork(long bitsPerSecond, long delayNs, ProcessorCosts processor) {
        this(bitsPerSecond, delayNs, processor, Framing.ETHERNET, ETHERNET_BYTES, 0);
    }

    /** The lab's: Ethernet whose cables the kernel slows down. */
    public static CableNetwork asLab(long bitsPerSecond, long delayNs, ProcessorCosts processor) {
        CableModel cables = new CableModel(delayNs, 0, true);
        return new CableNetwork(
                bitsPerSecond,
                delayNs,
                processor,
                cables.framing(),
                ETHERNET_BYTES,
                cables.burstBytes(bitsPerSecond));
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
        double gaps = burstBytes > 0 ? 0 : 2 * gapNs(bytes);
        return workNs(bytes) + gaps + 2.0 * delayNs + processor.wakeNs();
    }

    @Override
    public double burstNs() {
        return bitsPerSecond == 0 ? 0 : (double) burstBytes * BITS_NS / bitsPerSecond;
    }

    @Override
    public double turnNs(long fragments) {
        if (processor.shared() == 0) {
            return 0;
        }
        double inBurst = Math.max(1, (double) burstBytes / framing.wireBytes(datagramBytes));
        return (Math.min((double) fragments, inBurst) - 1) * 2 * workNs(datagramBytes);
    }
}
