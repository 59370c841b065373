package org.madcast.simulator;

/**
 * What a host's processor spends, in LogGP's terms, and whether it has one of its own.
 *
 * @param overheadNs o: before a call begins, and before it returns
 * @param gapNs g: for each datagram sent or received
 * @param gapNsPerByte G: for each of its bytes
 * @param shared how many processors all hosts share, as those of a lab do; 0: each has its own
 * @param wakeNs how long a host needs until it runs on a processor that it shares
 */
public record ProcessorCosts(
        long overheadNs, long gapNs, double gapNsPerByte, int shared, long wakeNs) {

    /** How long a processor needs to combine two vectors, for each byte of one, in nanoseconds. */
    public static final double COMBINE_NS_PER_BYTE = 0.25;

    /** Checks the ranges. */
    public ProcessorCosts {
        if (overheadNs < 0 || gapNs < 0 || !(gapNsPerByte >= 0) || shared < 0 || wakeNs < 0) {
            throw new IllegalArgumentException("negative costs: " + this);
        }
    }

    /** Where each host has a processor. */
    public ProcessorCosts(long overheadNs, long gapNs, double gapNsPerByte) {
        this(overheadNs, gapNs, gapNsPerByte, 0, 0);
    }

    /** The same with another overhead. */
    public ProcessorCosts withOverhead(long ns) {
        return new ProcessorCosts(ns, gapNs, gapNsPerByte, shared, wakeNs);
    }

    /** The same where all hosts share this number of processors; 0: none. */
    public ProcessorCosts onShared(int processors, long awakeAfterNs) {
        return new ProcessorCosts(overheadNs, gapNs, gapNsPerByte, processors, awakeAfterNs);
    }
}
