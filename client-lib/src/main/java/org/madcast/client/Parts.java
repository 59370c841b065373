package org.madcast.client;

import java.util.Arrays;

/**
 * Which part of a buffer belongs to which rank, for collectives with uneven parts (the counts and
 * displacements of MPI_Gatherv and its like). All in bytes. Immutable.
 */
public final class Parts {

    private final long[] counts;
    private final long[] displacements;

    /**
     * Takes copies.
     *
     * @param counts how long each rank's part is, by rank
     * @param displacements where it begins, by rank
     * @throws IllegalArgumentException when a count or a displacement is negative, or there are not
     *     as many of the one as of the other
     */
    public Parts(long[] counts, long[] displacements) {
        if (counts.length != displacements.length) {
            throw new IllegalArgumentException(
                    counts.length + " counts, but " + displacements.length + " displacements");
        }
        for (int rank = 0; rank < counts.length; rank++) {
            if (counts[rank] < 0 || displacements[rank] < 0) {
                throw new IllegalArgumentException(
                        "count %d or displacement %d of rank %d is negative"
                                .formatted(counts[rank], displacements[rank], rank));
            }
        }
        this.counts = counts.clone();
        this.displacements = displacements.clone();
    }

    /** Parts that lie one behind the other. */
    public static Parts packed(long... counts) {
        long[] displacements = new long[counts.length];
        for (int rank = 1; rank < counts.length; rank++) {
            displacements[rank] = displacements[rank - 1] + counts[rank - 1];
        }
        return new Parts(counts, displacements);
    }

    /** Parts that are counted in elements. */
    public static Parts of(ElementType type, int[] counts, int[] displacements) {
        return new Parts(bytes(type, counts), bytes(type, displacements));
    }

    private static long[] bytes(ElementType type, int[] elements) {
        return Arrays.stream(elements).mapToLong(it -> (long) it * type.bytes()).toArray();
    }

    /** How long each rank's part is, by rank; a copy. */
    public long[] counts() {
        return counts.clone();
    }

    /** Where each rank's part begins, by rank; a copy. */
    public long[] displacements() {
        return displacements.clone();
    }
}
