package org.madcast.client.protocol;

import org.madcast.client.Algorithm;
import org.madcast.client.wire.DatagramLayout;
import org.madcast.netsim.Framing;

/**
 * What a broadcast without loss takes on links of 100 Mbit/s with one switch that stores and
 * forwards, from the call to the completion on the last receiver.
 *
 * <p>Seed 001 gives (X + H - 1) · D · T for X segments, a tree of height H whose ranks send each
 * segment to D children, and T for a segment's time from rank to rank. Here T has two parts: t, a
 * datagram's time on the sender's link, which limits how often it can send, and h, which the second
 * link and the cables add once on each way from rank to rank: (X + H - 1) · D · t + H · h.
 */
final class PipelineModel {

    private static final double NS_PER_BYTE = 80;
    private static final double CABLES_NS = 40_000;
    private static final Framing FRAMING = Framing.ETHERNET;

    private final int ranks;
    private final double fragments;
    private final double t;
    private final double h;

    PipelineModel(int ranks, int bytes) {
        this.ranks = ranks;
        int payload = FRAMING.maxDatagramBytes() - DatagramLayout.HEADER_BYTES;
        int rest = bytes % payload;
        this.t = linkNs(Math.min(bytes, payload));
        int whole = bytes / payload;
        this.fragments = whole + (rest == 0 ? 0 : linkNs(rest) / t);
        this.h = t + CABLES_NS;
    }

    private static double linkNs(int payload) {
        return FRAMING.wireBytes(DatagramLayout.HEADER_BYTES + payload) * NS_PER_BYTE;
    }

    /** The formula of an algorithm, in nanoseconds. */
    double ns(Algorithm algorithm) {
        int receivers = ranks - 1;
        int bits = 31 - Integer.numberOfLeadingZeros(ranks);
        return switch (algorithm) {
            case ONCE -> pipeline(fragments, 1, 1);
            // Behind the root's child both stages share the receiver's link.
            case IPMC -> pipeline(ranks == 2 ? fragments + resentBetween() : 2 * fragments, 1, 1);
            // Each part walks past every rank, as the chain does; no link carries more than it.
            case CHAIN, SCATTER_ALLGATHER -> pipeline(fragments, receivers, 1);
            case LINEAR -> pipeline(fragments, 1, receivers);
            case BINARY -> pipeline(fragments, bits, Math.min(2, receivers));
            // The root has most children, one for each bit; further down there are fewer.
            case BINOMIAL -> fragments * bitsOf(receivers) * t + bits * h;
            // Each tree carries half of the fragments, and has one level more: the other tree.
            case SPLIT_BINARY -> {
                int treeRanks = ranks / 2;
                int degree = Math.clamp(treeRanks, 2, 3);
                int height = bitsOf(treeRanks) + (ranks > 2 ? 1 : 0);
                yield pipeline(fragments / 2, height, degree);
            }
        };
    }

    /** Of a message longer than the window each half of it is sent again before the next one. */
    private double resentBetween() {
        int half = PipelineTest.WINDOW / 2;
        return fragments <= 2 * half ? 0 : (Math.ceil(fragments / half) - 1) * half;
    }

    private static int bitsOf(int number) {
        return 32 - Integer.numberOfLeadingZeros(number);
    }

    private double pipeline(double segments, int height, int degree) {
        return (segments + height - 1) * degree * t + height * h;
    }
}
