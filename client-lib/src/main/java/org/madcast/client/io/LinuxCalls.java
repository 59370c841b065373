package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;

/**
 * The system calls of the native transport, on 64-bit Linux. Every call returns what the C library
 * returns, or the negated error number; no method but {@link #check} throws for an error of the
 * call. Not thread-safe: each transport has its own instance, since the error number needs a place.
 */
final class LinuxCalls {

    static final int EAGAIN = 11;
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EINVAL = 22;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET =
            call("socket", FunctionDescriptor.of(INT, INT, INT, INT));
    private static final MethodHandle BIND =
            call("bind", FunctionDescriptor.of(INT, INT, POINTER, INT));
    private static final MethodHandle GETSOCKNAME =
            call("getsockname", FunctionDescriptor.of(INT, INT, POINTER, POINTER));
    private static final MethodHandle SETSOCKOPT =
            call("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT));
    private static final MethodHandle GETSOCKOPT =
            call("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, POINTER));
    private static final MethodHandle RECVMSG =
            call("recvmsg", FunctionDescriptor.of(LONG, INT, POINTER, INT));
    private static final MethodHandle SENDMSG =
            call("sendmsg", FunctionDescriptor.of(LONG, INT, POINTER, INT));
    private static final MethodHandle PPOLL =
            call("ppoll", FunctionDescriptor.of(INT, POINTER, LONG, POINTER, POINTER));
    private static final MethodHandle EVENTFD =
            call("eventfd", FunctionDescriptor.of(INT, INT, INT));
    private static final MethodHandle READ =
            call("read", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
    private static final MethodHandle WRITE =
            call("write", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(INT, INT));

    private final MemorySegment state;

    LinuxCalls(Arena arena) {
        state = arena.allocate(STATE);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle call(String name, FunctionDescriptor descriptor) {
        MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
        return LINKER.downcallHandle(symbol, descriptor, Linker.Option.captureCallState("errno"));
    }

    /** Whether this system has the calls with the layouts that are used here. */
    static boolean supported() {
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return system.equals("Linux") && (processor.equals("amd64") || processor.equals("aarch64"));
    }

    /** Throws an exception that names the call when the result is a negated error number. */
    static int check(String what, long result) throws IOException {
        if (result < 0) {
            throw new IOException(what + " failed: error " + -result + " of the system");
        }
        return (int) result;
    }

    int socket(int domain, int type) {
        try {
            return (int) result((int) SOCKET.invokeExact(state, domain, type, 0));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    int bind(int fd, MemorySegment address) {
        try {
            return (int)
                    result((int) BIND.invokeExact(state, fd, address, (int) address.byteSize()));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    int getsockname(int fd, MemorySegment address, MemorySegment length) {
        try {
            return (int) result((int) GETSOCKNAME.invokeExact(state, fd, address, length));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    int setsockopt(int fd, int level, int option, MemorySegment value) {
        try {
            return (int)
                    result(
                            (int)
                                    SETSOCKOPT.invokeExact(
                                            state,
                                            fd,
                                            level,
                                            option,
                                            value,
                                            (int) value.byteSize()));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    int getsockopt(int fd, int level, int option, MemorySegment value, MemorySegment length) {
        try {
            return (int)
                    result((int) GETSOCKOPT.invokeExact(state, fd, level, option, value, length));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    long recvmsg(int fd, MemorySegment header, int flags) {
        try {
            return result((long) RECVMSG.invokeExact(state, fd, header, flags));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    long sendmsg(int fd, MemorySegment header, int flags) {
        try {
            return result((long) SENDMSG.invokeExact(state, fd, header, flags));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    int ppoll(MemorySegment polls, long count, MemorySegment timeout) {
        try {
            return (int)
                    result(
                            (int)
                                    PPOLL.invokeExact(
                                            state, polls, count, timeout, MemorySegment.NULL));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    int eventfd(int flags) {
        try {
            return (int) result((int) EVENTFD.invokeExact(state, 0, flags));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    long read(int fd, MemorySegment into) {
        try {
            return result((long) READ.invokeExact(state, fd, into, into.byteSize()));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    long write(int fd, MemorySegment from) {
        try {
            return result((long) WRITE.invokeExact(state, fd, from, from.byteSize()));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    int close(int fd) {
        try {
            return (int) result((int) CLOSE.invokeExact(state, fd));
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    private long result(long returned) {
        return returned >= 0 ? returned : -(long) (int) ERRNO.get(state, 0L);
    }

    /** A downcall throws nothing that its signature does not allow, short of the machine's end. */
    private static AssertionError unexpected(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return new AssertionError("a system call threw", thrown);
    }
}
