package org.madcast.measure.loggp;

import java.util.List;

/**
 * The parameters of a network between two nodes.
 *
 * @param latencyNs L: half of the round trip of the smallest message (seed 004, section II.2.4.2.4)
 * @param overheadNs o: how long the processor of the sender is busy with a small message
 * @param protocols g and G, for each range of sizes
 * @param points what was measured
 */
record LogGp(
        double latencyNs, double overheadNs, List<Protocol> protocols, List<LineFit.Point> points) {

    /**
     * Sizes of messages that are treated alike.
     *
     * @param fromBytes the smallest
     * @param toBytes the largest that was measured
     * @param line g and G
     */
    record Protocol(int fromBytes, int toBytes, LineFit line) {

        /** What the network carries of long messages. */
        double bitsPerSecond() {
            return line.perByte() <= 0 ? Double.POSITIVE_INFINITY : 8e9 / line.perByte();
        }
    }

    /** From the round trips. */
    static LogGp of(double latencyNs, double overheadNs, List<LineFit.Point> points) {
        List<Protocol> protocols =
                ProtocolChanges.split(points).stream()
                        .map(part ->
                                new Protocol(
                                        part.getFirst().bytes(),
                                        part.getLast().bytes(),
                                        part.size() > 1
                                                ? LineFit.of(part)
                                                : new LineFit(part.getFirst().ns(), 0, 0)))
                        .toList();
        return new LogGp(latencyNs, overheadNs, protocols, points);
    }

    /** How long the network is busy with a message: g + (s - 1) G of its protocol. */
    double gapNs(int bytes) {
        return line(bytes).at(bytes);
    }

    /** Whether messages of this size take time, and larger ones of their protocol not less. */
    boolean isPlausible(int bytes) {
        return line(bytes).perByte() >= 0 && gapNs(bytes) > 0;
    }

    private LineFit line(int bytes) {
        Protocol right = protocols.getFirst();
        for (Protocol protocol : protocols) {
            right = bytes >= protocol.fromBytes() ? protocol : right;
        }
        return right.line();
    }
}
