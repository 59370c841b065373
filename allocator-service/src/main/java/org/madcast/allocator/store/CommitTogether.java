package org.madcast.allocator.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Commits concurrent requests of one kind together: what comes while a transaction is being written
 * to disk is in the next one. Nothing is ever delayed for company: a request that comes alone is a
 * transaction of one.
 *
 * <p>Calls may come from any thread and wait. What a batch cannot decide, or all of it when its
 * transaction failed, is handed back to its callers, who then run alone.
 *
 * @param <Q> what is asked
 * @param <A> what is answered
 */
public final class CommitTogether<Q, A> {

    private static final Logger LOG = LoggerFactory.getLogger(CommitTogether.class);
    private static final int MOST_TOGETHER = 128;
    private static final int MOST_WAITING = 10_000;

    private final String name;
    private final RetryingTransaction transaction;
    private final Function<List<Q>, List<Optional<A>>> work;
    private final Duration longestWait;
    private final LinkedBlockingQueue<Pending<Q, A>> waiting =
            new LinkedBlockingQueue<>(MOST_WAITING);
    private @Nullable Thread writer;
    private volatile boolean running;

    /**
     * One that does not run yet.
     *
     * @param name of its thread
     * @param work decides about requests within a transaction; its answers are in their order,
     *     empty for those that have to run alone
     */
    public CommitTogether(
            String name,
            RetryingTransaction transaction,
            Function<List<Q>, List<Optional<A>>> work) {
        this(name, transaction, work, CommitWait.LONGEST);
    }

    /** One whose callers wait no longer than this. */
    CommitTogether(
            String name,
            RetryingTransaction transaction,
            Function<List<Q>, List<Optional<A>>> work,
            Duration longestWait) {
        this.longestWait = longestWait;
        this.name = name;
        this.transaction = transaction;
        this.work = work;
    }

    /** Something asked for, and its answer to be: empty when it has to be run alone. */
    private record Pending<Q, A>(Q request, CompletableFuture<Optional<A>> answer) {}

    /**
     * The answer, once it is on disk; empty when the request has to be run alone.
     *
     * @throws RuntimeException of the store, when the database is away: what was asked may have
     *     been done or not
     */
    public Optional<A> submit(Q request) {
        Pending<Q, A> pending = new Pending<>(request, new CompletableFuture<>());
        if (!running
                || TransactionSynchronizationManager.isActualTransactionActive()
                || !waiting.offer(pending)) {
            return Optional.empty();
        }
        if (!running && waiting.remove(pending)) {
            return Optional.empty(); // stopped in between, after the last look at what waits
        }
        return answer(pending);
    }

    private Optional<A> answer(Pending<Q, A> pending) {
        try {
            return CommitWait.of(pending.answer, longestWait);
        } catch (DataAccessResourceFailureException none) {
            waiting.remove(pending);
            throw none;
        }
    }

    /** Starts its thread. */
    public synchronized void start() {
        running = true;
        writer = Thread.ofPlatform().name(name).daemon().start(this::write);
    }

    /** Ends its thread; whoever waits runs alone. */
    public synchronized void stop() {
        running = false;
        if (writer != null) {
            writer.interrupt();
            writer = null;
        }
        Pending<Q, A> left;
        while ((left = waiting.poll()) != null) {
            left.answer().complete(Optional.empty());
        }
    }

    private void write() {
        List<Pending<Q, A>> together = new ArrayList<>();
        while (running) {
            try {
                together.add(waiting.take());
            } catch (InterruptedException stopped) {
                return;
            }
            CommitWait.endOf(() -> decide(together))
                    .ifPresent(error -> {
                        LOG.error("A batch of {} failed", together.size(), error);
                        together.forEach(it -> it.answer().completeExceptionally(error));
                    });
            together.clear();
        }
    }

    private void decide(List<Pending<Q, A>> pending) {
        try {
            List<Optional<A>> answers = transaction.call(() -> together(pending));
            for (int i = 0; i < answers.size(); i++) {
                pending.get(i).answer().complete(answers.get(i));
            }
        } catch (RuntimeException failure) {
            if (StoreFailures.isAway(failure)) {
                pending.forEach(it -> it.answer().completeExceptionally(failure));
                return;
            }
            // Each alone: what is wrong with one of them is no matter of the others.
            LOG.debug("A batch of {} failed", pending.size(), failure);
            pending.forEach(it -> it.answer().complete(Optional.empty()));
        }
    }

    /** Decides about these and about all that have come meanwhile. */
    private List<Optional<A>> together(List<Pending<Q, A>> pending) {
        waiting.drainTo(pending, MOST_TOGETHER - pending.size());
        return work.apply(pending.stream().map(Pending::request).toList());
    }
}
