package mpi;

import java.nio.Buffer;

/** Accesses at the pointer that all ranks share. */
abstract class FileShared extends FileAccess {

    /** Reads at the shared pointer (MPI_File_read_shared). */
    public Status readShared(Object buf, int count, Datatype type) throws MPIException {
        return now(READ_SHARED, 0, buf, count, type);
    }

    /** Writes at the shared pointer (MPI_File_write_shared). */
    public Status writeShared(Object buf, int count, Datatype type) throws MPIException {
        return now(WRITE_SHARED, 0, buf, count, type);
    }

    /** Begins {@link #readShared} (MPI_File_iread_shared). */
    public Request iReadShared(Buffer buf, int count, Datatype type) throws MPIException {
        return later(READ_SHARED, 0, buf, count, type);
    }

    /** Begins {@link #writeShared} (MPI_File_iwrite_shared). */
    public Request iWriteShared(Buffer buf, int count, Datatype type) throws MPIException {
        return later(WRITE_SHARED, 0, buf, count, type);
    }

    /** As {@link #readShared}, on all ranks in their order (MPI_File_read_ordered). */
    public Status readOrdered(Object buf, int count, Datatype type) throws MPIException {
        return now(READ_ORDERED, 0, buf, count, type);
    }

    /** As {@link #writeShared}, on all ranks in their order (MPI_File_write_ordered). */
    public Status writeOrdered(Object buf, int count, Datatype type) throws MPIException {
        return now(WRITE_ORDERED, 0, buf, count, type);
    }

    /** Begins {@link #readOrdered} (MPI_File_read_ordered_begin). */
    public void readOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("readOrdered", READ_ORDERED, 0, buf, count, type);
    }

    /**
     * Ends what {@link #readOrderedBegin} began, with the same buffer (MPI_File_read_ordered_end).
     */
    public Status readOrderedEnd(Object buf) throws MPIException {
        return end("readOrdered", buf);
    }

    /** Begins {@link #writeOrdered} (MPI_File_write_ordered_begin). */
    public void writeOrderedBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("writeOrdered", WRITE_ORDERED, 0, buf, count, type);
    }

    /**
     * Ends what {@link #writeOrderedBegin} began, with the same buffer
     * (MPI_File_write_ordered_end).
     */
    public Status writeOrderedEnd(Object buf) throws MPIException {
        return end("writeOrdered", buf);
    }

    /** Moves the shared pointer; all ranks call it alike (MPI_File_seek_shared). */
    public void seekShared(long offset, int whence) throws MPIException {
        try {
            opened().seekShared(offset, whence);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Where the shared pointer is, in etypes of the view (MPI_File_get_position_shared). */
    public long getPositionShared() throws MPIException {
        try {
            return opened().sharedPointer();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}
