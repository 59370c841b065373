package org.madcast.allocator.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.RetryingTransaction;
import org.madcast.allocator.store.StoreFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Commits the grants and releases of concurrent requests together: what comes while a transaction
 * is being written to disk is in the next one. Nothing is ever delayed for company: a request that
 * comes alone is a transaction of one.
 *
 * <p>Two threads take turns, so that one can work while the other waits for the disk. Calls may
 * come from any thread and wait. What a batch cannot decide (a repeated idempotency key, an
 * obstructed group), or all of it when its transaction failed, is handed back to its callers, who
 * then run alone.
 */
@Component
@Lazy(false) // nobody would start its threads later
class GroupCommit implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
    private static final int WRITERS = 2;
    private static final int MOST_TOGETHER = 128;
    private static final int MOST_WAITING = 10_000;

    private final LeaseBatch batch;
    private final RetryingTransaction transaction;
    private final LinkedBlockingQueue<Pending<?, ?>> waiting =
            new LinkedBlockingQueue<>(MOST_WAITING);
    private final List<Thread> writers = new ArrayList<>();
    private volatile boolean running;

    GroupCommit(LeaseBatch batch, RetryingTransaction transaction) {
        this.batch = batch;
        this.transaction = transaction;
    }

    /** Something asked for, and its answer to be: empty when it has to be run alone. */
    private record Pending<Q, A>(Q request, CompletableFuture<Optional<A>> answer) {}

    /** Grants a simple lease in company; empty when it has to be granted alone. */
    Optional<GrantOutcome> grant(GrantRequest request, @Nullable String idempotencyKey) {
        return LeaseBatch.accepts(request)
                ? submit(new LeaseBatch.Grant(request, idempotencyKey))
                : Optional.empty();
    }

    /** Releases a lease in company; empty when it has to be released alone. */
    Optional<RenewalOutcome> release(UUID id, @Nullable String secret) {
        return submit(new LeaseBatch.Release(id, secret));
    }

    private <Q, A> Optional<A> submit(Q request) {
        Pending<Q, A> pending = new Pending<>(request, new CompletableFuture<>());
        if (!running
                || TransactionSynchronizationManager.isActualTransactionActive()
                || !waiting.offer(pending)) {
            return Optional.empty();
        }
        try {
            return pending.answer.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failure;
        }
    }

    private void write() {
        List<Pending<?, ?>> together = new ArrayList<>();
        while (running) {
            try {
                together.add(waiting.take());
            } catch (InterruptedException stopped) {
                return;
            }
            waiting.drainTo(together, MOST_TOGETHER - 1);
            write(together);
            together.clear();
        }
    }

    private void write(List<Pending<?, ?>> together) {
        List<Pending<LeaseBatch.Grant, GrantOutcome>> grants = new ArrayList<>();
        List<Pending<LeaseBatch.Release, RenewalOutcome>> releases = new ArrayList<>();
        for (Pending<?, ?> pending : together) {
            sort(pending, grants, releases);
        }
        decide(releases, batch::release);
        decide(grants, batch::grant);
    }

    @SuppressWarnings("unchecked") // submit pairs each request with its kind of answer
    private static void sort(
            Pending<?, ?> pending,
            List<Pending<LeaseBatch.Grant, GrantOutcome>> grants,
            List<Pending<LeaseBatch.Release, RenewalOutcome>> releases) {
        if (pending.request() instanceof LeaseBatch.Grant) {
            grants.add((Pending<LeaseBatch.Grant, GrantOutcome>) pending);
        } else {
            releases.add((Pending<LeaseBatch.Release, RenewalOutcome>) pending);
        }
    }

    private <Q, A> void decide(
            List<Pending<Q, A>> pending, Function<List<Q>, List<Optional<A>>> work) {
        if (pending.isEmpty()) {
            return;
        }
        List<Q> requests = pending.stream().map(Pending::request).toList();
        try {
            List<Optional<A>> answers = transaction.call(() -> work.apply(requests));
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

    @Override
    public void start() {
        running = true;
        for (int i = 0; i < WRITERS; i++) {
            writers.add(Thread.ofPlatform().name("lease-commit-" + i).daemon().start(this::write));
        }
    }

    @Override
    public void stop() {
        running = false;
        writers.forEach(Thread::interrupt);
        writers.clear();
        Pending<?, ?> left;
        while ((left = waiting.poll()) != null) {
            left.answer().complete(Optional.empty());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
