package org.madcast.client.io;

import java.util.concurrent.Semaphore;

/**
 * What an {@link EngineLoop}'s thread waits for while a long call drives: its end and a moment
 * more. Where the system can, the caller's end wakes no thread: sixteen ranks on two processors
 * that each woke a second thread at the end of a short message would take the processor from the
 * ranks that have not got it yet.
 *
 * <p><b>Threads.</b> One waits; callers tell, one at a time.
 */
interface TakeOver extends AutoCloseable {

    /** Short enough for the smallest receive buffers. */
    long SOON_NS = 500_000;

    /** Without another call, the thread takes over so long after the last one, in nanoseconds. */
    long delayNs();

    /** Waits until the time of {@link #after} has come; not at all when it came since last time. */
    void await();

    /** No caller drives from now on: the wait is to end after {@code n} nanoseconds. */
    void after(long delayNs);

    /** A caller drives again: the wait goes on. */
    void cancel();

    /** No thread waits any more. */
    @Override
    void close();

    /** Of any system: wakes at once, and who waited waits for the rest by himself. */
    static TakeOver portable() {
        Semaphore woken = new Semaphore(0);
        return new TakeOver() {
            @Override
            public long delayNs() {
                return SOON_NS;
            }

            @Override
            public void await() {
                woken.acquireUninterruptibly();
                woken.drainPermits();
            }

            @Override
            public void after(long delayNs) {
                woken.release();
            }

            @Override
            public void cancel() {
                // It was woken already.
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }
}
