package org.madcast.client.collective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Algorithm;
import org.madcast.client.protocol.Dissemination;
import org.madcast.client.topology.RankOrder;

/**
 * The broadcast algorithms as trees of ranks. All count ranks from the root, so that a rank's
 * <em>distance</em> is {@code (rank - root) mod size} and the root's is 0. The code of an algorithm
 * on the wire is its {@link Algorithm#code()}.
 *
 * <p>Worked example for 5 ranks, root 0; who hands each fragment on to whom by unicast:
 *
 * <pre>
 * once      none: the root multicasts
 * ipmc      0-1, 1-2, 2-3, 3-4, after the root has multicast everything
 * chain     0-1, 1-2, 2-3, 3-4
 * linear    0-1, 0-2, 0-3, 0-4
 * binary    0-1, 0-2, 1-3, 1-4
 * binomial  0-1, 0-2, 0-4, 1-3
 * split_binary       even fragments 0-1, 1-3, 1-4, 1-2, odd ones 0-2, 2-1, 1-3, 1-4
 * scatter_allgather  fragments 0, 5, ...: 0-1, 1-2, 2-3, 3-4; 3, 8, ...: 0-1, 1-3, 3-4, 4-2
 * </pre>
 */
public final class Disseminations {

    private static final Map<Algorithm, Dissemination> BY_ALGORITHM =
            new EnumMap<>(Algorithm.class);

    static {
        BY_ALGORITHM.put(Algorithm.ONCE, new Multicast(false));
        BY_ALGORITHM.put(Algorithm.IPMC, new Multicast(true));
        BY_ALGORITHM.put(Algorithm.CHAIN, new RankTree(TreeShape.CHAIN));
        BY_ALGORITHM.put(Algorithm.LINEAR, new RankTree(TreeShape.LINEAR));
        BY_ALGORITHM.put(Algorithm.BINARY, new RankTree(TreeShape.BINARY));
        BY_ALGORITHM.put(Algorithm.BINOMIAL, new RankTree(TreeShape.BINOMIAL));
        BY_ALGORITHM.put(Algorithm.SPLIT_BINARY, new SplitBinary());
        BY_ALGORITHM.put(Algorithm.SCATTER_ALLGATHER, new ScatterAllgather());
    }

    private static final List<Dissemination> BY_CODE =
            Stream.of(Algorithm.values())
                    .sorted(Comparator.comparingInt(Algorithm::code))
                    .map(Disseminations::of)
                    .toList();

    private Disseminations() {}

    /** All algorithms, each at the place that is its code on the wire. */
    public static List<Dissemination> byCode() {
        return BY_CODE;
    }

    /**
     * The same for ranks whose places in a tree of switches are known: {@code chain} and {@code
     * binary} follow it. For one engine.
     *
     * @param order null: nothing is known
     */
    public static List<Dissemination> byCode(@Nullable RankOrder order) {
        if (order == null) {
            return BY_CODE;
        }
        List<Dissemination> all = new ArrayList<>(BY_CODE);
        all.set(Algorithm.CHAIN.code(), new OrderedChain(order));
        all.set(Algorithm.BINARY.code(), new OrderedBinary(order));
        return List.copyOf(all);
    }

    /**
     * The same, but for the unicast trees of one part ({@code chain}, {@code linear}, {@code
     * binary}, {@code binomial}): they hand on whole messages, as the algorithms of seed 000,
     * section 1.5, do. For measurements; all ranks need the same.
     */
    public static List<Dissemination> unsegmented() {
        return BY_CODE.stream()
                .map(it -> it instanceof RankTree tree ? new RankTree(tree.shape(), true) : it)
                .toList();
    }

    /** The dissemination of one algorithm. */
    public static Dissemination of(Algorithm algorithm) {
        Dissemination dissemination = BY_ALGORITHM.get(algorithm);
        if (dissemination == null) {
            throw new IllegalArgumentException("no dissemination for " + algorithm);
        }
        return dissemination;
    }
}
