package org.madcast.allocator.statistics;

import jakarta.annotation.PreDestroy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.CommitWait;
import org.madcast.allocator.store.RetryingTransaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Commits reports in groups. Who brings one waits until it is on disk: what was answered is not
 * lost, and what was not is sent again. One thread writes; while it does, the next group gathers.
 * Few reports are written at once; the more there are, the longer a group gathers, up to {@value
 * #LONGEST_GATHERING_MS} ms, so that the database sees a few large statements and not thousands of
 * small ones. It is not longer because each that waits holds its request and its connection. The
 * queue is bounded: beyond it reports are refused, and the ranks try again later.
 */
@Component
class ReportIntake {

    private static final Logger LOG = LoggerFactory.getLogger(ReportIntake.class);
    private static final int QUEUE = 20_000;
    private static final int LARGEST_GROUP = 4_000;
    private static final long LONGEST_GATHERING_MS = 50;

    /**
     * How many reports a second a group gathers for: below that rate groups are written at once.
     */
    private static final long REPORTS_PER_GATHERING_MS = 5;

    private final ReportBatch batch;
    private final RetryingTransaction transaction;
    private final ApplicationEventPublisher events;
    private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Thread writer = Thread.ofPlatform().name("madcast-reports").unstarted(this::run);
    private volatile boolean closed;

    ReportIntake(
            ReportBatch batch, RetryingTransaction transaction, ApplicationEventPublisher events) {
        this.batch = batch;
        this.transaction = transaction;
        this.events = events;
        writer.setDaemon(true);
        writer.start();
    }

    /** What one request brought. */
    private record Waiting(List<Report> reports, CompletableFuture<@Nullable Void> written) {}

    /**
     * Writes reports and waits until they are committed.
     *
     * @throws DataAccessException when not all could be written: all may be sent again
     */
    void write(List<Report> reports) {
        Waiting waiting = new Waiting(reports, new CompletableFuture<>());
        if (closed || !queue.offer(waiting)) {
            events.publishEvent(new ReportEvent.Refused());
            throw new DataAccessResourceFailureException("too many reports are waiting");
        }
        try {
            CommitWait.of(waiting.written(), CommitWait.LONGEST);
        } catch (DataAccessResourceFailureException none) {
            queue.remove(waiting);
            throw none;
        }
    }

    private void run() {
        int reports = 0;
        try {
            while (!closed) {
                long gatheringMs =
                        Math.min(LONGEST_GATHERING_MS, reports / REPORTS_PER_GATHERING_MS);
                Waiting first = queue.poll(1, TimeUnit.SECONDS);
                reports = 0;
                if (first != null) {
                    TimeUnit.MILLISECONDS.sleep(gatheringMs);
                    List<Waiting> group = new ArrayList<>();
                    reports = gather(first, group);
                    CommitWait.endOf(() -> commit(group)).ifPresent(error -> fail(group, error));
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        refuseRest();
    }

    /** Into a group what waits, beginning with the first; how many reports these are. */
    private int gather(Waiting first, List<Waiting> group) {
        int reports = 0;
        for (Waiting next = first; next != null; next = queue.poll()) {
            group.add(next);
            reports += next.reports().size();
            if (reports >= LARGEST_GROUP) {
                break;
            }
        }
        return reports;
    }

    private static void fail(List<Waiting> group, Throwable error) {
        LOG.error("Reports of {} requests could not be written", group.size(), error);
        group.forEach(it -> it.written().completeExceptionally(error));
    }

    private void commit(List<Waiting> group) {
        try {
            commitTogether(group);
        } catch (DataIntegrityViolationException oneIsBad) {
            // such as a communicator that was forgotten meanwhile: it must not spoil the others
            group.forEach(it -> commitAlone(it));
        } catch (DataAccessException | TransactionException failure) {
            group.forEach(it -> it.written().completeExceptionally(failure));
        } catch (RuntimeException bug) {
            group.forEach(it -> it.written().completeExceptionally(bug));
        }
    }

    private void commitAlone(Waiting waiting) {
        try {
            commitTogether(List.of(waiting));
        } catch (RuntimeException failure) {
            waiting.written().completeExceptionally(failure);
        }
    }

    private void commitTogether(List<Waiting> group) {
        List<Report> reports = group.stream().flatMap(it -> it.reports().stream()).toList();
        List<Boolean> fresh = transaction.call(() -> batch.write(reports));
        long counted = fresh.stream().filter(it -> it).count();
        publish(counted, false);
        publish(fresh.size() - counted, true);
        group.forEach(it -> it.written().complete(null));
    }

    private void publish(long many, boolean repeated) {
        if (many > 0) {
            events.publishEvent(new ReportEvent.Taken(many, repeated));
        }
    }

    private void refuseRest() {
        List<Waiting> rest = new ArrayList<>();
        queue.drainTo(rest);
        rest.forEach(it ->
                it.written()
                        .completeExceptionally(
                                new DataAccessResourceFailureException("shutting down")));
    }

    @PreDestroy
    void close() throws InterruptedException {
        closed = true;
        writer.join(TimeUnit.SECONDS.toMillis(3));
        refuseRest();
    }
}
