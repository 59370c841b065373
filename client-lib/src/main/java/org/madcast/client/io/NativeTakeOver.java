package org.madcast.client.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.madcast.nativecalls.LinuxCalls;

/**
 * A timer of the Linux kernel: to set it is one short system call, and no thread is woken by it.
 */
final class NativeTakeOver implements TakeOver {

    private static final int CLOCK_MONOTONIC = 1;
    private static final int TFD_CLOEXEC = 0x80000;
    private static final long NS_PER_S = 1_000_000_000;

    /** struct itimerspec: the interval, which stays 0, then the value, each in s and ns. */
    private static final int ITIMERSPEC_BYTES = 32;

    private static final int VALUE_S = 16;
    private static final int VALUE_NS = 24;

    private final Arena arena = Arena.ofAuto();
    private final LinuxCalls waits = new LinuxCalls(arena);
    private final LinuxCalls tells = new LinuxCalls(arena);
    private final MemorySegment expirations = arena.allocate(Long.BYTES, Long.BYTES);
    private final MemorySegment setting = arena.allocate(ITIMERSPEC_BYTES, Long.BYTES);
    private final long delayNs;
    private final int timer;
    private boolean closed;

    NativeTakeOver(long delayNs) throws IOException {
        this.delayNs = delayNs;
        timer = LinuxCalls.check("timerfd", tells.timerfd(CLOCK_MONOTONIC, TFD_CLOEXEC));
    }

    @Override
    public long delayNs() {
        return delayNs;
    }

    @Override
    public void await() {
        long _ = waits.read(timer, expirations);
    }

    @Override
    public void after(long delayNs) {
        set(Math.max(1, delayNs));
    }

    @Override
    public void cancel() {
        set(0);
    }

    private void set(long ns) {
        setting.set(ValueLayout.JAVA_LONG, VALUE_S, ns / NS_PER_S);
        setting.set(ValueLayout.JAVA_LONG, VALUE_NS, ns % NS_PER_S);
        tells.setTimer(timer, setting);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            tells.close(timer);
        }
    }
}
