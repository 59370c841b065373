package org.madcast.client.io;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.VarHandle;

/**
 * The system calls of the native transport, on 64-bit Linux. Every call returns what the C library
 * returns, or the negated error number; only {@link #check} throws. For one thread at a time: each
 * user has an instance of its own, since the error number needs a place.
 */
final class LinuxCalls {

    static final int EAGAIN = 11;
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EINVAL = 22;
    static final int EMSGSIZE = 90;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final Numbers SOCKET =
            bind(
                    Numbers.class,
                    "socket",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final Pair EVENTFD =
            bind(Pair.class, "eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final Pair TIMERFD =
            bind(Pair.class, "timerfd_create", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final Timer SETTIME =
            bind(
                    Timer.class,
                    "timerfd_settime",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final Address BIND =
            bind(
                    Address.class,
                    "bind",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final Name GETSOCKNAME =
            bind(
                    Name.class,
                    "getsockname",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final SetOption SETSOCKOPT =
            bind(
                    SetOption.class,
                    "setsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final GetOption GETSOCKOPT =
            bind(
                    GetOption.class,
                    "getsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final Messages RECVMMSG =
            bind(
                    Messages.class,
                    "recvmmsg",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final Message SENDMSG =
            bind(
                    Message.class,
                    "sendmsg",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final Wait PPOLL =
            bind(
                    Wait.class,
                    "ppoll",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    private static final Bytes READ =
            bind(
                    Bytes.class,
                    "read",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final Bytes WRITE =
            bind(
                    Bytes.class,
                    "write",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final Descriptor CLOSE =
            bind(Descriptor.class, "close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private final MemorySegment state;

    LinuxCalls(Arena arena) {
        state = arena.allocate(STATE);
    }

    @SuppressWarnings("restricted") // the one place of this package that binds native code
    private static <T> T bind(Class<T> shape, String name, FunctionDescriptor descriptor) {
        MemorySegment symbol = LINKER.defaultLookup().findOrThrow(name);
        MethodHandle handle =
                LINKER.downcallHandle(symbol, descriptor, Linker.Option.captureCallState("errno"));
        return MethodHandleProxies.asInterfaceInstance(shape, handle);
    }

    /** Throws an exception that names the call when the result is a negated error number. */
    static int check(String what, long result) throws IOException {
        if (result < 0) {
            throw new IOException(what + " failed: error " + -result + " of the system");
        }
        return (int) result;
    }

    int socket(int domain, int type) {
        return (int) result(SOCKET.call(state, domain, type, 0));
    }

    int bind(int fd, MemorySegment address) {
        return (int) result(BIND.call(state, fd, address, (int) address.byteSize()));
    }

    int getsockname(int fd, MemorySegment address, MemorySegment length) {
        return (int) result(GETSOCKNAME.call(state, fd, address, length));
    }

    int setsockopt(int fd, int level, int option, MemorySegment value) {
        int length = (int) value.byteSize();
        return (int) result(SETSOCKOPT.call(state, fd, level, option, value, length));
    }

    int getsockopt(int fd, int level, int option, MemorySegment value, MemorySegment length) {
        return (int) result(GETSOCKOPT.call(state, fd, level, option, value, length));
    }

    int recvmmsg(int fd, MemorySegment headers, int count, int flags) {
        return (int) result(RECVMMSG.call(state, fd, headers, count, flags, MemorySegment.NULL));
    }

    long sendmsg(int fd, MemorySegment header, int flags) {
        return result(SENDMSG.call(state, fd, header, flags));
    }

    int ppoll(MemorySegment polls, long count, MemorySegment timeout) {
        return (int) result(PPOLL.call(state, polls, count, timeout, MemorySegment.NULL));
    }

    int eventfd(int flags) {
        return (int) result(EVENTFD.call(state, 0, flags));
    }

    int timerfd(int clock, int flags) {
        return (int) result(TIMERFD.call(state, clock, flags));
    }

    /** Sets a timer relative to now. */
    void setTimer(int fd, MemorySegment setting) {
        int _ = SETTIME.call(state, fd, 0, setting, MemorySegment.NULL);
    }

    long read(int fd, MemorySegment into) {
        return result(READ.call(state, fd, into, into.byteSize()));
    }

    long write(int fd, MemorySegment from) {
        return result(WRITE.call(state, fd, from, from.byteSize()));
    }

    int close(int fd) {
        return (int) result(CLOSE.call(state, fd));
    }

    private long result(long returned) {
        return returned >= 0 ? returned : -(long) (int) ERRNO.get(state, 0L);
    }

    // The shapes of the calls: the place for the error number, then the call's own arguments.

    /** {@code int f(int, int, int)}. */
    public interface Numbers {
        /** Calls. */
        int call(MemorySegment state, int first, int second, int third);
    }

    /** {@code int f(int, int)}. */
    public interface Pair {
        /** Calls. */
        int call(MemorySegment state, int first, int second);
    }

    /** {@code int f(fd, flags, itimerspec *, itimerspec *)}. */
    public interface Timer {
        /** Calls. */
        int call(MemorySegment state, int fd, int flags, MemorySegment setting, MemorySegment old);
    }

    /** {@code int f(fd)}. */
    public interface Descriptor {
        /** Calls. */
        int call(MemorySegment state, int fd);
    }

    /** {@code int f(fd, address, length)}. */
    public interface Address {
        /** Calls. */
        int call(MemorySegment state, int fd, MemorySegment address, int length);
    }

    /** {@code int f(fd, address, length *)}. */
    public interface Name {
        /** Calls. */
        int call(MemorySegment state, int fd, MemorySegment address, MemorySegment length);
    }

    /** {@code int f(fd, level, option, value, length)}. */
    public interface SetOption {
        /** Calls. */
        int call(MemorySegment state, int fd, int level, int name, MemorySegment value, int length);
    }

    /** {@code int f(fd, level, option, value, length *)}. */
    public interface GetOption {
        /** Calls. */
        int call(
                MemorySegment state,
                int fd,
                int level,
                int name,
                MemorySegment value,
                MemorySegment length);
    }

    /** {@code ssize_t f(fd, msghdr *, flags)}. */
    public interface Message {
        /** Calls. */
        long call(MemorySegment state, int fd, MemorySegment header, int flags);
    }

    /** {@code int f(fd, mmsghdr *, count, flags, timespec *)}. */
    public interface Messages {
        /** Calls. */
        int call(
                MemorySegment state,
                int fd,
                MemorySegment headers,
                int count,
                int flags,
                MemorySegment timeout);
    }

    /** {@code ssize_t f(fd, bytes, count)}. */
    public interface Bytes {
        /** Calls. */
        long call(MemorySegment state, int fd, MemorySegment bytes, long count);
    }

    /** {@code int ppoll(pollfd *, count, timespec *, sigset_t *)}. */
    public interface Wait {
        /** Calls. */
        int call(
                MemorySegment state,
                MemorySegment polls,
                long count,
                MemorySegment timeout,
                MemorySegment signals);
    }
}
