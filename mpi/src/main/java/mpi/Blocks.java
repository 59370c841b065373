package mpi;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Parts;

/**
 * What a collective call sends to each rank or receives from each: a part of one buffer for each.
 * When all parts are blocks of the buffer's own memory, they are used there; else a packed copy is.
 */
final class Blocks {

    private final IntFunction<Payload> payloads;
    private final long[] places;
    private final long[] sizes;
    private final boolean receives;
    private final boolean packed;
    private final boolean objects;
    private @Nullable MemorySegment memory;

    /** Equal parts that are one block of a buffer. */
    private Blocks(
            IntFunction<Payload> payloads, MemorySegment block, int ranks, boolean receives) {
        this.payloads = payloads;
        this.places = new long[ranks];
        this.sizes = new long[ranks];
        this.receives = receives;
        this.packed = false;
        this.objects = false;
        this.memory = block;
        long each = block.byteSize() / ranks;
        Arrays.fill(sizes, each);
        Arrays.setAll(places, rank -> rank * each);
    }

    private Blocks(List<Payload> parts, boolean receives) {
        this.payloads = parts::get;
        this.places = new long[parts.size()];
        this.sizes = parts.stream().mapToLong(Payload::size).toArray();
        this.receives = receives;
        this.packed = !parts.stream().allMatch(it -> it.isBlock() || it.size() == 0);
        this.objects = parts.stream().anyMatch(Payload::isObjects);
        long at = 0;
        for (int rank = 0; rank < places.length; rank++) {
            places[rank] = packed ? at : sizes[rank] == 0 ? 0 : parts.get(rank).place();
            at += sizes[rank];
        }
    }

    /** Equal parts, one behind the other. */
    static Blocks even(
            @Nullable Object buffer,
            int offset,
            int count,
            Datatype type,
            int ranks,
            boolean receives) {
        IntFunction<Payload> part =
                rank -> {
                    long displacement = rank == 0 ? 0 : (long) rank * count * type.map().extent();
                    return Payload.part(buffer, offset, displacement, count, type, receives);
                };
        long total = (long) ranks * count;
        MemorySegment block =
                total > 0 && total <= Integer.MAX_VALUE
                        ? Payload.block(buffer, offset, (int) total, type)
                        : null;
        return block != null && !(receives && block.isReadOnly())
                ? new Blocks(part, block, ranks, receives)
                : new Blocks(IntStream.range(0, ranks).mapToObj(part).toList(), receives);
    }

    /** Parts at displacements in elements of the type. */
    static Blocks uneven(
            @Nullable Object buffer,
            int offset,
            int[] counts,
            int[] displacements,
            Datatype type,
            int ranks,
            boolean receives) {
        checkLengths(counts, displacements, ranks);
        List<Payload> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            long displacement = counts[rank] == 0 ? 0 : displacements[rank] * type.map().extent();
            parts.add(Payload.part(buffer, offset, displacement, counts[rank], type, receives));
        }
        return new Blocks(parts, receives);
    }

    /** Parts of different types at displacements in bytes. */
    static Blocks typed(
            @Nullable Object buffer,
            int[] counts,
            int[] displacements,
            Datatype[] types,
            int ranks,
            boolean receives) {
        checkLengths(counts, displacements, ranks);
        if (types == null) {
            throw new MPIException(ErrorClass.TYPE, "the array of types is null");
        }
        if (types.length < ranks) {
            throw new MPIException(ErrorClass.ARG, types.length + " types for " + ranks + " ranks");
        }
        List<Payload> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            long displacement = counts[rank] == 0 ? 0 : displacements[rank];
            parts.add(Payload.part(buffer, 0, displacement, counts[rank], types[rank], receives));
        }
        return new Blocks(parts, receives);
    }

    private static void checkLengths(int[] counts, int[] displacements, int ranks) {
        if (counts == null) {
            throw new MPIException(ErrorClass.COUNT, "the array of counts is null");
        }
        if (displacements == null) {
            throw new MPIException(ErrorClass.ARG, "the array of displacements is null");
        }
        if (counts.length < ranks || displacements.length < ranks) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "%d counts and %d displacements for %d ranks"
                            .formatted(counts.length, displacements.length, ranks));
        }
    }

    /** What goes to a rank, or comes from it. */
    Payload payload(int rank) {
        return payloads.apply(rank);
    }

    /** The data of a part, in bytes. */
    long size(int rank) {
        return sizes[rank];
    }

    boolean isObjects() {
        return objects;
    }

    private long total() {
        return Arrays.stream(sizes).sum();
    }

    /** The memory that {@link #parts} are of. */
    MemorySegment memory() {
        MemorySegment known = memory;
        if (known == null) {
            known = makeMemory();
            memory = known;
        }
        return known;
    }

    private MemorySegment makeMemory() {
        long total = total();
        if (total == 0) {
            return Payload.EMPTY;
        }
        if (!packed) {
            int first = 0;
            while (sizes[first] == 0) {
                first++;
            }
            return payload(first).whole();
        }
        MemorySegment made = Payload.allocate(total);
        if (!receives) {
            for (int rank = 0; rank < places.length; rank++) {
                packInto(made, rank);
            }
        }
        return made;
    }

    private void packInto(MemorySegment made, int rank) {
        if (sizes[rank] > 0) {
            payload(rank).pack(made.asSlice(places[rank], sizes[rank]));
        }
    }

    /** Where each rank's part is. */
    Parts parts() {
        return new Parts(sizes, places);
    }

    /** The memory of equal parts, and of nothing else. */
    MemorySegment evenMemory() {
        long total = total();
        return total == 0 || packed ? memory() : memory().asSlice(places[0], total);
    }

    /** The memory of one rank's part. */
    MemorySegment part(int rank) {
        return memory().asSlice(places[rank], sizes[rank]);
    }

    /** The memory of one rank's part, which has its data already though others are received. */
    MemorySegment inPlace(int rank) {
        if (packed) {
            packInto(memory(), rank);
        }
        return part(rank);
    }

    /** Unpacks what has come. */
    void arrived() {
        for (int rank = 0; packed && rank < places.length; rank++) {
            if (sizes[rank] > 0) {
                payload(rank).unpack(part(rank));
            }
        }
    }
}
