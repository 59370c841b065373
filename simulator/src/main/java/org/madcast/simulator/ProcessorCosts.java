package org.madcast.simulator;

/**
 * What a host's processor spends, in LogGP's terms.
 *
 * @param overheadNs o: before a call begins, and before it returns
 * @param gapNs g: for each datagram sent or received
 * @param gapNsPerByte G: for each of its bytes
 */
public record ProcessorCosts(long overheadNs, long gapNs, double gapNsPerByte) {

    /** How long a processor needs to combine two vectors, for each byte of one, in nanoseconds. */
    public static final double COMBINE_NS_PER_BYTE = 0.25;

    /** Checks the ranges. */
    public ProcessorCosts {
        if (overheadNs < 0 || gapNs < 0 || !(gapNsPerByte >= 0)) {
            throw new IllegalArgumentException(
                    "negative costs: overhead %d ns, gap %d ns and %s ns per byte"
                            .formatted(overheadNs, gapNs, gapNsPerByte));
        }
    }

    /**
     * The same where several hosts share a processor, as those of a lab do, and all have something
     * to do at the same time: each gets its turn after the others.
     */
    public ProcessorCosts sharedBy(double hosts) {
        return new ProcessorCosts(
                Math.round(overheadNs * hosts), Math.round(gapNs * hosts), gapNsPerByte * hosts);
    }
}
