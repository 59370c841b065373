package org.madcast.simulator.model;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.madcast.client.Algorithm;
import org.madcast.client.wire.DatagramLayout;

/**
 * How long a broadcast takes until the last receiver has it, when no rank is late and nothing is
 * lost, for each algorithm. A message of X fragments is a pipeline: the last one follows the first
 * after X - 1 paces of the busiest host, and needs the time of the longest way (seed 001, section
 * 4.2, formulas 1 and 2; {@code docs/PROTOCOL.md}, section 7). Pure.
 *
 * <p>With L + g = h for a hop, g for a step and N ranks:
 *
 * <pre>
 * once               (X - 1) g + h
 * ipmc               once, and the fragments of stage 2 that were before the last one of stage 1
 * chain              (X - 1) g + (N - 1) h
 * linear             (X - 1)(N - 1) g + (N - 2) g + h
 * binary             (X - 1) 2 g + A h + B g, a path of A hops of which B go to right children
 * binomial           (X - 1) D g + A h + B g, D = the root's children
 * split_binary       (X - 1) D/2 g + the same in half of the ranks, and a hop to the one opposite
 * scatter_allgather  (X - 1) g + (N - 1) h
 * </pre>
 *
 * <p>Where cables are the lab's token buckets of B bytes, X g - B/rate takes the place of (X - 1)
 * g, and g is in no h. Where hosts share processors, a host that hands on keeps one for a whole
 * burst.
 */
public final class BroadcastModel {

    private final NetworkModel network;

    /** For a network. */
    public BroadcastModel(NetworkModel network) {
        this.network = network;
    }

    /** A message in datagrams. */
    private record Message(long fragments, DatagramCost full, DatagramCost last, double burstNs) {

        /** The same as if cables were infinitely fast. */
        Message withoutGaps() {
            return new Message(fragments, full.withoutGap(), last.withoutGap(), 0);
        }
    }

    private Message message(long bytes) {
        int payload = network.datagramBytes() - DatagramLayout.HEADER_BYTES;
        long fragments = Math.max(1, (bytes + payload - 1) / payload);
        int rest = (int) (bytes - (fragments - 1) * payload);
        return new Message(
                fragments,
                network.cost(network.datagramBytes(), fragments),
                network.cost(DatagramLayout.HEADER_BYTES + rest, fragments),
                network.burstNs());
    }

    /** What an algorithm is said to take. */
    public record Prediction(Algorithm algorithm, double lastNs) {}

    /** Of each of these algorithms, the quickest first; of equal ones in the given order. */
    public List<Prediction> predict(List<Algorithm> algorithms, int ranks, long bytes) {
        return algorithms.stream()
                .map(it -> new Prediction(it, lastNs(it, ranks, bytes)))
                .sorted(Comparator.comparingDouble(Prediction::lastNs))
                .toList();
    }

    /**
     * The time from the root's call until the last receiver's call ends.
     *
     * @throws IllegalArgumentException when there is no other rank, or a negative size
     */
    public double lastNs(Algorithm algorithm, int ranks, long bytes) {
        if (ranks < 2 || bytes < 0) {
            throw new IllegalArgumentException(
                    "a broadcast of %d bytes to %d ranks".formatted(bytes, ranks));
        }
        Message message = message(bytes);
        double ns =
                switch (algorithm) {
                    case ONCE -> stream(message, 1, 0, DatagramCost::hopNs);
                    case IPMC -> ipmc(message, ranks);
                    case CHAIN, SCATTER_ALLGATHER -> chain(message, ranks);
                    case LINEAR -> linear(message, ranks);
                    case BINARY -> binary(message, ranks);
                    case BINOMIAL -> binomial(message, ranks);
                    case SPLIT_BINARY -> splitBinary(message, ranks);
                };
        return ns + network.callNs();
    }

    /**
     * A pipeline. The last datagram may be a short one: it comes behind the full one before it, or
     * by itself. Where a burst passes at once, the busiest cable is done by so much earlier, but
     * not before the processors are.
     *
     * @param sends how often the busiest host sends each fragment
     * @param receives how often it receives it
     * @param way of a datagram to the last receiver, when it is the only one
     */
    private static double stream(
            Message message, double sends, double receives, ToDoubleFunction<DatagramCost> way) {
        if (message.burstNs > 0) {
            double atOnce = stream(message.withoutGaps(), sends, receives, way);
            double busy =
                    (message.fragments - 1) * message.full.paceNs(sends, receives)
                            + message.last.paceNs(sends, receives);
            return Math.max(atOnce, busy - message.burstNs + way.applyAsDouble(message.last));
        }
        double last = way.applyAsDouble(message.last);
        if (message.fragments == 1) {
            return last;
        }
        double pace = message.full.paceNs(sends, receives);
        double before = (message.fragments - 2) * pace;
        return before
                + Math.max(
                        pace + last,
                        way.applyAsDouble(message.full) + message.last.paceNs(sends, receives));
    }

    /**
     * The cable of the rank behind the first receiver carries stage 1, and what that receiver sends
     * on meanwhile; all of this is before the last fragment of stage 1.
     */
    private static double ipmc(Message message, int ranks) {
        double alone = stream(message, 1, 0, DatagramCost::hopNs);
        if (ranks < 3 || message.fragments == 1) {
            return alone;
        }
        DatagramCost full = message.full;
        double behind = Math.ceil((full.relayNs() + full.workNs()) / Math.max(1, full.stepNs()));
        double ahead = Math.max(0, message.fragments - 1 - behind);
        double pace = Math.max(2 * full.gapNs(), 3 * full.workNs());
        return alone + ahead * Math.max(0, pace - full.stepNs());
    }

    private static double chain(Message message, int ranks) {
        int receives = ranks > 2 ? 1 : 0;
        return stream(message, 1, receives, cost -> cost.hopNs() + (ranks - 2) * cost.relayNs());
    }

    private static double linear(Message message, int ranks) {
        int children = ranks - 1;
        return stream(message, children, 0, cost -> (children - 1) * cost.stepNs() + cost.hopNs());
    }

    private static double binary(Message message, int ranks) {
        return stream(
                message,
                Math.min(2, ranks - 1),
                ranks > 4 ? 1 : 0,
                cost -> binaryWay(ranks, cost) - cost.workNs());
    }

    /** To the farthest of a complete binary tree, the root being one that has just received it. */
    private static double binaryWay(int nodes, DatagramCost cost) {
        double longest = 0;
        for (long place : heaviest(nodes)) {
            int hops = Long.SIZE - 1 - Long.numberOfLeadingZeros(place);
            int rights = Long.bitCount(place) - 1;
            longest = Math.max(longest, hops * cost.relayNs() + rights * cost.stepNs());
        }
        return longest;
    }

    private static double binomial(Message message, int ranks) {
        int children = Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
        return stream(message, children, 0, cost -> binomialWay(ranks - 1, cost) - cost.workNs());
    }

    /** Each one of a rank's bits is a hop, each zero below one a child that was served before. */
    private static double binomialWay(int lastRank, DatagramCost cost) {
        double longest = 0;
        for (long rank : heaviest(lastRank)) {
            int bits = Long.SIZE - Long.numberOfLeadingZeros(rank);
            int ones = Long.bitCount(rank);
            longest = Math.max(longest, ones * cost.relayNs() + (bits - ones) * cost.stepNs());
        }
        return longest;
    }

    /**
     * The numbers up to this one that may have the most bits, or the most ones among {@code n}
     * bits: itself, and each with one of its ones cleared and all below set.
     */
    private static long[] heaviest(long most) {
        long[] numbers = new long[Long.bitCount(most) + 1];
        int count = 0;
        numbers[count++] = most;
        for (long rest = most; rest != 0; rest &= rest - 1) {
            long bit = Long.lowestOneBit(rest);
            long number = (most & -bit) - 1;
            if (number > 0) {
                numbers[count++] = number;
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    private static double splitBinary(Message message, int ranks) {
        if (ranks == 2) {
            return chain(message, ranks);
        }
        double sends = ranks < 6 ? 1 : 1.5;
        return stream(message, sends, 1, cost -> splitWay(ranks, cost));
    }

    /** Down the larger tree, or down to the last rank that has one opposite, and to that. */
    private static double splitWay(int ranks, DatagramCost cost) {
        int odd = ranks / 2;
        int even = (ranks - 1) / 2;
        double before = odd > even ? cost.stepNs() : 0;
        return cost.hopNs()
                + Math.max(binaryWay(odd, cost), binaryWay(even, cost) + before + cost.relayNs());
    }
}
