package mpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An ordered set of processes (MPI_Group). A group never changes, except that it is freed. */
public final class Group implements Freeable {

    /** The code of the empty group. */
    public static final int EMPTY = 0;

    /** 0 for an empty group, 1 for another one, -1 for none. */
    public int code;

    /** The rank in COMM_WORLD of each process; null for no group. */
    private int @Nullable [] members;

    Group(int @Nullable [] members) {
        this.members = members;
        this.code = members == null ? -1 : members.length == 0 ? EMPTY : 1;
    }

    /** The ranks in COMM_WORLD, by rank in the group. */
    int[] members() {
        if (members == null) {
            throw new MPIException(ErrorClass.GROUP, "the group is null or was freed");
        }
        return members;
    }

    /** The members of a group that a program passes. */
    static int[] membersOf(@Nullable Group group) {
        if (group == null) {
            throw new MPIException(ErrorClass.GROUP, "the group is null");
        }
        return group.members();
    }

    private int indexOf(int member) {
        int[] all = members();
        for (int rank = 0; rank < all.length; rank++) {
            if (all[rank] == member) {
                return rank;
            }
        }
        return MPI.UNDEFINED;
    }

    /** How many processes belong to it (MPI_Group_size). */
    public int getSize() throws MPIException {
        try {
            return members().length;
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** How many processes belong to it (MPI_Group_size). */
    public int Size() throws MPIException {
        return getSize();
    }

    /** This process's rank in it, or UNDEFINED (MPI_Group_rank). */
    public int getRank() throws MPIException {
        try {
            return indexOf(Environment.current().rank());
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** This process's rank in it, or UNDEFINED (MPI_Group_rank). */
    public int Rank() throws MPIException {
        return getRank();
    }

    /** Makes it the null group; GROUP_EMPTY stays (MPI_Group_free). An error always throws. */
    @Override
    public void free() throws MPIException {
        int[] _ = members();
        if (this != MPI.GROUP_EMPTY) {
            members = null;
            code = -1;
        }
    }

    /** Whether it is no group, or was freed. */
    public boolean isNull() {
        return members == null;
    }

    /**
     * The ranks in one group of ranks in another: UNDEFINED for a process that is not in it,
     * PROC_NULL for PROC_NULL (MPI_Group_translate_ranks).
     */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2)
            throws MPIException {
        try {
            int[] from = membersOf(group1);
            Map<Integer, Integer> to = new HashMap<>();
            int[] members2 = membersOf(group2);
            for (int rank = 0; rank < members2.length; rank++) {
                to.put(members2[rank], rank);
            }
            int[] translated = new int[ranks1.length];
            for (int i = 0; i < ranks1.length; i++) {
                translated[i] =
                        ranks1[i] == MPI.PROC_NULL
                                ? MPI.PROC_NULL
                                : to.getOrDefault(
                                        from[checkRank(ranks1[i], from.length)], MPI.UNDEFINED);
            }
            return translated;
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #translateRanks}. */
    public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2)
            throws MPIException {
        return translateRanks(group1, ranks1, group2);
    }

    static int[] allRanks(int size) {
        return IntStream.range(0, size).toArray();
    }

    private static int checkRank(int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw new MPIException(
                    ErrorClass.RANK,
                    size == 0
                            ? "rank " + rank + ": the group is empty"
                            : "rank " + rank + " is outside 0 to " + (size - 1));
        }
        return rank;
    }

    /** IDENT, SIMILAR (another order) or UNEQUAL (MPI_Group_compare). */
    public static int compare(Group group1, Group group2) throws MPIException {
        try {
            int[] one = membersOf(group1);
            int[] two = membersOf(group2);
            if (Arrays.equals(one, two)) {
                return MPI.IDENT;
            }
            int[] sortedOne = IntStream.of(one).sorted().toArray();
            int[] sortedTwo = IntStream.of(two).sorted().toArray();
            return Arrays.equals(sortedOne, sortedTwo) ? MPI.SIMILAR : MPI.UNEQUAL;
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #compare}. */
    public static int Compare(Group group1, Group group2) throws MPIException {
        return compare(group1, group2);
    }

    private static Group filtered(IntStream members, IntPredicate keep) {
        return new Group(members.filter(keep).toArray());
    }

    private static IntPredicate isIn(Group group) {
        int[] sorted = IntStream.of(membersOf(group)).sorted().toArray();
        return member -> Arrays.binarySearch(sorted, member) >= 0;
    }

    /** The first group's processes, then those of the second that it lacks (MPI_Group_union). */
    public static Group union(Group group1, Group group2) throws MPIException {
        try {
            IntStream added = IntStream.of(membersOf(group2)).filter(isIn(group1).negate());
            return filtered(IntStream.concat(IntStream.of(membersOf(group1)), added), _ -> true);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #union}. */
    public static Group Union(Group group1, Group group2) throws MPIException {
        return union(group1, group2);
    }

    /** The processes in both groups, in the first one's order (MPI_Group_intersection). */
    public static Group intersection(Group group1, Group group2) throws MPIException {
        try {
            return filtered(IntStream.of(membersOf(group1)), isIn(group2));
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #intersection}. */
    public static Group Intersection(Group group1, Group group2) throws MPIException {
        return intersection(group1, group2);
    }

    /** The first group's processes that are not in the second (MPI_Group_difference). */
    public static Group difference(Group group1, Group group2) throws MPIException {
        try {
            return filtered(IntStream.of(membersOf(group1)), isIn(group2).negate());
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #difference}. */
    public static Group Difference(Group group1, Group group2) throws MPIException {
        return difference(group1, group2);
    }

    /** Each rank is in the group, and none is there twice. */
    private int[] checked(int[] ranks) {
        int size = members().length;
        boolean[] seen = new boolean[size];
        for (int rank : ranks) {
            if (seen[checkRank(rank, size)]) {
                throw new MPIException(ErrorClass.RANK, "rank " + rank + " is there twice");
            }
            seen[rank] = true;
        }
        return ranks;
    }

    private Group including(int[] ranks) {
        int[] all = members();
        return new Group(IntStream.of(checked(ranks)).map(rank -> all[rank]).toArray());
    }

    private Group excluding(int[] ranks) {
        int[] all = members();
        int[] sorted = checked(ranks).clone();
        Arrays.sort(sorted);
        return new Group(
                IntStream.range(0, all.length)
                        .filter(rank -> Arrays.binarySearch(sorted, rank) < 0)
                        .map(rank -> all[rank])
                        .toArray());
    }

    /** The processes of these ranks, in this order (MPI_Group_incl). */
    public Group incl(int[] ranks) throws MPIException {
        try {
            return including(ranks);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #incl}. */
    public Group Incl(int[] ranks) throws MPIException {
        return incl(ranks);
    }

    /** All processes but those of these ranks (MPI_Group_excl). */
    public Group excl(int[] ranks) throws MPIException {
        try {
            return excluding(ranks);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #excl}. */
    public Group Excl(int[] ranks) throws MPIException {
        return excl(ranks);
    }

    /** The ranks that triplets of first, last and stride mean. */
    private int[] expanded(int[][] ranges) {
        int size = members().length;
        IntStream.Builder ranks = IntStream.builder();
        for (int[] range : ranges) {
            if (range.length != 3) {
                throw new MPIException(
                        ErrorClass.ARG, "a range has " + range.length + " numbers, not 3");
            }
            if (range[2] == 0) {
                throw new MPIException(ErrorClass.ARG, "the stride of a range is 0");
            }
            int first = checkRank(range[0], size);
            int last = checkRank(range[1], size);
            if (Integer.signum(last - first) * Integer.signum(range[2]) < 0) {
                throw new MPIException(
                        ErrorClass.ARG,
                        "the range %d to %d has no rank with stride %d"
                                .formatted(first, last, range[2]));
            }
            for (long rank = first; range[2] > 0 ? rank <= last : rank >= last; rank += range[2]) {
                ranks.add((int) rank);
            }
        }
        return ranks.build().toArray();
    }

    /** As {@link #incl}, of triplets of first, last and stride (MPI_Group_range_incl). */
    public Group rangeIncl(int[][] ranges) throws MPIException {
        try {
            return including(expanded(ranges));
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #rangeIncl}. */
    public Group Range_incl(int[][] ranges) throws MPIException {
        return rangeIncl(ranges);
    }

    /** As {@link #excl}, of triplets of first, last and stride (MPI_Group_range_excl). */
    public Group rangeExcl(int[][] ranges) throws MPIException {
        try {
            return excluding(expanded(ranges));
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** As {@link #rangeExcl}. */
    public Group Range_excl(int[][] ranges) throws MPIException {
        return rangeExcl(ranges);
    }
}
