package org.madcast.nativecalls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/** System calls that change this process or its calling thread. Any thread. */
public final class ProcessCalls {

    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EINVAL = 22;

    private static final class End {
        private static final Loaded<Exit> EXIT =
                Loaded.of(NativeLibrary.system(), c -> c.bind(Exit.class, "_exit"));
    }

    private static final class Namespace {
        private static final Loaded<Namespace> LOADED =
                Loaded.of(NativeLibrary.linux(), Namespace::new);
        private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO =
                STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

        private final Open open;
        private final Pair setns;
        private final Descriptor close;

        Namespace(NativeLibrary c) {
            open = c.bindWithErrno(Open.class, "open", Linker.Option.firstVariadicArg(2));
            setns = c.bindWithErrno(Pair.class, "setns");
            close = c.bindWithErrno(Descriptor.class, "close");
        }

        void enter(Path file) throws IOException {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(STATE);
                MemorySegment path = arena.allocateFrom(file.toString());
                int fd = open.call(state, path, O_RDONLY_CLOEXEC);
                check("open", file, state, fd);
                try {
                    check("setns", file, state, setns.call(state, fd, CLONE_NEWNET));
                } finally {
                    int _ = close.call(state, fd);
                }
            }
        }

        private static void check(String call, Path file, MemorySegment state, int result)
                throws IOException {
            if (result >= 0) {
                return;
            }
            int errno = (int) ERRNO.get(state, 0L);
            String meaning =
                    switch (errno) {
                        case EPERM -> " (not permitted: needs root)";
                        case ENOENT -> " (no such namespace)";
                        case EINVAL -> " (not a network namespace)";
                        default -> "";
                    };
            throw new IOException(call + " " + file + ": errno " + errno + meaning);
        }
    }

    private ProcessCalls() {}

    /**
     * Moves the calling platform thread into a network namespace of Linux.
     *
     * @param file the file that keeps the namespace
     * @throws IOException if the system refuses
     * @throws UnsupportedOperationException if the calls cannot be made here
     */
    public static void enterNetworkNamespace(Path file) throws IOException {
        Namespace.LOADED.get().enter(file);
    }

    /** Binds {@link #exit} beforehand, which takes some milliseconds. */
    public static void prepareExit() {
        Loaded<Exit> _ = End.EXIT;
    }

    /**
     * Ends this process at once, {@code _exit(2)}: shutdown hooks do not run. Returns only where
     * the call cannot be made.
     */
    public static void exit(int code) {
        End.EXIT.functions().ifPresent(exit -> exit.call(code));
    }

    /** {@code void f(int)}. */
    public interface Exit {
        /** Calls. */
        void call(int code);
    }

    /** {@code int open(path, flags)}. */
    public interface Open {
        /** Calls. */
        int call(MemorySegment state, MemorySegment path, int flags);
    }

    /** {@code int f(fd, int)}. */
    public interface Pair {
        /** Calls. */
        int call(MemorySegment state, int fd, int second);
    }

    /** {@code int f(fd)}. */
    public interface Descriptor {
        /** Calls. */
        int call(MemorySegment state, int fd);
    }
}
