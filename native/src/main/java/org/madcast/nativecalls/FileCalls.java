package org.madcast.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * System calls for files, on 64-bit Linux. Each returns what the C library returns, without the
 * error number. Any thread.
 */
public record FileCalls(
        OpenAt openat,
        Write write,
        Mode fchmod,
        Times futimens,
        Descriptor syncfs,
        Descriptor close,
        Rename renameat,
        Unlink unlinkat) {

    private static final int AT_FDCWD = -100;
    private static final int O_CLOEXEC = 02000000;

    private static final Loaded<FileCalls> LOADED =
            Loaded.of(
                    NativeLibrary.linux(),
                    c ->
                            new FileCalls(
                                    c.bind(
                                            OpenAt.class,
                                            "openat",
                                            Linker.Option.firstVariadicArg(3)),
                                    c.bind(Write.class, "write"),
                                    c.bind(Mode.class, "fchmod"),
                                    c.bind(Times.class, "futimens"),
                                    c.bind(Descriptor.class, "syncfs"),
                                    c.bind(Descriptor.class, "close"),
                                    c.bind(Rename.class, "renameat"),
                                    c.bind(Unlink.class, "unlinkat")));

    /** The calls, where this system and the options of this JVM allow them. */
    public static Loaded<FileCalls> load() {
        return LOADED;
    }

    /**
     * Writes everything of the file system that holds this directory to its disk, {@code
     * syncfs(2)}: one call instead of one {@code fsync} for each of thousands of small files.
     *
     * @return false if that failed or cannot be done here
     */
    public static boolean syncFileSystem(Path directory) {
        return LOADED.functions().filter(calls -> calls.sync(directory)).isPresent();
    }

    private boolean sync(Path directory) {
        try (Arena arena = Arena.ofConfined()) {
            int fd = open(arena.allocateFrom(directory.toString()));
            if (fd < 0) {
                return false;
            }
            try {
                return syncfs.call(fd) == 0;
            } finally {
                int _ = close.call(fd);
            }
        }
    }

    /**
     * Opens a file or a directory for reading.
     *
     * @param path ends with a zero byte
     * @return a descriptor; negative if it cannot be opened
     */
    public int open(MemorySegment path) {
        return openat.call(AT_FDCWD, path, O_CLOEXEC, 0);
    }

    /** {@code int openat(fd, path, flags, mode)}. */
    public interface OpenAt {
        /** Calls. */
        int call(int directory, MemorySegment path, int flags, int mode);
    }

    /** {@code ssize_t write(fd, bytes, count)}. */
    public interface Write {
        /** Calls. */
        long call(int fd, MemorySegment bytes, long length);
    }

    /** {@code int fchmod(fd, mode)}. */
    public interface Mode {
        /** Calls. */
        int call(int fd, int mode);
    }

    /** {@code int futimens(fd, timespec[2])}. */
    public interface Times {
        /** Calls. */
        int call(int fd, MemorySegment times);
    }

    /** {@code int f(fd)}. */
    public interface Descriptor {
        /** Calls. */
        int call(int fd);
    }

    /** {@code int renameat(fd, path, fd, path)}. */
    public interface Rename {
        /** Calls. */
        int call(int from, MemorySegment path, int to, MemorySegment newPath);
    }

    /** {@code int unlinkat(fd, path, flags)}. */
    public interface Unlink {
        /** Calls. */
        int call(int directory, MemorySegment path, int flags);
    }
}
