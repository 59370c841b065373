package mpi;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.madcast.client.Communicator;
import org.madcast.mpi.file.FileStore;
import org.madcast.mpi.file.SharedPointer;
import org.madcast.mpi.file.View;

/** What stands behind a file until it is closed. */
final class OpenFile {

    private static final int ACCESS_MODES = MPI.MODE_RDONLY | MPI.MODE_WRONLY | MPI.MODE_RDWR;

    private static final int ALL_MODES =
            ACCESS_MODES
                    | MPI.MODE_CREATE
                    | MPI.MODE_DELETE_ON_CLOSE
                    | MPI.MODE_UNIQUE_OPEN
                    | MPI.MODE_EXCL
                    | MPI.MODE_APPEND
                    | MPI.MODE_SEQUENTIAL;

    /** Numbers with their first byte first, on every machine. */
    static final String EXTERNAL32 = "external32";

    /** How data can be represented in a file. */
    static final List<String> REPRESENTATIONS = List.of("native", "internal", EXTERNAL32);

    private static final FileView BYTES = new FileView(0, MPI.BYTE, MPI.BYTE, "native");

    final Communicator all;
    final Group group;
    final Path path;
    final int amode;
    final FileStore store;
    final SharedPointer shared;
    volatile Errhandler handler = MPI.ERRORS_RETURN;
    volatile Info info = new Info();

    private FileView view = BYTES;
    private View map = View.BYTES;
    private long pointer;

    private OpenFile(Communicator all, Group group, Path path, int amode, FileStore store, long id)
            throws IOException {
        this.all = all;
        this.group = group;
        this.path = path;
        this.amode = amode;
        this.store = store;
        this.pointer = has(MPI.MODE_APPEND) ? store.size() : 0;
        this.shared = new SharedPointer(path, id, all.size() == 1, pointer);
    }

    private static void checkMode(int amode) {
        int access = Integer.bitCount(amode & ACCESS_MODES);
        boolean readOnly = (amode & MPI.MODE_RDONLY) != 0;
        String wrong = null;
        if ((amode & ~ALL_MODES) != 0) {
            wrong = "has bits that are no mode";
        } else if (access != 1) {
            wrong = "has " + access + " of MODE_RDONLY, MODE_WRONLY and MODE_RDWR; one is needed";
        } else if (readOnly && (amode & (MPI.MODE_CREATE | MPI.MODE_EXCL)) != 0) {
            wrong = "has MODE_CREATE or MODE_EXCL with MODE_RDONLY";
        } else if ((amode & MPI.MODE_RDWR) != 0 && (amode & MPI.MODE_SEQUENTIAL) != 0) {
            wrong = "has MODE_SEQUENTIAL with MODE_RDWR";
        }
        if (wrong != null) {
            throw new MPIException(ErrorClass.AMODE, "the mode %#x %s".formatted(amode, wrong));
        }
    }

    /** The path of a name; a prefix such as {@code ufs:} names a file system in other libraries. */
    static Path path(String filename) {
        try {
            Path path = Path.of(filename.replaceFirst("^[a-z]{2,}:", ""));
            if (path.getFileName() == null || path.toString().isEmpty()) {
                throw new MPIException(
                        ErrorClass.BAD_FILE, "'" + filename + "' is no name of a file");
            }
            return path.toAbsolutePath();
        } catch (InvalidPathException wrong) {
            throw new MPIException(
                    ErrorClass.BAD_FILE, "'" + filename + "' is no name of a file", wrong);
        }
    }

    /** Opens a file on all ranks, or on none: rank 0 first, which makes it. */
    static OpenFile open(Comm comm, String filename, int amode) {
        if (CommHandle.of(comm).isInter()) {
            throw new MPIException(ErrorClass.COMM, "a file needs an intracommunicator");
        }
        Group group = comm.getGroup();
        Communicator all = comm.communicator().dup();
        OpenFile made = null;
        MPIException wrong = null;
        if (all.rank() == 0) {
            long id = ThreadLocalRandom.current().nextLong();
            try {
                made = openHere(all, group, filename, amode, id);
            } catch (RuntimeException failed) {
                wrong = Errors.of(failed);
            }
            share(all, new long[] {codeOf(wrong), id, amode});
        } else {
            long[] first = share(all, new long[3]);
            try {
                if (first[2] != amode) {
                    throw notSame("the mode");
                }
                if (first[0] == MPI.SUCCESS) {
                    made = openHere(all, group, filename, amode, first[1]);
                }
            } catch (RuntimeException failed) {
                wrong = Errors.of(failed);
            }
        }
        return onAllRanks(all, made, wrong, filename);
    }

    private static OpenFile onAllRanks(
            Communicator all, @Nullable OpenFile made, @Nullable MPIException wrong, String file) {
        long[] codes = new long[all.size()];
        all.allgather(
                MemorySegment.ofArray(new long[] {codeOf(wrong)}), MemorySegment.ofArray(codes));
        for (int rank = 0; rank < codes.length; rank++) {
            if (codes[rank] != MPI.SUCCESS && wrong == null) {
                wrong =
                        new MPIException(
                                ErrorClass.of((int) codes[rank]),
                                "rank %d could not open %s".formatted(rank, file));
            }
        }
        if (wrong == null && made != null) {
            return made;
        }
        if (made != null) {
            made.closeHere();
        }
        all.close();
        throw wrong == null ? new MPIException(ErrorClass.OTHER, "cannot open " + file) : wrong;
    }

    private static int codeOf(@Nullable MPIException wrong) {
        return wrong == null ? MPI.SUCCESS : wrong.getErrorClass();
    }

    private static long[] share(Communicator all, long[] numbers) {
        all.bcast(MemorySegment.ofArray(numbers), 0);
        return numbers;
    }

    private static OpenFile openHere(
            Communicator all, Group group, String filename, int amode, long id) {
        checkMode(amode);
        Path path = path(filename);
        EnumSet<java.nio.file.StandardOpenOption> options =
                EnumSet.noneOf(java.nio.file.StandardOpenOption.class);
        if ((amode & MPI.MODE_WRONLY) == 0) {
            options.add(READ);
        }
        if ((amode & MPI.MODE_RDONLY) == 0) {
            options.add(WRITE);
        }
        if ((amode & MPI.MODE_CREATE) != 0 && all.rank() == 0) {
            options.add((amode & MPI.MODE_EXCL) != 0 ? CREATE_NEW : CREATE);
        }
        try {
            Set<? extends OpenOption> how = options;
            return new OpenFile(all, group, path, amode, FileStore.open(path, how), id);
        } catch (IOException failed) {
            throw FileErrors.of(failed, "open", path);
        }
    }

    boolean has(int mode) {
        return (amode & mode) != 0;
    }

    MPIException failed(IOException failed, String doing) {
        return FileErrors.of(failed, doing, path);
    }

    static MPIException notSame(String what) {
        return new MPIException(ErrorClass.NOT_SAME, what + " is not the same on all ranks");
    }

    /** Waits for all ranks and checks that they call with the same numbers. */
    void agree(String what, long... numbers) {
        long[] every = new long[numbers.length * all.size()];
        all.allgather(MemorySegment.ofArray(numbers), MemorySegment.ofArray(every));
        for (int at = 0; at < every.length; at += numbers.length) {
            if (!Arrays.equals(numbers, Arrays.copyOfRange(every, at, at + numbers.length))) {
                throw notSame(what);
            }
        }
    }

    /** What rank 0 does for all of them. */
    interface Step {
        void run() throws IOException;
    }

    /** Rank 0 does it; the others wait, and throw too when it fails. */
    void once(String doing, Step step) {
        MPIException wrong = null;
        if (all.rank() == 0) {
            try {
                step.run();
            } catch (IOException failed) {
                wrong = failed(failed, doing);
            }
        }
        long code = share(all, new long[] {codeOf(wrong)})[0];
        if (code != MPI.SUCCESS) {
            throw wrong != null
                    ? wrong
                    : new MPIException(
                            ErrorClass.of((int) code),
                            "%s %s: rank 0 failed".formatted(doing, path));
        }
    }

    synchronized FileView view() {
        return view;
    }

    synchronized View map() {
        return map;
    }

    synchronized void setView(FileView given, View described) {
        view = given;
        map = described;
        pointer = 0;
    }

    /** Moves the rank's own pointer and returns where it was. */
    synchronized long getAndAdd(long etypes) {
        long was = pointer;
        pointer += etypes;
        return was;
    }

    synchronized long pointer() {
        return pointer;
    }

    synchronized void setPointer(long offset) {
        pointer = offset;
    }

    void seek(long offset, int whence) {
        setPointer(target(offset, whence, pointer()));
    }

    long sharedPointer() {
        try {
            return shared.getAndAdd(0);
        } catch (IOException failed) {
            throw failed(failed, "read the shared pointer of");
        }
    }

    /** A collective call. */
    void seekShared(long offset, int whence) {
        agree("the offset or whence", offset, whence);
        long to = target(offset, whence, sharedPointer());
        all.barrier();
        once("seek in", shared::delete);
        reset(to);
        all.barrier();
    }

    /** Every rank calls it after one has deleted the shared pointer. */
    void reset(long to) {
        try {
            shared.reset(to);
        } catch (IOException failed) {
            throw failed(failed, "set the shared pointer of");
        }
    }

    long size() {
        try {
            return store.size();
        } catch (IOException failed) {
            throw failed(failed, "get the size of");
        }
    }

    /** A collective call. */
    void sync() {
        try {
            store.sync();
        } catch (IOException failed) {
            throw failed(failed, "sync");
        } finally {
            all.barrier();
        }
    }

    /** The offset that a seek means. */
    private long target(long offset, int whence, long current) {
        long base =
                switch (whence) {
                    case MPI.SEEK_SET -> 0;
                    case MPI.SEEK_CUR -> current;
                    case MPI.SEEK_END -> map().offsetAt(size());
                    default ->
                            throw new MPIException(
                                    ErrorClass.ARG,
                                    "whence %d is not SEEK_SET, SEEK_CUR or SEEK_END"
                                            .formatted(whence));
                };
        if (base + offset < 0) {
            throw new MPIException(
                    ErrorClass.ARG,
                    "seek in %s: offset %d leads to %d, before the view's beginning"
                            .formatted(path, offset, base + offset));
        }
        return base + offset;
    }

    private void closeHere() {
        try (store;
                shared) {
            return;
        } catch (IOException failed) {
            throw failed(failed, "close");
        }
    }

    /** A collective call. */
    void close() {
        closeHere();
        all.barrier();
        try {
            once(
                    "close",
                    () -> {
                        shared.delete();
                        if (has(MPI.MODE_DELETE_ON_CLOSE)) {
                            boolean _ = Files.deleteIfExists(path);
                        }
                    });
        } finally {
            all.close();
        }
    }
}
