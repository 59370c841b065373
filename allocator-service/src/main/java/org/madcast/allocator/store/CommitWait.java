package org.madcast.allocator.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Between callers and the one thread that commits for them: no caller waits for ever, and the
 * thread survives every failure.
 */
public final class CommitWait {

    /** Longer than the database may be silent, and a connection to it may be waited for. */
    public static final Duration LONGEST = Duration.ofSeconds(90);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private CommitWait() {}

    /**
     * The answer, once the thread has it.
     *
     * @param isStuck whether waiting beyond the present visit's patience makes no sense
     * @throws DataAccessResourceFailureException when there is none in time, or the caller is
     *     interrupted: what was asked may be done yet or not
     * @throws RuntimeException with which the thread answered
     */
    public static <T extends @Nullable Object> T of(
            CompletableFuture<T> answer, Duration longest, BooleanSupplier isStuck) {
        long beganNs = System.nanoTime();
        try {
            return await(answer, longest, isStuck);
        } catch (TimeoutException silence) {
            Duration waited = Duration.ofNanos(System.nanoTime() - beganNs);
            throw new DataAccessResourceFailureException(
                    "no answer in " + SpokenTime.of(waited), silence);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new DataAccessResourceFailureException("interrupted", stopped);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(failed.getCause());
        }
    }

    private static <T extends @Nullable Object> T await(
            CompletableFuture<T> answer, Duration longest, BooleanSupplier isStuck)
            throws InterruptedException, ExecutionException, TimeoutException {
        StoreGate.Waiting visit = StoreGate.current();
        if (visit == null) {
            return answer.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        }
        long endNs = System.nanoTime() + longest.toNanos();
        Duration wait = visit.left();
        while (true) {
            long leftNs = endNs - System.nanoTime();
            try {
                return answer.get(Math.min(leftNs, wait.toNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException notYet) {
                if (isStuck.getAsBoolean() || endNs - System.nanoTime() <= 0) {
                    throw notYet;
                }
                wait = LOOK_AGAIN;
            }
        }
    }

    /** Runs what the thread does; what ended it, such as no memory, if it did not return. */
    public static Optional<Throwable> endOf(Runnable work) {
        FutureTask<@Nullable Void> running = new FutureTask<>(work, null);
        running.run();
        return running.state() == Future.State.FAILED
                ? Optional.of(running.exceptionNow())
                : Optional.empty();
    }
}
