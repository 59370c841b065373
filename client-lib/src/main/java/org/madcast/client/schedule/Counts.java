package org.madcast.client.schedule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How many elements each rank has of a buffer that belongs to all, and where they begin. Immutable.
 */
public final class Counts {

    private final long[] counts;
    private final long[] offsets;

    /**
     * Takes the arrays, which must not be changed any more.
     *
     * @param counts elements of each rank, by rank
     * @param offsets where they begin, by rank
     */
    public Counts(long[] counts, long[] offsets) {
        if (counts.length != offsets.length) {
            throw new IllegalArgumentException(
                    counts.length + " counts and " + offsets.length + " displacements");
        }
        for (int rank = 0; rank < counts.length; rank++) {
            if (counts[rank] < 0 || offsets[rank] < 0) {
                throw new IllegalArgumentException(
                        "count %d and displacement %d of rank %d must not be negative"
                                .formatted(counts[rank], offsets[rank], rank));
            }
            if (offsets[rank] > Long.MAX_VALUE - counts[rank]) {
                throw new IllegalArgumentException(
                        "count %d at displacement %d of rank %d ends beyond any buffer"
                                .formatted(counts[rank], offsets[rank], rank));
            }
        }
        this.counts = counts;
        this.offsets = offsets;
    }

    /** These; throws if the elements of two ranks overlap: neither could be received. */
    public Counts requireApart() {
        int[] ranks =
                IntStream.range(0, size())
                        .filter(rank -> counts[rank] > 0)
                        .boxed()
                        .sorted(Comparator.comparingLong(rank -> offsets[rank]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        for (int i = 1; i < ranks.length; i++) {
            if (offsets[ranks[i - 1]] + counts[ranks[i - 1]] > offsets[ranks[i]]) {
                throw new IllegalArgumentException(
                        "the parts of ranks %d and %d overlap".formatted(ranks[i - 1], ranks[i]));
            }
        }
        return this;
    }

    /** How many elements a rank has. */
    public long count(int rank) {
        return counts[rank];
    }

    /** Where a rank's elements begin. */
    public long offset(int rank) {
        return offsets[rank];
    }

    /** Every rank has as many, one behind the other. */
    public static Counts even(int size, long count) {
        long[] counts = new long[size];
        Arrays.fill(counts, count);
        return packed(counts);
    }

    /** One behind the other, without gaps. */
    public static Counts packed(long... counts) {
        long[] offsets = new long[counts.length];
        for (int rank = 1; rank < counts.length; rank++) {
            offsets[rank] = offsets[rank - 1] + counts[rank - 1];
        }
        return new Counts(counts.clone(), offsets);
    }

    /** A buffer divided among the ranks as evenly as it can be; the first ones have one more. */
    static Counts divided(int size, long total) {
        long[] counts =
                IntStream.range(0, size)
                        .mapToLong(rank -> total / size + (rank < total % size ? 1 : 0))
                        .toArray();
        return packed(counts);
    }

    /** Those of these ranks, one after the other. */
    Counts inOrder(int... ranks) {
        return new Counts(
                Arrays.stream(ranks).mapToLong(rank -> counts[rank]).toArray(),
                Arrays.stream(ranks).mapToLong(rank -> offsets[rank]).toArray());
    }

    /** How many ranks there are. */
    int size() {
        return counts.length;
    }

    /** The sum of all counts. */
    public long total() {
        return Arrays.stream(counts).sum();
    }

    long longest() {
        return Arrays.stream(counts).max().orElse(0);
    }

    /** The end of the last element of any rank. */
    public long extent() {
        return IntStream.range(0, size()).mapToLong(i -> offsets[i] + counts[i]).max().orElse(0);
    }

    Slice of(int rank, Slice.Buffer buffer) {
        return new Slice(buffer, offsets[rank], counts[rank]);
    }

    Slice input(int rank) {
        return of(rank, Slice.Buffer.INPUT);
    }

    Slice output(int rank) {
        return of(rank, Slice.Buffer.OUTPUT);
    }
}
