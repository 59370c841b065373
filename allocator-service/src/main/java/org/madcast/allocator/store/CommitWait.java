package org.madcast.allocator.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Between callers and the one thread that commits for them: no caller waits for ever, and the
 * thread survives every failure.
 */
public final class CommitWait {

    /** Longer than the database may be silent, and a connection to it may be waited for. */
    public static final Duration LONGEST = Duration.ofSeconds(90);

    private CommitWait() {}

    /**
     * The answer, once the thread has it.
     *
     * @throws DataAccessResourceFailureException when there is none in time, or the caller is
     *     interrupted: what was asked may be done yet or not
     * @throws RuntimeException with which the thread answered
     */
    public static <T extends @Nullable Object> T of(CompletableFuture<T> answer, Duration longest) {
        try {
            return answer.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silence) {
            throw new DataAccessResourceFailureException("no answer in " + longest, silence);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new DataAccessResourceFailureException("interrupted", stopped);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(failed.getCause());
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
