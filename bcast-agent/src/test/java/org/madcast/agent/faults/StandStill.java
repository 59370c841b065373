package org.madcast.agent.faults;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Semaphore;

/**
 * No Java thread of this process runs, as while garbage is collected, but without any work for the
 * processors, so that it lasts as long as it is told wherever it runs: the JVM wants to stop all
 * threads, and waits for one that sleeps in a system call of which it believes that it is short.
 */
final class StandStill {

    private static final int NS_PER_US = 1000;

    private static final MethodHandle USLEEP = usleep();
    private static final Semaphore WANTED = new Semaphore(0);

    static {
        Thread.ofPlatform().daemon().name("stand-still").start(StandStill::stopAll);
    }

    private StandStill() {}

    /** Returns at that time of {@link System#nanoTime}, nearly. */
    static void until(long endNs) {
        WANTED.release();
        long leftNs = endNs - System.nanoTime();
        if (leftNs > 0) {
            try {
                int _ = (int) USLEEP.invokeExact((int) (leftNs / NS_PER_US));
            } catch (Throwable impossible) {
                throw new IllegalStateException("usleep does not throw", impossible);
            }
        }
    }

    private static void stopAll() {
        while (true) {
            WANTED.acquireUninterruptibly();
            // Needs all threads at a safepoint, and hardly any time there.
            Thread.getAllStackTraces();
        }
    }

    @SuppressWarnings("restricted") // the tests enable native access
    private static MethodHandle usleep() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("usleep"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                Linker.Option.critical(false));
    }
}
