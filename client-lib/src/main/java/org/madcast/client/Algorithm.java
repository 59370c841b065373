package org.madcast.client;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How a broadcast travels. All ranks of one call must name the same algorithm; by default they name
 * none and {@link BroadcastParameters} decides, by the same rule on every rank.
 */
public enum Algorithm {
    /** Multicast each fragment one time; loss is repaired on request. The default. */
    ONCE(0),
    /**
     * Siebert's two stages: multicast every fragment, then send every fragment again down a chain
     * of messages (seed 000, sections 3.2.1 and 3.2.2). The baseline; twice the bytes, and no rank
     * asks for any.
     */
    IPMC(1),
    /**
     * Unicast: fragments walk from rank to rank, each forwarding a fragment as soon as it owns it.
     */
    CHAIN(2),
    /** Unicast: the root sends every fragment to every other rank itself. */
    LINEAR(3),
    /** Unicast: a complete binary tree over the ranks counted from the root. */
    BINARY(4),
    /** Unicast: a binomial tree over the ranks counted from the root. */
    BINOMIAL(5),
    /**
     * Unicast: half of the fragments down the left half of a binary tree, half down the right one,
     * and then each rank exchanges its half with the one opposite.
     */
    SPLIT_BINARY(6),
    /**
     * Unicast: each rank gets a share down a binomial tree, then the shares walk around the ring
     * (van de Geijn).
     */
    SCATTER_ALLGATHER(7);

    private final int code;
    private final String label = name().toLowerCase(Locale.ROOT);

    Algorithm(int code) {
        this.code = code;
    }

    /** The number that datagrams carry. */
    public int code() {
        return code;
    }

    /** The name that options, tables and reports use, such as {@code once}. */
    public String label() {
        return label;
    }

    /** True when the root's datagrams go to the multicast group. */
    public boolean usesMulticast() {
        return this == ONCE || this == IPMC;
    }

    /**
     * The algorithm with this label.
     *
     * @throws IllegalArgumentException naming the known labels when there is none
     */
    public static Algorithm of(String label) {
        for (Algorithm algorithm : values()) {
            if (algorithm.label().equals(label)) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException(
                "unknown algorithm '"
                        + label
                        + "', known are "
                        + Arrays.stream(values())
                                .map(Algorithm::label)
                                .collect(Collectors.joining(", ")));
    }
}
