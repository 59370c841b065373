package org.madcast.simulator.model;

import java.util.List;

/**
 * A network as {@code madcast loggp} measures it: LogGP with a line for each range of sizes (seed
 * 004, section II.2.4). A host is busy with a datagram for as long as the network is, so that what
 * it passes on overlaps with what it gets, as in seed 001, section 4.2.
 *
 * @param latencyNs L: half of the round trip of the smallest message
 * @param overheadNs o: the sender's processor
 * @param lines of rising sizes, at least one
 * @param datagramBytes the largest datagram, its header included
 */
public record MeasuredNetwork(
        double latencyNs, double overheadNs, List<Line> lines, int datagramBytes)
        implements NetworkModel {

    /**
     * Sizes that the network treats alike.
     *
     * @param fromBytes the smallest
     * @param gapNs g
     * @param gapNsPerByte G
     */
    public record Line(int fromBytes, double gapNs, double gapNsPerByte) {}

    /** Checks the ranges. */
    public MeasuredNetwork {
        lines = List.copyOf(lines);
        if (lines.isEmpty() || !(latencyNs >= 0) || !(overheadNs >= 0) || datagramBytes < 64) {
            throw new IllegalArgumentException(
                    "a network of %s ns latency, %s ns overhead, %d lines and datagrams of %d bytes"
                            .formatted(latencyNs, overheadNs, lines.size(), datagramBytes));
        }
    }

    @Override
    public double callNs() {
        return 2 * overheadNs;
    }

    @Override
    public double workNs(int bytes) {
        return Math.min(overheadNs, gapNs(bytes) / 2);
    }

    @Override
    public double gapNs(int bytes) {
        Line right = lines.getFirst();
        for (Line line : lines) {
            right = bytes >= line.fromBytes() ? line : right;
        }
        return Math.max(0, right.gapNs() + right.gapNsPerByte() * (bytes - 1));
    }

    @Override
    public double hopNs(int bytes) {
        return latencyNs + gapNs(bytes);
    }
}
