package org.madcast.allocator.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Commits concurrent requests of one kind together: what arrives while a transaction is being
 * written to disk is in the next one. A request that arrives alone is a batch of one.
 *
 * <p>Calls may come from any thread and block. Each request of a batch whose transaction failed is
 * decided again as a batch of one, in its caller's thread, so that one cannot spoil the others.
 *
 * @param <Q> a request
 * @param <A> its answer
 */
public final class CommitTogether<Q, A> {

    private static final Logger LOG = LoggerFactory.getLogger(CommitTogether.class);
    private static final int MOST_WAITING = 10_000;

    private final String name;
    private final RetryingTransaction transaction;
    private final Function<List<Q>, List<A>> work;
    private final Gathering<Q> gathering;
    private final Duration longestWait;
    private final LinkedBlockingQueue<Pending<Q, A>> waiting =
            new LinkedBlockingQueue<>(MOST_WAITING);
    private @Nullable Thread writer;
    private volatile boolean running;

    /**
     * How large a batch gets, and how long it gathers: after a large batch the next one waits a
     * while for more, so that there are few large transactions and not many small ones.
     *
     * @param weight what a request counts in a batch
     * @param most the weight at which a batch is full
     * @param weightPerMs the weight of the last batch for each millisecond that the next one waits
     * @param longest no batch waits for longer
     */
    public record Gathering<Q>(
            ToIntFunction<Q> weight, int most, int weightPerMs, Duration longest) {

        /** Batches of up to 128 requests, none of which waits for others. */
        static <Q> Gathering<Q> atOnce() {
            return new Gathering<>(it -> 1, 128, 1, Duration.ZERO);
        }

        private long waitMs(int lastWeight) {
            return Math.min(longest.toMillis(), lastWeight / weightPerMs);
        }
    }

    /**
     * One that does not run yet, and whose batches never wait.
     *
     * @param name of its thread
     * @param work decides requests within a transaction; its answers are in their order
     */
    public CommitTogether(
            String name, RetryingTransaction transaction, Function<List<Q>, List<A>> work) {
        this(name, transaction, work, Gathering.atOnce(), CommitWait.LONGEST);
    }

    /** One that does not run yet, and gathers like this. */
    public CommitTogether(
            String name,
            RetryingTransaction transaction,
            Function<List<Q>, List<A>> work,
            Gathering<Q> gathering) {
        this(name, transaction, work, gathering, CommitWait.LONGEST);
    }

    /** One whose callers wait no longer than this. */
    CommitTogether(
            String name,
            RetryingTransaction transaction,
            Function<List<Q>, List<A>> work,
            Gathering<Q> gathering,
            Duration longestWait) {
        this.gathering = gathering;
        this.longestWait = longestWait;
        this.name = name;
        this.transaction = transaction;
        this.work = work;
    }

    /** A request and its future answer; empty if the caller must submit a batch of one. */
    private record Pending<Q, A>(Q request, CompletableFuture<Optional<A>> answer) {}

    /**
     * The answer, once it is on disk. A call inside of a transaction joins that one.
     *
     * @throws RuntimeException of the store, when the database is away: the request may have been
     *     executed or not
     */
    public A submit(Q request) {
        Pending<Q, A> pending = new Pending<>(request, new CompletableFuture<>());
        if (!running
                || TransactionSynchronizationManager.isActualTransactionActive()
                || !waiting.offer(pending)) {
            return alone(request);
        }
        if (!running && waiting.remove(pending)) {
            return alone(request); // stopped in between, after the queue was emptied
        }
        return answer(pending).orElseGet(() -> alone(request));
    }

    /** False while the queue is full, so that the next request would not join a batch. */
    public boolean hasRoom() {
        return waiting.remainingCapacity() > 0;
    }

    /** How many requests wait for a batch. */
    int waiting() {
        return waiting.size();
    }

    private A alone(Q request) {
        return transaction.call(() -> work.apply(List.of(request))).getFirst();
    }

    private Optional<A> answer(Pending<Q, A> pending) {
        try {
            return CommitWait.of(pending.answer, longestWait, transaction::isStuck);
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

    /** Ends its thread; callers that wait continue in their own threads. */
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
        int weight = 0;
        try {
            while (running) {
                together.add(waiting.take());
                Thread.sleep(gathering.waitMs(weight));
                CommitWait.endOf(() -> decide(together))
                        .ifPresent(error -> {
                            LOG.error("A batch of {} failed", together.size(), error);
                            together.forEach(it -> it.answer().completeExceptionally(error));
                        });
                weight = weight(together);
                together.clear();
            }
        } catch (InterruptedException stopped) {
            together.forEach(it -> it.answer().complete(Optional.empty()));
        }
    }

    private int weight(List<Pending<Q, A>> pending) {
        return pending.stream().mapToInt(it -> gathering.weight().applyAsInt(it.request())).sum();
    }

    private void decide(List<Pending<Q, A>> pending) {
        try {
            List<A> answers = transaction.callForOthers(() -> together(pending));
            for (int i = 0; i < answers.size(); i++) {
                pending.get(i).answer().complete(Optional.of(answers.get(i)));
            }
        } catch (RuntimeException failure) {
            if (StoreFailures.trouble(failure) != null || pending.size() == 1) {
                pending.forEach(it -> it.answer().completeExceptionally(failure));
                return;
            }
            LOG.debug("A batch of {} failed", pending.size(), failure);
            pending.forEach(it -> it.answer().complete(Optional.empty()));
        }
    }

    /** Decides these and all that have arrived meanwhile. */
    private List<A> together(List<Pending<Q, A>> pending) {
        int weight = weight(pending);
        for (Pending<Q, A> next; weight < gathering.most() && (next = waiting.poll()) != null; ) {
            pending.add(next);
            weight += gathering.weight().applyAsInt(next.request());
        }
        return work.apply(pending.stream().map(Pending::request).toList());
    }
}
