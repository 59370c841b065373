package mpi;

import java.nio.Buffer;

/** Accesses at an offset, and at a rank's own pointer. */
abstract class FileAccess extends FileHandle {

    /** Reads from an offset on (MPI_File_read_at). */
    public Status readAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return now(READ_AT, offset, buf, count, type);
    }

    /** As {@link #readAt}, on all ranks (MPI_File_read_at_all). */
    public Status readAtAll(long offset, Object buf, int count, Datatype type) throws MPIException {
        return now(READ_AT_ALL, offset, buf, count, type);
    }

    /** Writes from an offset on (MPI_File_write_at). */
    public Status writeAt(long offset, Object buf, int count, Datatype type) throws MPIException {
        return now(WRITE_AT, offset, buf, count, type);
    }

    /** As {@link #writeAt}, on all ranks (MPI_File_write_at_all). */
    public Status writeAtAll(long offset, Object buf, int count, Datatype type)
            throws MPIException {
        return now(WRITE_AT_ALL, offset, buf, count, type);
    }

    /** Begins {@link #readAt} (MPI_File_iread_at). */
    public Request iReadAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return later(READ_AT, offset, buf, count, type);
    }

    /** Begins {@link #readAtAll} (MPI_File_iread_at_all). */
    public Request iReadAtAll(long offset, Buffer buf, int count, Datatype type)
            throws MPIException {
        return later(READ_AT_ALL, offset, buf, count, type);
    }

    /** Begins {@link #writeAt} (MPI_File_iwrite_at). */
    public Request iWriteAt(long offset, Buffer buf, int count, Datatype type) throws MPIException {
        return later(WRITE_AT, offset, buf, count, type);
    }

    /** Begins {@link #writeAtAll} (MPI_File_iwrite_at_all). */
    public Request iWriteAtAll(long offset, Buffer buf, int count, Datatype type)
            throws MPIException {
        return later(WRITE_AT_ALL, offset, buf, count, type);
    }

    /** Begins {@link #readAtAll} (MPI_File_read_at_all_begin). */
    public void readAtAllBegin(long offset, Object buf, int count, Datatype type)
            throws MPIException {
        begin("readAtAll", READ_AT_ALL, offset, buf, count, type);
    }

    /** Ends what {@link #readAtAllBegin} began, with the same buffer (MPI_File_read_at_all_end). */
    public Status readAtAllEnd(Object buf) throws MPIException {
        return end("readAtAll", buf);
    }

    /** Begins {@link #writeAtAll} (MPI_File_write_at_all_begin). */
    public void writeAtAllBegin(long offset, Object buf, int count, Datatype type)
            throws MPIException {
        begin("writeAtAll", WRITE_AT_ALL, offset, buf, count, type);
    }

    /**
     * Ends what {@link #writeAtAllBegin} began, with the same buffer (MPI_File_write_at_all_end).
     */
    public Status writeAtAllEnd(Object buf) throws MPIException {
        return end("writeAtAll", buf);
    }

    /** Reads at the rank's own pointer (MPI_File_read). */
    public Status read(Object buf, int count, Datatype type) throws MPIException {
        return now(READ, 0, buf, count, type);
    }

    /** As {@link #read}, on all ranks (MPI_File_read_all). */
    public Status readAll(Object buf, int count, Datatype type) throws MPIException {
        return now(READ_ALL, 0, buf, count, type);
    }

    /** Writes at the rank's own pointer (MPI_File_write). */
    public Status write(Object buf, int count, Datatype type) throws MPIException {
        return now(WRITE, 0, buf, count, type);
    }

    /** As {@link #write}, on all ranks (MPI_File_write_all). */
    public Status writeAll(Object buf, int count, Datatype type) throws MPIException {
        return now(WRITE_ALL, 0, buf, count, type);
    }

    /** Begins {@link #read} (MPI_File_iread). */
    public Request iRead(Buffer buf, int count, Datatype type) throws MPIException {
        return later(READ, 0, buf, count, type);
    }

    /** Begins {@link #readAll} (MPI_File_iread_all). */
    public Request iReadAll(Buffer buf, int count, Datatype type) throws MPIException {
        return later(READ_ALL, 0, buf, count, type);
    }

    /** Begins {@link #write} (MPI_File_iwrite). */
    public Request iWrite(Buffer buf, int count, Datatype type) throws MPIException {
        return later(WRITE, 0, buf, count, type);
    }

    /** Begins {@link #writeAll} (MPI_File_iwrite_all). */
    public Request iWriteAll(Buffer buf, int count, Datatype type) throws MPIException {
        return later(WRITE_ALL, 0, buf, count, type);
    }

    /** Begins {@link #readAll} (MPI_File_read_all_begin). */
    public void readAllBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("readAll", READ_ALL, 0, buf, count, type);
    }

    /** Ends what {@link #readAllBegin} began, with the same buffer (MPI_File_read_all_end). */
    public Status readAllEnd(Object buf) throws MPIException {
        return end("readAll", buf);
    }

    /** Begins {@link #writeAll} (MPI_File_write_all_begin). */
    public void writeAllBegin(Object buf, int count, Datatype type) throws MPIException {
        begin("writeAll", WRITE_ALL, 0, buf, count, type);
    }

    /** Ends what {@link #writeAllBegin} began, with the same buffer (MPI_File_write_all_end). */
    public Status writeAllEnd(Object buf) throws MPIException {
        return end("writeAll", buf);
    }

    /** Moves the rank's own pointer (MPI_File_seek). */
    public void seek(long offset, int whence) throws MPIException {
        try {
            OpenFile file = opened();
            if (file.has(MPI.MODE_SEQUENTIAL)) {
                throw sequential(file);
            }
            file.seek(offset, whence);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Where the rank's own pointer is, in etypes of the view (MPI_File_get_position). */
    public long getPosition() throws MPIException {
        try {
            OpenFile file = opened();
            if (file.has(MPI.MODE_SEQUENTIAL)) {
                throw sequential(file);
            }
            return file.pointer();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Where an offset of the view is in the file, in bytes (MPI_File_get_byte_offset). */
    public long getByteOffset(long offset) throws MPIException {
        try {
            if (offset < 0) {
                throw new MPIException(ErrorClass.ARG, "offset " + offset + " is negative");
            }
            return opened().map().byteOffset(offset);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}
