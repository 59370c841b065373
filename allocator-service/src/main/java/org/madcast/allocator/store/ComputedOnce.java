package org.madcast.allocator.store;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that costs, computed once for all who ask for it at a time: while one computes it, the
 * others wait for that, or for the next one. A failure is shared as well. From any thread.
 *
 * @param <T> what is computed
 */
public final class ComputedOnce<T> {

    private final Supplier<T> work;
    private final ReentrantLock computing = new ReentrantLock();
    private volatile @Nullable Result<T> last;

    /** Nothing is computed yet. */
    public ComputedOnce(Supplier<T> work) {
        this.work = work;
    }

    private record Result<T>(@Nullable T value, @Nullable RuntimeException failure, long begunNs) {

        T get() {
            if (failure != null) {
                throw failure;
            }
            return Objects.requireNonNull(value);
        }
    }

    /** What is computed from now on: it shows all that happened before the call. */
    public T fresh() {
        return notBefore(System.nanoTime());
    }

    /** What was computed no longer ago than this, or now. */
    public T within(Duration age) {
        return notBefore(System.nanoTime() - age.toNanos());
    }

    /** What was computed last; null before the first time, and after a failure. */
    public @Nullable T last() {
        Result<T> seen = last;
        return seen == null ? null : seen.value();
    }

    /** Whether no thread computes it and the last time is longer ago than this. */
    public boolean isOlderThan(Duration age) {
        Result<T> seen = last;
        return !computing.isLocked()
                && (seen == null || System.nanoTime() - seen.begunNs() > age.toNanos());
    }

    private T notBefore(long ns) {
        Result<T> seen = last;
        if (seen != null && seen.begunNs() - ns >= 0) {
            return seen.get();
        }
        computing.lock();
        try {
            Result<T> meanwhile = last;
            return meanwhile != null && meanwhile.begunNs() - ns >= 0 ? meanwhile.get() : compute();
        } finally {
            computing.unlock();
        }
    }

    private T compute() {
        long begunNs = System.nanoTime();
        try {
            T value = work.get();
            last = new Result<>(value, null, begunNs);
            return value;
        } catch (RuntimeException failure) {
            last = new Result<>(null, failure, begunNs);
            throw failure;
        }
    }
}
