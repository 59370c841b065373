package org.madcast.client.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the reports that several threads bring into one request, and tells each what became of
 * it. A request is sent when all have brought theirs, when it is as large as the service takes, or
 * when its first one has waited for a second. Ranks that report every five seconds from their last
 * answer on get the same answer and so come together from then on. Safe for every thread.
 */
final class ReportGathering {

    private static final long LONGEST_NS = 1_000_000_000;

    /** The service takes no larger body than 256 KiB. */
    private static final int MOST_CHARS = 200_000;

    private final int ranks;
    private final Service service;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Batch open;
    private boolean ended;

    /** Takes several reports at once. */
    @FunctionalInterface
    interface Service {
        RelayOutcome send(List<String> reports) throws InterruptedException;
    }

    /** Gathers for this many ranks. */
    ReportGathering(int ranks, Service service) {
        this.ranks = ranks;
        this.service = service;
    }

    /** One request; guarded by the lock until it is closed. */
    private final class Batch {
        private final List<String> reports = new ArrayList<>();
        private final Condition closedNow = lock.newCondition();
        private final CompletableFuture<RelayOutcome> outcome = new CompletableFuture<>();
        private int chars;
        private boolean closed;

        void add(String report) {
            reports.add(report);
            chars += report.length();
            if (reports.size() == ranks) {
                close();
            }
        }

        void close() {
            closed = true;
            open = null;
            closedNow.signal();
        }

        /** Waits until it is closed, at most a second. */
        void await() throws InterruptedException {
            long remainingNs = LONGEST_NS;
            while (!closed) {
                if (remainingNs <= 0) {
                    close();
                    return;
                }
                remainingNs = closedNow.awaitNanos(remainingNs);
            }
        }
    }

    /** Brings a report and waits until it was sent and answered. */
    RelayOutcome add(String report) throws InterruptedException {
        Batch batch;
        boolean first;
        lock.lockInterruptibly();
        try {
            if (ended) {
                return new RelayOutcome.Alone();
            }
            if (open != null && open.chars + report.length() > MOST_CHARS) {
                open.close();
            }
            Batch waiting = open;
            first = waiting == null;
            batch = waiting == null ? new Batch() : waiting;
            open = batch;
            batch.add(report);
        } finally {
            lock.unlock();
        }
        if (first) {
            send(batch);
        }
        return batch.outcome.join();
    }

    /** Sends what was gathered, and gathers no more: everybody speaks for himself. */
    void end() {
        lock.lock();
        try {
            ended = true;
            if (open != null) {
                open.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whoever opened a batch sends it, and in any case ends the waiting of the others. */
    private void send(Batch batch) throws InterruptedException {
        try {
            awaitClosed(batch);
            batch.outcome.complete(service.send(batch.reports));
        } finally {
            batch.outcome.complete(new RelayOutcome.Alone());
        }
    }

    private void awaitClosed(Batch batch) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            batch.await();
        } finally {
            if (!batch.closed) {
                batch.close();
            }
            lock.unlock();
        }
    }
}
