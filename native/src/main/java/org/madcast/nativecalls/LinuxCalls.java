package org.madcast.nativecalls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * System calls for sockets, events and timers, on 64-bit Linux. Every call returns what the C
 * library returns, or the negated error number; only {@link #check} throws. For one thread at a
 * time: each user has an instance of its own, because the error number needs memory.
 */
public final class LinuxCalls {

    public static final int EAGAIN = 11;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int EINVAL = 22;
    public static final int EMSGSIZE = 90;

    private record Functions(
            Call socket,
            Call eventfd,
            Call timerfd,
            Call settime,
            Call bind,
            Call getsockname,
            Call setsockopt,
            Call getsockopt,
            Call recvmmsg,
            Call sendmsg,
            Call ppoll,
            Call read,
            Call write,
            Call close) {}

    private static final Loaded<Functions> FUNCTIONS =
            Loaded.of(
                    NativeLibrary.linux(),
                    c ->
                            new Functions(
                                    c.bindWithErrno(Call.class, "socket"),
                                    c.bindWithErrno(Call.class, "eventfd"),
                                    c.bindWithErrno(Call.class, "timerfd_create"),
                                    c.bindWithErrno(Call.class, "timerfd_settime"),
                                    c.bindWithErrno(Call.class, "bind"),
                                    c.bindWithErrno(Call.class, "getsockname"),
                                    c.bindWithErrno(Call.class, "setsockopt"),
                                    c.bindWithErrno(Call.class, "getsockopt"),
                                    c.bindWithErrno(Call.class, "recvmmsg"),
                                    c.bindWithErrno(Call.class, "sendmsg"),
                                    c.bindWithErrno(Call.class, "ppoll"),
                                    c.bindWithErrno(Call.class, "read"),
                                    c.bindWithErrno(Call.class, "write"),
                                    c.bindWithErrno(Call.class, "close")));

    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** Constants, so that the compilers inline the calls. Initialized by the first instance. */
    private static final class Bound {
        private static final Functions FUNCTIONS = LinuxCalls.FUNCTIONS.get();
    }

    private final MemorySegment state;

    /**
     * Makes the calls usable for one thread at a time.
     *
     * @param arena of the memory for the error number
     * @throws UnsupportedOperationException unless {@link #areAvailable}
     */
    public LinuxCalls(Arena arena) {
        Functions _ = FUNCTIONS.get();
        state = arena.allocate(STATE);
    }

    /** Whether this system, and the options of this JVM, allow these calls. */
    public static boolean areAvailable() {
        return FUNCTIONS.isPresent();
    }

    /** Why the calls are not available, for people; empty if they are. */
    public static String problem() {
        return FUNCTIONS.problem();
    }

    /** Throws an exception that names the call when the result is a negated error number. */
    public static int check(String what, long result) throws IOException {
        if (result < 0) {
            throw new IOException(what + " failed: error " + -result + " of the system");
        }
        return (int) result;
    }

    /** {@code socket(2)}, with the default protocol. */
    public int socket(int domain, int type) {
        return socket(domain, type, 0);
    }

    /** {@code socket(2)}. */
    public int socket(int domain, int type, int protocol) {
        return number(Bound.FUNCTIONS.socket().call(state, domain, type, protocol, 0, 0));
    }

    /** {@code bind(2)} to a {@code sockaddr}. */
    public int bind(int fd, MemorySegment address) {
        long bytes = address.byteSize();
        return number(Bound.FUNCTIONS.bind().call(state, fd, at(address), bytes, 0, 0));
    }

    /** {@code getsockname(2)}. */
    public int getsockname(int fd, MemorySegment address, MemorySegment length) {
        return number(Bound.FUNCTIONS.getsockname().call(state, fd, at(address), at(length), 0, 0));
    }

    /** {@code setsockopt(2)}. */
    public int setsockopt(int fd, int level, int option, MemorySegment value) {
        long bytes = value.byteSize();
        return number(
                Bound.FUNCTIONS.setsockopt().call(state, fd, level, option, at(value), bytes));
    }

    /** {@code getsockopt(2)}. */
    public int getsockopt(
            int fd, int level, int option, MemorySegment value, MemorySegment length) {
        return number(
                Bound.FUNCTIONS.getsockopt().call(state, fd, level, option, at(value), at(length)));
    }

    /** {@code recvmmsg(2)} without a timeout. */
    public int recvmmsg(int fd, MemorySegment headers, int count, int flags) {
        return number(Bound.FUNCTIONS.recvmmsg().call(state, fd, at(headers), count, flags, 0));
    }

    /** {@code sendmsg(2)}. */
    public long sendmsg(int fd, MemorySegment header, int flags) {
        return result(Bound.FUNCTIONS.sendmsg().call(state, fd, at(header), flags, 0, 0));
    }

    /** {@code ppoll(2)}; the timeout is a {@code timespec}, or null. */
    public int ppoll(MemorySegment polls, long count, MemorySegment timeout) {
        return number(Bound.FUNCTIONS.ppoll().call(state, at(polls), count, at(timeout), 0, 0));
    }

    /** {@code eventfd(2)} that starts at 0. */
    public int eventfd(int flags) {
        return number(Bound.FUNCTIONS.eventfd().call(state, 0, flags, 0, 0, 0));
    }

    /** {@code timerfd_create(2)}. */
    public int timerfd(int clock, int flags) {
        return number(Bound.FUNCTIONS.timerfd().call(state, clock, flags, 0, 0, 0));
    }

    /** Sets a timer relative to now. */
    public void setTimer(int fd, MemorySegment setting) {
        long _ = Bound.FUNCTIONS.settime().call(state, fd, 0, at(setting), 0, 0);
    }

    /** {@code read(2)}. */
    public long read(int fd, MemorySegment into) {
        return result(Bound.FUNCTIONS.read().call(state, fd, at(into), into.byteSize(), 0, 0));
    }

    /** {@code write(2)}. */
    public long write(int fd, MemorySegment from) {
        return result(Bound.FUNCTIONS.write().call(state, fd, at(from), from.byteSize(), 0, 0));
    }

    /** {@code close(2)}. */
    public int close(int fd) {
        return number(Bound.FUNCTIONS.close().call(state, fd, 0, 0, 0, 0));
    }

    /** The result of a function of type {@code int}, or its negated error number. */
    private int number(long returned) {
        int lower = (int) returned;
        return (int) result(lower);
    }

    private long result(long returned) {
        return returned >= 0 ? returned : -(long) (int) ERRNO.get(state, 0L);
    }

    /** Where a segment is. It must stay there during the call. */
    private static long at(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("a segment of the heap has no address");
        }
        return segment.address();
    }

    /**
     * All of them are called as {@code long f(long, long, long, long, long)}. The JVM generates
     * code for each shape of a function that it binds, some 10 ms for one; a start has no time for
     * twelve. Each of the calls takes its numbers and addresses in the same registers, the first of
     * them in the first register, and looks at no more than it has; a result of type {@code int} is
     * the lower half of the register.
     */
    public interface Call {
        /** Calls; {@code state} is the memory for the error number. */
        long call(
                MemorySegment state, long first, long second, long third, long fourth, long fifth);
    }
}
