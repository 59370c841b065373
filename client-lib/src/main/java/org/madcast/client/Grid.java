package org.madcast.client;

import java.util.Arrays;

/**
 * Ranks in a grid of any number of dimensions, in row-major order: the last coordinate changes
 * fastest (MPI's Cartesian topology). It sends nothing and knows no communicator. Immutable.
 */
public final class Grid {

    /** In place of a rank beyond the edge of a grid (MPI_PROC_NULL). */
    public static final int NOBODY = -1;

    private final int[] dims;
    private final boolean[] periods;
    private final int size;

    /**
     * A grid (MPI_Cart_create).
     *
     * @param dims how many places each dimension has, 1 or more; none for a grid of one place
     * @param periods whether each dimension is periodic: its last place is beside its first
     */
    public Grid(int[] dims, boolean... periods) {
        check(
                dims.length == periods.length,
                "%d dims, but %d periods",
                dims.length,
                periods.length);
        long places = 1;
        for (int dim : dims) {
            check(dim > 0, "dims are %s; each must be 1 or more", Arrays.toString(dims));
            places *= dim;
            check(
                    places <= Integer.MAX_VALUE,
                    "a grid of %s has more than %d places",
                    Arrays.toString(dims),
                    Integer.MAX_VALUE);
        }
        this.dims = dims.clone();
        this.periods = periods.clone();
        this.size = (int) places;
    }

    @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
    private static void check(boolean holds, String format, Object... values) {
        if (!holds) {
            throw new IllegalArgumentException(format.formatted(values));
        }
    }

    /** How many places each dimension has; a copy. */
    public int[] dims() {
        return dims.clone();
    }

    /** Whether each dimension is periodic; a copy. */
    public boolean[] periods() {
        return periods.clone();
    }

    /** How many places there are in all. */
    public int size() {
        return size;
    }

    /** Where a rank is (MPI_Cart_coords). */
    public int[] coordinates(int rank) {
        check(rank >= 0 && rank < size, "rank %d is outside 0 to %d", rank, size - 1);
        int[] coordinates = new int[dims.length];
        int rest = rank;
        for (int i = dims.length - 1; i >= 0; i--) {
            coordinates[i] = rest % dims[i];
            rest /= dims[i];
        }
        return coordinates;
    }

    /**
     * Which rank is there (MPI_Cart_rank).
     *
     * @param coordinates one for each dimension; any number in a periodic one
     */
    public int rank(int... coordinates) {
        check(
                coordinates.length >= dims.length,
                "%d coordinates for %d dimensions",
                coordinates.length,
                dims.length);
        int rank = 0;
        for (int i = 0; i < dims.length; i++) {
            int at = periods[i] ? Math.floorMod(coordinates[i], dims[i]) : coordinates[i];
            check(
                    at >= 0 && at < dims[i],
                    "coordinate %d is %d, outside 0 to %d, and the dimension is not periodic",
                    i,
                    at,
                    dims[i] - 1);
            rank = rank * dims[i] + at;
        }
        return rank;
    }

    /**
     * The rank at a distance from another one along a dimension (MPI_Cart_shift, which has the ones
     * at both {@code -distance} and {@code distance}).
     *
     * @return the rank, or {@link #NOBODY} beyond the edge
     */
    public int neighbour(int rank, int dimension, long distance) {
        check(
                dimension >= 0 && dimension < dims.length,
                "direction %d is outside 0 to %d",
                dimension,
                dims.length - 1);
        int[] there = coordinates(rank);
        long at = there[dimension] + distance;
        if (!periods[dimension] && (at < 0 || at >= dims[dimension])) {
            return NOBODY;
        }
        there[dimension] = Math.floorMod(at, dims[dimension]);
        return rank(there);
    }

    /** In each dimension the rank below a rank, then the one above; some may be no rank. */
    int[] neighbours(int rank) {
        int[] all = new int[2 * dims.length];
        Arrays.setAll(all, place -> neighbour(rank, place / 2, place % 2 == 0 ? -1 : 1));
        return all;
    }

    /**
     * Divides places among dimensions: as close to each other as possible, in an order that does
     * not increase (MPI_Dims_create).
     *
     * @param places 1 or more
     * @param dims a number for each dimension, 0 where one is wanted
     * @return the dimensions of a grid of {@code places} places
     */
    public static int[] divide(int places, int... dims) {
        int[] made = dims.clone();
        long fixed = 1;
        int free = 0;
        for (int dim : dims) {
            check(dim >= 0, "dims are %s; none may be negative", Arrays.toString(dims));
            free += dim == 0 ? 1 : 0;
            fixed = dim == 0 || fixed > places ? fixed : fixed * dim;
        }
        check(
                places >= 1
                        && places % fixed == 0
                        && (free > 0 || dims.length == 0 || places == fixed),
                "%d places cannot be divided among the dimensions %s",
                places,
                Arrays.toString(dims));
        int rest = (int) (places / fixed);
        int largest = rest;
        for (int i = 0; i < made.length; i++) {
            if (made[i] == 0) {
                largest = leastFirst(rest, free--, largest);
                made[i] = largest;
                rest /= largest;
            }
        }
        return made;
    }

    /** The least first factor of {@code count} factors that do not increase. */
    private static int leastFirst(int product, int count, int atMost) {
        for (int first = count == 1 ? product : 1; first <= Math.min(product, atMost); first++) {
            if (product % first == 0 && fits(product / first, count - 1, first)) {
                return first;
            }
        }
        return product;
    }

    /** Whether a number has {@code count} factors of at most this size. */
    private static boolean fits(int product, int count, int atMost) {
        if (count == 0 || product == 1) {
            return product == 1;
        }
        for (int factor = Math.min(product, atMost); factor > 1; factor--) {
            if (product % factor == 0 && fits(product / factor, count - 1, factor)) {
                return true;
            }
        }
        return false;
    }
}
