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
            Numbers socket,
            Pair eventfd,
            Pair timerfd,
            Timer settime,
            Address bind,
            Name getsockname,
            SetOption setsockopt,
            GetOption getsockopt,
            Messages recvmmsg,
            Message sendmsg,
            Wait ppoll,
            Bytes read,
            Bytes write,
            Descriptor close) {}

    private static final Loaded<Functions> FUNCTIONS =
            Loaded.of(
                    NativeLibrary.linux(),
                    c ->
                            new Functions(
                                    c.bindWithErrno(Numbers.class, "socket"),
                                    c.bindWithErrno(Pair.class, "eventfd"),
                                    c.bindWithErrno(Pair.class, "timerfd_create"),
                                    c.bindWithErrno(Timer.class, "timerfd_settime"),
                                    c.bindWithErrno(Address.class, "bind"),
                                    c.bindWithErrno(Name.class, "getsockname"),
                                    c.bindWithErrno(SetOption.class, "setsockopt"),
                                    c.bindWithErrno(GetOption.class, "getsockopt"),
                                    c.bindWithErrno(Messages.class, "recvmmsg"),
                                    c.bindWithErrno(Message.class, "sendmsg"),
                                    c.bindWithErrno(Wait.class, "ppoll"),
                                    c.bindWithErrno(Bytes.class, "read"),
                                    c.bindWithErrno(Bytes.class, "write"),
                                    c.bindWithErrno(Descriptor.class, "close")));

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
        return (int) result(Bound.FUNCTIONS.socket().call(state, domain, type, protocol));
    }

    /** {@code bind(2)} to a {@code sockaddr}. */
    public int bind(int fd, MemorySegment address) {
        return (int)
                result(Bound.FUNCTIONS.bind().call(state, fd, address, (int) address.byteSize()));
    }

    /** {@code getsockname(2)}. */
    public int getsockname(int fd, MemorySegment address, MemorySegment length) {
        return (int) result(Bound.FUNCTIONS.getsockname().call(state, fd, address, length));
    }

    /** {@code setsockopt(2)}. */
    public int setsockopt(int fd, int level, int option, MemorySegment value) {
        int length = (int) value.byteSize();
        return (int)
                result(Bound.FUNCTIONS.setsockopt().call(state, fd, level, option, value, length));
    }

    /** {@code getsockopt(2)}. */
    public int getsockopt(
            int fd, int level, int option, MemorySegment value, MemorySegment length) {
        return (int)
                result(Bound.FUNCTIONS.getsockopt().call(state, fd, level, option, value, length));
    }

    /** {@code recvmmsg(2)} without a timeout. */
    public int recvmmsg(int fd, MemorySegment headers, int count, int flags) {
        return (int)
                result(
                        Bound.FUNCTIONS
                                .recvmmsg()
                                .call(state, fd, headers, count, flags, MemorySegment.NULL));
    }

    /** {@code sendmsg(2)}. */
    public long sendmsg(int fd, MemorySegment header, int flags) {
        return result(Bound.FUNCTIONS.sendmsg().call(state, fd, header, flags));
    }

    /** {@code ppoll(2)}; the timeout is a {@code timespec}, or null. */
    public int ppoll(MemorySegment polls, long count, MemorySegment timeout) {
        return (int)
                result(
                        Bound.FUNCTIONS
                                .ppoll()
                                .call(state, polls, count, timeout, MemorySegment.NULL));
    }

    /** {@code eventfd(2)} that starts at 0. */
    public int eventfd(int flags) {
        return (int) result(Bound.FUNCTIONS.eventfd().call(state, 0, flags));
    }

    /** {@code timerfd_create(2)}. */
    public int timerfd(int clock, int flags) {
        return (int) result(Bound.FUNCTIONS.timerfd().call(state, clock, flags));
    }

    /** Sets a timer relative to now. */
    public void setTimer(int fd, MemorySegment setting) {
        int _ = Bound.FUNCTIONS.settime().call(state, fd, 0, setting, MemorySegment.NULL);
    }

    /** {@code read(2)}. */
    public long read(int fd, MemorySegment into) {
        return result(Bound.FUNCTIONS.read().call(state, fd, into, into.byteSize()));
    }

    /** {@code write(2)}. */
    public long write(int fd, MemorySegment from) {
        return result(Bound.FUNCTIONS.write().call(state, fd, from, from.byteSize()));
    }

    /** {@code close(2)}. */
    public int close(int fd) {
        return (int) result(Bound.FUNCTIONS.close().call(state, fd));
    }

    private long result(long returned) {
        return returned >= 0 ? returned : -(long) (int) ERRNO.get(state, 0L);
    }

    // The shapes of the calls: first the memory for the error number, then the call's own
    // arguments.

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
