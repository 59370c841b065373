package org.madcast.allocator.store;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Something that costs, computed once for all who ask for it at a time: while one computes it, the
 * others wait for that, or for the next one. A failure is shared as well. From any thread.
 *
 * <p>Who computes outside of a visit ({@link StoreGate}) may wait for a silent database for long;
 * visits do not wait with it beyond their patience.
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

    /**
     * What is computed from now on: it shows all that happened before the call.
     *
     * @throws DataAccessResourceFailureException when another thread has not computed it in time
     * @throws RuntimeException with which the work failed
     */
    public T fresh() {
        return notBefore(System.nanoTime());
    }

    /** What was computed no longer ago than this, or now; fails as {@link #fresh} does. */
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
        await();
        try {
            Result<T> meanwhile = last;
            return meanwhile != null && meanwhile.begunNs() - ns >= 0 ? meanwhile.get() : compute();
        } finally {
            computing.unlock();
        }
    }

    /** Until no other thread computes. */
    private void await() {
        Duration most = StoreGate.left();
        try {
            if (computing.tryLock(most.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new DataAccessResourceFailureException("interrupted", stopped);
        }
        throw new DataAccessResourceFailureException(
                "no answer in " + SpokenTime.of(most), new TimeoutException());
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
