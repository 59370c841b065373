package org.madcast.mpi.datatype;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of one element of a type lie, relative to its address: MPI's type map, in bytes,
 * normalised into runs. A run is a number of blocks of one length at a constant stride; the order
 * of the runs is the order of the data in a message. Immutable.
 *
 * <p>Objects have no bytes: in a type map of objects one byte stands for one place in the array.
 *
 * @param runs in the order of the type map
 * @param elements the basic elements
 * @param lb the lower bound
 * @param ub the upper bound
 * @param trueLb the first byte of data
 * @param trueUb the end of the last byte of data
 * @param marks which bounds were set and do not follow from the data
 * @param alignment the extent is a multiple of it unless the upper bound was set
 */
public record TypeMap(
        List<Run> runs,
        Elements elements,
        long lb,
        long ub,
        long trueLb,
        long trueUb,
        Marks marks,
        long alignment) {

    /** Blocks of one length at a constant stride; a single block has the stride 0. */
    public record Run(long offset, long bytes, long blocks, long stride) {

        private long last() {
            return offset + (blocks - 1) * stride;
        }

        private Run at(long displacement) {
            return new Run(offset + displacement, bytes, blocks, stride);
        }
    }

    /** Copies of a type at a displacement. */
    public record Placed(TypeMap type, long copies, long displacement) {

        private boolean counts() {
            return copies > 0 && (type.size() > 0 || type.marks.lower || type.marks.upper);
        }

        private long low() {
            return displacement + Math.min(0, (copies - 1) * type.extent());
        }

        private long high() {
            return displacement + Math.max(0, (copies - 1) * type.extent());
        }
    }

    /** Which bounds were set by MPI_LB, MPI_UB or MPI_Type_create_resized. */
    public record Marks(boolean lower, boolean upper) {
        private static final Marks NONE = new Marks(false, false);
        private static final Marks BOTH = new Marks(true, true);
    }

    /** The most runs of a type, as many as half a gigabyte holds. */
    private static final int MOST_RUNS = 1 << 23;

    /** No data, and no extent. */
    public static final TypeMap EMPTY = mark(false, false);

    /** A basic type. */
    public static TypeMap basic(long bytes, long alignment) {
        return new TypeMap(
                List.of(new Run(0, bytes, 1, 0)),
                Elements.of(bytes, 1),
                0,
                bytes,
                0,
                bytes,
                Marks.NONE,
                alignment);
    }

    /** MPI_LB or MPI_UB: a bound without data. */
    public static TypeMap mark(boolean lower, boolean upper) {
        return new TypeMap(List.of(), Elements.NONE, 0, 0, 0, 0, new Marks(lower, upper), 1);
    }

    /** The data of an element, in bytes. */
    public long size() {
        return elements.bytes();
    }

    /** The distance between two elements of an array. */
    public long extent() {
        return ub - lb;
    }

    /** Whether the data of an array of elements are one block that begins at its address. */
    public boolean isDense() {
        return runs.size() == 1
                && lb == 0
                && trueLb == 0
                && runs.getFirst().blocks() == 1
                && runs.getFirst().bytes() == ub;
    }

    /** The same data with other bounds (MPI_Type_create_resized). */
    public TypeMap resized(long newLb, long newExtent) {
        return new TypeMap(
                runs, elements, newLb, newLb + newExtent, trueLb, trueUb, Marks.BOTH, alignment);
    }

    /** Blocks of {@code length} copies of this type at a constant stride in bytes. */
    public TypeMap strided(long count, long length, long strideBytes) {
        if (count == 0 || length == 0) {
            return EMPTY;
        }
        if (count == 1 || (isDense() && strideBytes == length * extent())) {
            return of(List.of(new Placed(this, count * length, 0)));
        }
        if (isDense()) {
            long block = length * extent();
            long far = (count - 1) * strideBytes;
            return bounded(
                    List.of(new Run(0, block, count, strideBytes)),
                    elements.times(count * length),
                    Math.min(0, far),
                    Math.max(0, far) + block);
        }
        checkRuns(count * runs.size());
        List<Placed> blocks = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            blocks.add(new Placed(this, length, i * strideBytes));
        }
        return of(blocks);
    }

    private TypeMap bounded(List<Run> newRuns, Elements newElements, long first, long end) {
        long newUb = marks.upper ? end : first + aligned(end - first, alignment);
        return new TypeMap(newRuns, newElements, first, newUb, first, end, marks, alignment);
    }

    private static long aligned(long extent, long alignment) {
        return Math.ceilDiv(extent, alignment) * alignment;
    }

    /** The type of all these copies, in this order (MPI_Type_create_struct). */
    public static TypeMap of(List<Placed> all) {
        List<Placed> present = all.stream().filter(Placed::counts).toList();
        if (present.isEmpty()) {
            return EMPTY;
        }
        List<Placed> data = present.stream().filter(it -> it.type.size() > 0).toList();
        boolean lower = present.stream().anyMatch(it -> it.type.marks.lower);
        boolean upper = present.stream().anyMatch(it -> it.type.marks.upper);
        long alignment = data.stream().mapToLong(it -> it.type.alignment).max().orElse(1);
        long lb = least(lower ? present.stream().filter(it -> it.type.marks.lower).toList() : data);
        long ub = most(upper ? present.stream().filter(it -> it.type.marks.upper).toList() : data);
        List<Run> runs = new ArrayList<>();
        data.forEach(each -> addCopies(runs, each));
        return new TypeMap(
                List.copyOf(runs),
                Elements.sequence(
                        data.stream().map(it -> it.type.elements.times(it.copies)).toList()),
                lb,
                upper ? ub : lb + aligned(ub - lb, alignment),
                data.stream().mapToLong(it -> it.low() + it.type.trueLb).min().orElse(0),
                data.stream().mapToLong(it -> it.high() + it.type.trueUb).max().orElse(0),
                new Marks(lower, upper),
                alignment);
    }

    private static long least(List<Placed> all) {
        return all.stream().mapToLong(it -> it.low() + it.type.lb).min().orElse(0);
    }

    private static long most(List<Placed> all) {
        return all.stream().mapToLong(it -> it.high() + it.type.ub).max().orElse(0);
    }

    private static void addCopies(List<Run> runs, Placed placed) {
        TypeMap type = placed.type;
        if (type.isDense()) {
            add(runs, new Run(placed.displacement, type.size() * placed.copies, 1, 0));
            return;
        }
        if (type.runs.size() == 1 && type.runs.getFirst().blocks == 1) {
            Run one = type.runs.getFirst();
            add(
                    runs,
                    new Run(
                            placed.displacement + one.offset,
                            one.bytes,
                            placed.copies,
                            placed.copies == 1 ? 0 : type.extent()));
            return;
        }
        checkRuns(runs.size() + placed.copies * type.runs.size());
        for (long copy = 0; copy < placed.copies; copy++) {
            for (Run run : type.runs) {
                add(runs, run.at(placed.displacement + copy * type.extent()));
            }
        }
    }

    private static void checkRuns(long number) {
        if (number > MOST_RUNS) {
            throw new IllegalArgumentException(
                    "a type of %d separate blocks, more than %d".formatted(number, MOST_RUNS));
        }
    }

    /** Appends a run, joined with the last one where the two are one run. */
    private static void add(List<Run> runs, Run run) {
        if (run.bytes == 0) {
            return;
        }
        Run last = runs.isEmpty() ? null : runs.getLast();
        Run joined = last == null ? null : joined(last, run);
        if (joined == null) {
            runs.add(run);
        } else {
            runs.set(runs.size() - 1, joined);
        }
    }

    private static @Nullable Run joined(Run last, Run next) {
        if (last.blocks == 1 && next.blocks == 1 && last.offset + last.bytes == next.offset) {
            return new Run(last.offset, last.bytes + next.bytes, 1, 0);
        }
        if (last.bytes != next.bytes || next.blocks != 1) {
            return null;
        }
        long step = next.offset - last.last();
        return last.blocks == 1 || step == last.stride
                ? new Run(last.offset, last.bytes, last.blocks + 1, step)
                : null;
    }
}
