package org.madcast.client;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.madcast.nativecalls.NativeLibrary;

/** As long as it is open, this process, a Linux one, gets no file descriptor. */
public final class FewDescriptors implements AutoCloseable {

    /** {@code getrlimit} and {@code setrlimit}; public as native calls need it. */
    public interface Limit {
        /** Calls it. */
        int call(int resource, MemorySegment limit);
    }

    private static final int RLIMIT_NOFILE = 7;
    private static final Limit GET = NativeLibrary.linux().bind(Limit.class, "getrlimit");
    private static final Limit SET = NativeLibrary.linux().bind(Limit.class, "setrlimit");

    private final Arena arena = Arena.ofShared();
    private final MemorySegment limit = arena.allocate(JAVA_LONG, 2);
    private final long before;

    private FewDescriptors() {
        if (GET.call(RLIMIT_NOFILE, limit) != 0) {
            throw new IllegalStateException("getrlimit");
        }
        before = limit.get(JAVA_LONG, 0);
    }

    /** From now on there is none left; those that are open stay. */
    public static FewDescriptors none() {
        FewDescriptors few = new FewDescriptors();
        few.allow(0);
        return few;
    }

    /** Stays like this for so long. */
    public void hold(Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = endNs - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void allow(long descriptors) {
        limit.set(JAVA_LONG, 0, descriptors);
        if (SET.call(RLIMIT_NOFILE, limit) != 0) {
            throw new IllegalStateException("setrlimit");
        }
    }

    @Override
    public void close() {
        allow(before);
        arena.close();
    }
}
