package mpi;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.madcast.mpi.datatype.ElementKind;
import org.madcast.mpi.file.External32;
import org.madcast.mpi.file.View;

/** A file's reads and writes, by whichever name a program calls them. */
abstract class FileHandle {

    /** Where an access begins. */
    enum Place {
        /** At an offset that the call gives. */
        EXPLICIT,
        /** At the rank's own pointer. */
        OWN,
        /** At the pointer that the ranks share. */
        SHARED,
        /** At the shared pointer, one rank after the other. */
        ORDERED
    }

    /** A read or write that is checked and has its place. */
    private record Transfer(
            OpenFile file,
            boolean writes,
            Payload payload,
            View map,
            Place place,
            long offset,
            @Nullable Datatype converted) {

        /** Does it; of a read, returns how many bytes came. */
        long run() {
            MemorySegment data = payload.memory();
            try {
                if (writes) {
                    file.store.write(map, offset, outgoing(data));
                    return data.byteSize();
                }
                long bytes = file.store.read(map, offset, data);
                if (converted != null) {
                    convert(data.asSlice(0, bytes), converted);
                }
                return bytes;
            } catch (IOException failed) {
                throw file.failed(failed, writes ? "write at " + offset : "read at " + offset);
            } catch (ArithmeticException tooFar) {
                throw new MPIException(
                        ErrorClass.ARG,
                        "offset %d of %s is too large".formatted(offset, file.path),
                        tooFar);
            }
        }

        private MemorySegment outgoing(MemorySegment data) {
            if (converted == null) {
                return data;
            }
            MemorySegment copy = Payload.allocate(data.byteSize()).copyFrom(data);
            convert(copy, converted);
            return copy;
        }

        private static void convert(MemorySegment data, Datatype type) {
            long number = type.base() == ElementKind.MIXED ? 0 : type.base().bytes();
            External32.convert(data, type.map().elements(), number);
        }

        Status finish(long bytes) {
            if (!writes) {
                payload.arrived(bytes);
            }
            return new Status(MPI.ANY_SOURCE, MPI.ANY_TAG, bytes);
        }

        Operation begin() {
            CompletableFuture<Long> future =
                    CompletableFuture.supplyAsync(this::run, Thread::startVirtualThread);
            return new Operation(
                    future, bytes -> finish((Long) Objects.requireNonNull(bytes)), file.all);
        }
    }

    /** A split collective access that has begun. */
    private record Split(String call, Object buf, Operation operation) {}

    private volatile @Nullable OpenFile opened;
    private @Nullable Split split;

    final void bind(OpenFile to) {
        opened = to;
    }

    final OpenFile opened() {
        OpenFile known = opened;
        if (known == null) {
            throw new MPIException(ErrorClass.FILE, "the file is closed");
        }
        return known;
    }

    final MPIException raise(RuntimeException failed) {
        OpenFile known = opened;
        return Errors.raise(known == null ? MPI.ERRORS_RETURN : known.handler, failed);
    }

    final OpenFile unbind() {
        OpenFile was = opened();
        checkNoSplit();
        opened = null;
        return was;
    }

    /** What an access does with the file: reads or writes, where, and whether with all ranks. */
    record Access(boolean writes, Place place, boolean collective) {}

    static final Access READ_AT = new Access(false, Place.EXPLICIT, false);
    static final Access READ_AT_ALL = new Access(false, Place.EXPLICIT, true);
    static final Access WRITE_AT = new Access(true, Place.EXPLICIT, false);
    static final Access WRITE_AT_ALL = new Access(true, Place.EXPLICIT, true);
    static final Access READ = new Access(false, Place.OWN, false);
    static final Access READ_ALL = new Access(false, Place.OWN, true);
    static final Access WRITE = new Access(true, Place.OWN, false);
    static final Access WRITE_ALL = new Access(true, Place.OWN, true);
    static final Access READ_SHARED = new Access(false, Place.SHARED, false);
    static final Access WRITE_SHARED = new Access(true, Place.SHARED, false);
    static final Access READ_ORDERED = new Access(false, Place.ORDERED, true);
    static final Access WRITE_ORDERED = new Access(true, Place.ORDERED, true);

    private Transfer prepare(
            Access access, long offset, @Nullable Object buf, int count, Datatype type) {
        OpenFile file = opened();
        if (access.collective) {
            checkNoSplit();
        }
        checkAllowed(file, access, offset);
        Payload payload =
                access.writes
                        ? Payload.toSend(buf, 0, count, type)
                        : Payload.toReceive(buf, 0, count, type);
        if (payload.isObjects()) {
            throw new MPIException(
                    ErrorClass.TYPE, "objects cannot be in a file; pack them into bytes first");
        }
        View map = file.map();
        if (payload.size() % map.etypeBytes() != 0) {
            throw new MPIException(
                    ErrorClass.TYPE,
                    "%d bytes of data are no multiple of the view's etype of %d bytes"
                            .formatted(payload.size(), map.etypeBytes()));
        }
        long etypes = payload.size() / map.etypeBytes();
        try {
            long at =
                    switch (access.place) {
                        case EXPLICIT -> offset;
                        case OWN -> file.getAndAdd(etypes);
                        case SHARED -> file.shared.getAndAdd(etypes);
                        case ORDERED -> inOrder(file, etypes);
                    };
            boolean portable = file.view().getDataRep().equals(OpenFile.EXTERNAL32);
            return new Transfer(
                    file, access.writes, payload, map, access.place, at, portable ? type : null);
        } catch (IOException failed) {
            throw file.failed(failed, "move the shared pointer of");
        }
    }

    private static void checkAllowed(OpenFile file, Access access, long offset) {
        if (access.writes && file.has(MPI.MODE_RDONLY)) {
            throw new MPIException(
                    ErrorClass.READ_ONLY, file.path + " was opened with MODE_RDONLY");
        }
        if (!access.writes && file.has(MPI.MODE_WRONLY)) {
            throw new MPIException(ErrorClass.ACCESS, file.path + " was opened with MODE_WRONLY");
        }
        boolean own = access.place == Place.EXPLICIT || access.place == Place.OWN;
        if (own && file.has(MPI.MODE_SEQUENTIAL)) {
            throw sequential(file);
        }
        if (access.place == Place.EXPLICIT && offset < 0) {
            throw new MPIException(
                    ErrorClass.ARG, "%s: offset %d is negative".formatted(file.path, offset));
        }
    }

    static MPIException sequential(OpenFile file) {
        return new MPIException(
                ErrorClass.UNSUPPORTED_OPERATION,
                file.path + " was opened with MODE_SEQUENTIAL; only the shared pointer is allowed");
    }

    /** This rank's part behind those of the ranks before it, from the shared pointer on. */
    private static long inOrder(OpenFile file, long etypes) {
        int size = file.all.size();
        long[] every = new long[size];
        file.all.allgather(
                MemorySegment.ofArray(new long[] {etypes}), MemorySegment.ofArray(every));
        long total = 0;
        long before = 0;
        for (int rank = 0; rank < size; rank++) {
            before += rank < file.all.rank() ? every[rank] : 0;
            total += every[rank];
        }
        long[] start = {0};
        long sum = total;
        file.once("move the shared pointer of", () -> start[0] = file.shared.getAndAdd(sum));
        file.all.bcast(MemorySegment.ofArray(start), 0);
        return start[0] + before;
    }

    /** A blocking access. */
    final Status now(Access access, long offset, Object buf, int count, Datatype type) {
        try {
            Transfer transfer = prepare(access, offset, buf, count, type);
            long bytes = transfer.run();
            long missing = transfer.payload.size() - bytes;
            if (missing > 0 && access.place == Place.OWN) {
                long _ = transfer.file.getAndAdd(-(missing / transfer.map.etypeBytes()));
            }
            return transfer.finish(bytes);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A non-blocking access. */
    final Request later(Access access, long offset, Buffer buf, int count, Datatype type) {
        try {
            OpenFile file = opened();
            @Nullable Buffer direct = CommTransfers.direct(buf);
            Operation begun = prepare(access, offset, direct, count, type).begin();
            return new HandledRequest(() -> file.handler, begun);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Begins a split collective access; each rank has at most one. */
    final void begin(
            String call, Access access, long offset, Object buf, int count, Datatype type) {
        try {
            split = new Split(call, buf, prepare(access, offset, buf, count, type).begin());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Ends the split collective access that has begun with this call and buffer. */
    @SuppressWarnings("ReferenceEquality") // the same buffer, not one of equal contents
    final Status end(String call, Object buf) {
        try {
            OpenFile _ = opened();
            Split begun = split;
            if (begun == null || !begun.call.equals(call)) {
                String known = begun == null ? "none" : begun.call + "Begin";
                throw new MPIException(
                        ErrorClass.OTHER,
                        "%sEnd without %sBegin; %s has begun".formatted(call, call, known));
            }
            if (begun.buf != buf) {
                throw new MPIException(
                        ErrorClass.BUFFER, call + "End needs the buffer of " + call + "Begin");
            }
            split = null;
            return begun.operation.join();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private void checkNoSplit() {
        Split begun = split;
        if (begun != null) {
            throw new MPIException(
                    ErrorClass.OTHER,
                    "%sBegin has begun; call %sEnd first".formatted(begun.call, begun.call));
        }
    }
}
