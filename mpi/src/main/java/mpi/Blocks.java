package mpi;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Parts;

/**
 * What a collective call sends to each rank or receives from each: a part of one buffer for each.
 * When all parts are blocks of the buffer's own memory, they are used there; else a packed copy is.
 */
final class Blocks {

    private final List<Payload> payloads = new ArrayList<>();
    private final long[] places;
    private final boolean receives;
    private boolean packed;
    private @Nullable MemorySegment memory;

    private Blocks(int ranks, boolean receives) {
        this.places = new long[ranks];
        this.receives = receives;
    }

    /** Equal parts, one behind the other. */
    static Blocks even(
            @Nullable Object buffer,
            int offset,
            int count,
            Datatype type,
            int ranks,
            boolean receives) {
        Blocks made = new Blocks(ranks, receives);
        for (int rank = 0; rank < ranks; rank++) {
            long displacement = rank == 0 ? 0 : (long) rank * count * type.map().extent();
            made.payloads.add(Payload.part(buffer, offset, displacement, count, type, receives));
        }
        return made.placed();
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
        Blocks made = new Blocks(ranks, receives);
        for (int rank = 0; rank < ranks; rank++) {
            long displacement = counts[rank] == 0 ? 0 : displacements[rank] * type.map().extent();
            made.payloads.add(
                    Payload.part(buffer, offset, displacement, counts[rank], type, receives));
        }
        return made.placed();
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
        if (types.length < ranks) {
            throw new MPIException(ErrorClass.ARG, types.length + " types for " + ranks + " ranks");
        }
        Blocks made = new Blocks(ranks, receives);
        for (int rank = 0; rank < ranks; rank++) {
            long displacement = counts[rank] == 0 ? 0 : displacements[rank];
            made.payloads.add(
                    Payload.part(buffer, 0, displacement, counts[rank], types[rank], receives));
        }
        return made.placed();
    }

    private static void checkLengths(int[] counts, int[] displacements, int ranks) {
        if (counts.length < ranks || displacements.length < ranks) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "%d counts and %d displacements for %d ranks"
                            .formatted(counts.length, displacements.length, ranks));
        }
    }

    private Blocks placed() {
        packed = !payloads.stream().allMatch(it -> it.isBlock() || it.size() == 0);
        long at = 0;
        for (int rank = 0; rank < places.length; rank++) {
            Payload payload = payloads.get(rank);
            places[rank] = packed ? at : payload.size() == 0 ? 0 : payload.place();
            at += payload.size();
        }
        return this;
    }

    int ranks() {
        return places.length;
    }

    Payload payload(int rank) {
        return payloads.get(rank);
    }

    boolean isObjects() {
        return payloads.stream().anyMatch(Payload::isObjects);
    }

    private long[] sizes() {
        return payloads.stream().mapToLong(Payload::size).toArray();
    }

    /** All parts' data, in bytes. */
    long total() {
        return payloads.stream().mapToLong(Payload::size).sum();
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
            return payloads.stream().filter(it -> it.size() > 0).findFirst().orElseThrow().whole();
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
        Payload payload = payloads.get(rank);
        if (payload.size() > 0) {
            payload.pack(made.asSlice(places[rank], payload.size()));
        }
    }

    /** Where each rank's part is. */
    Parts parts() {
        return new Parts(sizes(), places);
    }

    /** The memory of equal parts, and of nothing else. */
    MemorySegment evenMemory() {
        long total = total();
        return total == 0 || packed ? memory() : memory().asSlice(places[0], total);
    }

    /** The memory of one rank's part. */
    MemorySegment part(int rank) {
        return memory().asSlice(places[rank], payloads.get(rank).size());
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
            if (payloads.get(rank).size() > 0) {
                payloads.get(rank).unpack(part(rank));
            }
        }
    }
}
