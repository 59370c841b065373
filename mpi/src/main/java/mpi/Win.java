package mpi;

import java.nio.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Memory of each rank that the others read and write without its help (MPI_Win). Sizes and units of
 * displacement count the elements of the window's buffer. Displacements in a window to which memory
 * is attached begin at 0 for what is attached first; each other buffer follows on the next multiple
 * of 8 bytes.
 */
public final class Win extends WinAccess {

    /** No window. */
    public static final int WIN_NULL = 0;

    /** Memory of one process. */
    public static final int FLAVOR_PRIVATE = 0;

    /** Memory that processes of one host may share. */
    public static final int FLAVOR_SHARED = 1;

    /**
     * A window in a program's buffer; a collective call (MPI_Win_create).
     *
     * @param size the window's length in elements of the buffer
     * @param dispUnit how many elements a displacement of 1 means
     */
    public Win(@Nullable Buffer base, int size, int dispUnit, Info info, Comm comm)
            throws MPIException {
        try {
            bind(WinState.open(comm, info, () -> WinState.Part.of(base, size, dispUnit)));
        } catch (RuntimeException failed) {
            throw CommHandle.raiseOf(comm, failed);
        }
    }

    /** An error here reaches the other ranks, which would wait for this one otherwise. */
    private static Buffer allocated(int size) {
        try {
            return MPI.newByteBuffer(size);
        } catch (OutOfMemoryError none) {
            throw new MPIException(
                    ErrorClass.NO_MEM,
                    "there are no %d bytes for the window; -XX:MaxDirectMemorySize sets how many"
                            .formatted(size),
                    none);
        }
    }

    /**
     * As {@link #Win(Buffer, int, int, Info, Comm)}; without a buffer the library makes one, which
     * {@code getAttr(MPI.WIN_BASE)} returns (MPI_Win_allocate, MPI_Win_allocate_shared).
     *
     * @param flavor FLAVOR_PRIVATE or FLAVOR_SHARED
     */
    public Win(int size, int dispUnit, Info info, Comm comm, @Nullable Buffer base, int flavor)
            throws MPIException {
        try {
            bind(
                    WinState.open(
                            comm,
                            info,
                            () -> {
                                if (flavor != FLAVOR_PRIVATE && flavor != FLAVOR_SHARED) {
                                    throw new MPIException(
                                            ErrorClass.ARG,
                                            "flavor %d is neither FLAVOR_PRIVATE nor FLAVOR_SHARED"
                                                    .formatted(flavor));
                                }
                                Buffer memory = base == null && size >= 0 ? allocated(size) : base;
                                return WinState.Part.of(memory, size, dispUnit);
                            }));
        } catch (RuntimeException failed) {
            throw CommHandle.raiseOf(comm, failed);
        }
    }

    /** A window to which memory is attached; a collective call (MPI_Win_create_dynamic). */
    public Win(Info info, Comm comm) throws MPIException {
        try {
            bind(WinState.open(comm, info, () -> new WinState.Part(null, WinState.DYNAMIC, 1)));
        } catch (RuntimeException failed) {
            throw CommHandle.raiseOf(comm, failed);
        }
    }

    private static WinState checkDynamic(WinState state) {
        if (!state.isDynamic()) {
            throw new MPIException(
                    ErrorClass.WIN, "attach and detach need a window made by Win(info, comm)");
        }
        return state;
    }

    /** Attaches elements of a buffer (MPI_Win_attach). */
    public void attach(Buffer base, int size) throws MPIException {
        run(it -> {
            WinState.Part part = WinState.Part.of(base, size, 1);
            checkDynamic(it).memory.attach(part.memory());
        });
    }

    /** Takes a buffer away (MPI_Win_detach). */
    public void detach(Buffer base) throws MPIException {
        run(it -> {
            if (!checkDynamic(it).memory.detach(WinState.memory(base, 0))) {
                throw new MPIException(ErrorClass.BASE, "the buffer is not attached");
            }
        });
    }

    /** The window's ranks (MPI_Win_get_group). */
    public Group getGroup() throws MPIException {
        try {
            return new Group(state().group.members());
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sets what happens after an error (MPI_Win_set_errhandler). */
    public void setErrhandler(Errhandler errhandler) throws MPIException {
        run(it -> it.handler = java.util.Objects.requireNonNull(errhandler, "errhandler"));
    }

    /** What happens after an error (MPI_Win_get_errhandler). */
    public Errhandler getErrhandler() throws MPIException {
        try {
            return state().handler;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Does what the error handler does: ends the job, or nothing (MPI_Win_call_errhandler). */
    public void callErrhandler(int errorCode) throws MPIException {
        run(it -> {
            if (it.handler.isFatal()) {
                throw new MPIException(ErrorClass.of(errorCode), "the program reports the error");
            }
        });
    }

    /** A key for attributes of windows (MPI_Win_create_keyval). */
    public static int createKeyval() throws MPIException {
        return Attributes.createKey(Attributes.Holder.WINDOW);
    }

    /** Gives a key back (MPI_Win_free_keyval). */
    public static void freeKeyval(int keyval) throws MPIException {
        try {
            CommState.checkNotPredefined(keyval);
            Attributes.freeKey(Attributes.Holder.WINDOW, keyval);
        } catch (RuntimeException failed) {
            throw Errors.raise(failed);
        }
    }

    /** Sets an attribute (MPI_Win_set_attr). */
    public void setAttr(int keyval, Object value) throws MPIException {
        run(it -> {
            CommState.checkNotPredefined(keyval);
            it.attributes.set(keyval, value);
        });
    }

    /** An attribute, null when it was not set; WIN_SIZE and WIN_DISP_UNIT are in bytes. */
    public @Nullable Object getAttr(int keyval) throws MPIException {
        try {
            return state().attribute(keyval);
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Removes an attribute (MPI_Win_delete_attr). */
    public void deleteAttr(int keyval) throws MPIException {
        run(it -> {
            CommState.checkNotPredefined(keyval);
            it.attributes.delete(keyval);
        });
    }

    /** Gives the window back; a collective call (MPI_Win_free). */
    @Override
    public void free() throws MPIException {
        run(it -> {
            it.close();
            unbind(it);
        });
    }

    /** A copy of the hints (MPI_Win_get_info). */
    public Info getInfo() throws MPIException {
        try {
            return state().info.copy();
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Sets hints, of which none has an effect (MPI_Win_set_info). */
    public void setInfo(Info info) throws MPIException {
        run(it -> it.info = Info.given(info).copy());
    }

    /** Its name, empty for none (MPI_Win_get_name). */
    public String getName() throws MPIException {
        try {
            return state().name;
        } catch (RuntimeException failed) {
            throw raise(failed);
        }
    }

    /** Names it (MPI_Win_set_name). */
    public void setName(String name) throws MPIException {
        run(it -> it.name = name.substring(0, Math.min(name.length(), MPI.MAX_OBJECT_NAME - 1)));
    }
}
