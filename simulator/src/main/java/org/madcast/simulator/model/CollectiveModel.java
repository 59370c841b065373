package org.madcast.simulator.model;

import java.util.Comparator;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.madcast.client.Algorithm;

/**
 * How long collective operations over messages take when all ranks call at once, for each of the
 * library's algorithms, in LogGP: with T(s) for a message of s bytes and N ranks, for example
 * ceil(log2 N) T(s) for an allreduce that exchanges whole vectors, and 2 (N - 1) T(s/N) for one
 * that goes around a ring. Pure.
 */
public final class CollectiveModel {

    /** What TCP and IP need of a frame beyond what UDP does. */
    private static final int TCP_BYTES = 12;

    /** What the library puts before a message. */
    private static final int FRAME_HEADER_BYTES = 32;

    private static final int WAYS = 3;

    private final NetworkModel network;
    private final BroadcastModel broadcasts;
    private final double combineNsPerByte;
    private final DatagramCost full;
    private final int segmentBytes;

    /**
     * For a network.
     *
     * @param combineNsPerByte what a reduction costs the processor for each byte
     */
    public CollectiveModel(NetworkModel network, double combineNsPerByte) {
        this.network = network;
        this.combineNsPerByte = combineNsPerByte;
        broadcasts = new BroadcastModel(network);
        full = network.cost(network.datagramBytes());
        segmentBytes = network.datagramBytes() - TCP_BYTES;
    }

    /** What an algorithm is said to take. */
    public record Prediction(ModelledAlgorithm algorithm, double ns) {}

    /** Of each algorithm of an operation, the quickest first. */
    public List<Prediction> predict(Operation operation, int ranks, long bytes) {
        return ModelledAlgorithm.of(operation).stream()
                .map(it -> new Prediction(it, ns(it, ranks, bytes)))
                .sorted(Comparator.comparingDouble(Prediction::ns))
                .toList();
    }

    /** T(s): from when a rank begins to send a message to when another has all of it. */
    public double messageNs(long bytes) {
        long segments = segments(bytes);
        DatagramCost last = last(bytes, segments);
        if (segments == 1) {
            return last.hopNs() + last.workNs();
        }
        double step = full.stepNs();
        return last.workNs()
                + (segments - 2) * step
                + Math.max(step + last.hopNs(), full.hopNs() + last.stepNs());
    }

    /** How long a message keeps a cable busy, or a processor that sends or receives it. */
    public double loadNs(long bytes) {
        long segments = segments(bytes);
        return (segments - 1) * full.stepNs() + last(bytes, segments).stepNs();
    }

    private long segments(long bytes) {
        return Math.max(1, (bytes + FRAME_HEADER_BYTES + segmentBytes - 1) / segmentBytes);
    }

    private DatagramCost last(long bytes, long segments) {
        long rest = bytes + FRAME_HEADER_BYTES - (segments - 1) * segmentBytes;
        return network.cost((int) rest + TCP_BYTES);
    }

    /**
     * The time until the last rank's call ends.
     *
     * @param bytes each rank's part, or vector
     */
    public double ns(ModelledAlgorithm algorithm, int ranks, long bytes) {
        if (ranks < 2 || bytes < 0) {
            throw new IllegalArgumentException(
                    "a collective call of %d ranks with %d bytes".formatted(ranks, bytes));
        }
        double ns =
                switch (algorithm.operation()) {
                    case BARRIER -> barrier(algorithm, ranks);
                    case GATHER, SCATTER -> rooted(algorithm, ranks, bytes);
                    case ALLGATHER -> allgather(algorithm, ranks, bytes);
                    case ALLTOALL -> alltoall(algorithm, ranks, bytes);
                    case REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN ->
                            reduction(algorithm, ranks, bytes);
                };
        return network.callNs() + ns;
    }

    private double barrier(ModelledAlgorithm algorithm, int ranks) {
        if (algorithm == ModelledAlgorithm.TREE_BARRIER) {
            int height = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(ranks);
            return 2 * height * messageNs(0);
        }
        double ns = 0;
        for (long distance = 1; distance < ranks; distance *= WAYS + 1) {
            long notices = Math.min(WAYS, (ranks - 1) / distance);
            ns += messageNs(0) + (notices - 1) * loadNs(0);
        }
        return ns;
    }

    private double rooted(ModelledAlgorithm algorithm, int ranks, long bytes) {
        return algorithm == ModelledAlgorithm.LINEAR_GATHER
                        || algorithm == ModelledAlgorithm.LINEAR_SCATTER
                ? messageNs(bytes) + (ranks - 2) * loadNs(bytes)
                : doubling(ranks, parts -> messageNs(parts * bytes));
    }

    private double allgather(ModelledAlgorithm algorithm, int ranks, long bytes) {
        return switch (algorithm) {
            case BRUCK_ALLGATHER -> doubling(ranks, parts -> messageNs(parts * bytes));
            case TURNS_ALLGATHER -> {
                double turn = broadcasts.lastNs(Algorithm.ONCE, ranks, bytes) - network.callNs();
                yield messageNs(0) + ranks * turn;
            }
            default -> (ranks - 1) * messageNs(bytes);
        };
    }

    private double alltoall(ModelledAlgorithm algorithm, int ranks, long bytes) {
        if (algorithm == ModelledAlgorithm.PAIRWISE_ALLTOALL) {
            return (ranks - 1) * messageNs(bytes);
        }
        double ns = 0;
        for (int bit = 1; bit < ranks; bit *= 2) {
            long whole = ranks / (2L * bit) * bit;
            long parts = whole + Math.max(0, ranks % (2 * bit) - bit);
            ns += messageNs(parts * bytes);
        }
        return ns;
    }

    private double reduction(ModelledAlgorithm algorithm, int ranks, long bytes) {
        int core = Integer.highestOneBit(ranks);
        // What a rank that stands for two gets back comes while the others are in their last round.
        double fold = core == ranks ? 0 : combined(bytes);
        return switch (algorithm) {
            case TREE_REDUCE, DOUBLING_SCAN -> rounds(ranks) * combined(bytes);
            case DOUBLING_ALLREDUCE ->
                    fold + rounds(core) * combined(bytes) + (fold > 0 ? loadNs(bytes) : 0);
            case RING_ALLREDUCE ->
                    (ranks - 1) * (combined(bytes / ranks) + messageNs(bytes / ranks));
            case RING_REDUCE_SCATTER -> (ranks - 1) * combined(bytes / ranks);
            case HALVING_REDUCE ->
                    fold
                            + halving(core, bytes)
                            + messageNs(bytes / core)
                            + Math.max(0, core - 2) * loadNs(bytes / core);
            case HALVING_REDUCE_SCATTER ->
                    fold + halving(core, bytes) + (fold > 0 ? loadNs(bytes / ranks) : 0);
            default -> throw new IllegalArgumentException(algorithm + " reduces nothing");
        };
    }

    private double combined(long bytes) {
        return messageNs(bytes) + combineNsPerByte * bytes;
    }

    private double halving(int core, long bytes) {
        double ns = 0;
        for (long parts = 2; parts <= core; parts *= 2) {
            ns += combined(bytes / parts);
        }
        return ns;
    }

    /** A message of 1, 2, 4, ... parts each round, until there are as many as ranks. */
    private static double doubling(int ranks, LongToDoubleFunction message) {
        double ns = 0;
        for (long have = 1; have < ranks; have *= 2) {
            ns += message.applyAsDouble(Math.min(have, ranks - have));
        }
        return ns;
    }

    /** ceil(log2 N). */
    private static int rounds(int ranks) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }
}
