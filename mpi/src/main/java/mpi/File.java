package mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.madcast.mpi.file.View;

/**
 * A file that the ranks of a communicator read and write together (MPI_File). Errors throw, unless
 * the program gives it another error handler.
 */
public final class File extends FileShared {

    /** Opens a file; a collective call (MPI_File_open). */
    public File(Comm comm, String filename, int amode) throws MPIException {
        this(comm, filename, amode, MPI.INFO_NULL);
    }

    /** As {@link #File(Comm, String, int)}, with hints, of which none has an effect. */
    public File(Comm comm, String filename, int amode, Info info) throws MPIException {
        try {
            Info hints = Info.given(info).copy();
            OpenFile made = OpenFile.open(comm, filename, amode);
            made.info = hints;
            bind(made);
        } catch (RuntimeException failed) {
            throw Errors.raise(MPI.ERRORS_RETURN, failed);
        }
    }

    /** Closes the file; a collective call (MPI_File_close). */
    public void close() throws MPIException {
        try {
            unbind().close();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Deletes a file (MPI_File_delete). */
    public static void delete(String filename) throws MPIException {
        delete(filename, MPI.INFO_NULL);
    }

    /** As {@link #delete(String)}, with hints, of which none has an effect. */
    public static void delete(String filename, Info info) throws MPIException {
        try {
            Path path = OpenFile.path(filename);
            if (Files.isDirectory(path)) {
                throw new MPIException(
                        ErrorClass.BAD_FILE, "delete %s: it is a directory".formatted(path));
            }
            deleteAt(path);
        } catch (RuntimeException failed) {
            throw Errors.raise(MPI.ERRORS_RETURN, failed);
        }
    }

    private static void deleteAt(Path path) {
        try {
            Files.delete(path);
        } catch (IOException failed) {
            throw FileErrors.of(failed, "delete", path);
        }
    }

    /** Makes the file shorter or longer; a collective call (MPI_File_set_size). */
    public void setSize(long size) throws MPIException {
        try {
            OpenFile file = checkSize(size);
            file.once("set the size of", () -> file.store.resize(size));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private OpenFile checkSize(long size) {
        OpenFile file = opened();
        if (size < 0) {
            throw new MPIException(ErrorClass.ARG, file.path + ": size " + size + " is negative");
        }
        if (file.has(MPI.MODE_RDONLY)) {
            throw new MPIException(
                    ErrorClass.READ_ONLY, file.path + " was opened with MODE_RDONLY");
        }
        file.agree("the size", size);
        return file;
    }

    /** Gives the file this much space; a collective call (MPI_File_preallocate). */
    public void preallocate(long size) throws MPIException {
        try {
            OpenFile file = checkSize(size);
            file.once("preallocate", () -> file.store.preallocate(size));
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The file's length in bytes (MPI_File_get_size). */
    public long getSize() throws MPIException {
        try {
            return opened().size();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The ranks that opened the file (MPI_File_get_group). */
    public Group getGroup() throws MPIException {
        try {
            return new Group(opened().group.members());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The mode with which it was opened (MPI_File_get_amode). */
    public int getAMode() throws MPIException {
        try {
            return opened().amode;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sets hints, of which none has an effect (MPI_File_set_info). */
    public void setInfo(Info info) throws MPIException {
        try {
            opened().info = Info.given(info).copy();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** A copy of the hints (MPI_File_get_info). */
    public Info getInfo() throws MPIException {
        try {
            return opened().info.copy();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sets which part of the file a rank sees; a collective call (MPI_File_set_view). */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep)
            throws MPIException {
        setView(disp, etype, filetype, datarep, MPI.INFO_NULL);
    }

    /** As {@link #setView(long, Datatype, Datatype, String)}, with hints. */
    public void setView(long disp, Datatype etype, Datatype filetype, String datarep, Info info)
            throws MPIException {
        try {
            OpenFile file = opened();
            Info _ = Info.given(info);
            if (!OpenFile.REPRESENTATIONS.contains(datarep)) {
                throw new MPIException(
                        ErrorClass.UNSUPPORTED_DATAREP,
                        "the data representation '%s' is none of %s"
                                .formatted(datarep, String.join(", ", OpenFile.REPRESENTATIONS)));
            }
            long begin = beginning(file, disp);
            View map = map(begin, etype, filetype);
            file.agree("the etype", map.etypeBytes());
            file.once("set the view of", file.shared::delete);
            file.reset(0);
            file.setView(new FileView(begin, etype, filetype, datarep), map);
            file.all.barrier();
            if (!info.isNull()) {
                file.info = info.copy();
            }
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    private static long beginning(OpenFile file, long disp) {
        if (disp == MPI.DISPLACEMENT_CURRENT && file.has(MPI.MODE_SEQUENTIAL)) {
            return file.map().byteOffset(file.sharedPointer());
        }
        if (disp < 0) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "displacement %d is negative%s"
                            .formatted(
                                    disp,
                                    disp == MPI.DISPLACEMENT_CURRENT
                                            ? "; DISPLACEMENT_CURRENT needs MODE_SEQUENTIAL"
                                            : ""));
        }
        return disp;
    }

    private static View map(long disp, Datatype etype, Datatype filetype) {
        try {
            return new View(
                    disp,
                    Datatype.given(etype).committedMap().size(),
                    Datatype.given(filetype).committedMap());
        } catch (IllegalArgumentException wrong) {
            throw new MPIException(ErrorClass.TYPE, String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** The part of the file that this rank sees (MPI_File_get_view). */
    public FileView getView() {
        try {
            return opened().view();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** The extent of a type in the file (MPI_File_get_type_extent). */
    public int getTypeExtent(Datatype type) throws MPIException {
        try {
            OpenFile _ = opened();
            return Datatype.given(type).getExtent();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /**
     * With it, overlapping accesses of several ranks exclude each other; a collective call
     * (MPI_File_set_atomicity).
     */
    public void setAtomicity(boolean atomicity) throws MPIException {
        try {
            OpenFile file = opened();
            file.agree("the atomicity", atomicity ? 1 : 0);
            file.store.setAtomic(atomicity);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Whether accesses exclude each other (MPI_File_get_atomicity). */
    public boolean getAtomicity() throws MPIException {
        try {
            return opened().store.isAtomic();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Returns when what was written is on the device; a collective call (MPI_File_sync). */
    public void sync() throws MPIException {
        try {
            opened().sync();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sets what happens after an error (MPI_File_set_errhandler). */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        try {
            opened().handler = java.util.Objects.requireNonNull(errhandler, "errhandler");
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** What happens after an error (MPI_File_get_errhandler). */
    public Errhandler getErrhandler() throws MPIException {
        try {
            return opened().handler;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Does what the error handler does: ends the job, or nothing (MPI_File_call_errhandler). */
    public void callErrhandler(int errorCode) throws MPIException {
        try {
            if (opened().handler.isFatal()) {
                throw new MPIException(ErrorClass.of(errorCode), "the program reports the error");
            }
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }
}
