package org.madcast.allocator.audit;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.madcast.allocator.store.StoreFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends what is recorded to those that follow it, as server-sent events, in the order of its
 * numbers. One thread looks whether there is something new; each stream has a virtual thread that
 * reads from its own position on. A stream ends after a while, and when the database is in trouble;
 * its client opens the next one where it was, with the token that is good then.
 */
@Component
class AuditEvents {

    private static final Logger LOG = LoggerFactory.getLogger(AuditEvents.class);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration BEAT = Duration.ofSeconds(15);
    private static final long RETRY_MS = 2000;
    private static final int BATCH = 100;

    private final AuditQueries audit;
    private final AuditTail tail;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock, as the next two. */
    private long settled;

    private int streams;
    private boolean closed;

    AuditEvents(AuditQueries audit, AuditTail tail) {
        this.audit = audit;
        this.tail = tail;
    }

    /**
     * Another stream.
     *
     * @param after the number after which it begins
     * @param kinds entries of these kinds, or of all if there are none
     * @param atEnd run once, when it has ended
     */
    SseEmitter open(long after, List<String> kinds, Runnable atEnd) {
        SseEmitter stream = new SseEmitter(0L); // its thread ends it
        long from = Math.min(after, tail.end());
        count(1);
        Thread.ofVirtual()
                .name("audit-events")
                .start(() -> {
                    try {
                        serve(stream, from, kinds);
                    } finally {
                        count(-1);
                        atEnd.run();
                    }
                });
        return stream;
    }

    private void serve(SseEmitter stream, long after, List<String> kinds) {
        try {
            follow(stream, after, kinds);
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("A stream's client is gone", gone);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            if (StoreFailures.trouble(failed) == null) {
                LOG.error("A stream of entries failed", failed);
            }
        } finally {
            stream.complete();
        }
    }

    private void follow(SseEmitter stream, long after, List<String> kinds)
            throws IOException, InterruptedException {
        long endNs = System.nanoTime() + LONGEST.toNanos();
        long position = after;
        stream.send(SseEmitter.event().reconnectTime(RETRY_MS));
        while (!isClosed() && System.nanoTime() < endNs) {
            long last = awaitAfter(position);
            if (last == position) {
                stream.send(SseEmitter.event().comment("")); // notices a client that is gone
            }
            while (position < last) {
                List<AuditQueries.Entry> next = audit.after(position, last, kinds, BATCH);
                for (AuditQueries.Entry entry : next) {
                    stream.send(
                            SseEmitter.event()
                                    .id(String.valueOf(entry.id()))
                                    .data(CloudEvent.of(entry)));
                }
                position = next.size() < BATCH ? last : next.getLast().id();
            }
        }
    }

    /** The last number that may be read, or the position when nothing came for a while. */
    private long awaitAfter(long position) throws InterruptedException {
        long leftNs = BEAT.toNanos();
        lock.lock();
        try {
            while (settled <= position && !closed && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
            return Math.max(position, settled);
        } finally {
            lock.unlock();
        }
    }

    /** Looks for what is new, while there are streams. */
    @Scheduled(fixedDelay = 500, timeUnit = TimeUnit.MILLISECONDS)
    void look() throws InterruptedException {
        long before;
        lock.lock();
        try {
            if (streams == 0) {
                return;
            }
            before = settled;
        } finally {
            lock.unlock();
        }
        long now = tail.settledAfter(before);
        lock.lock();
        try {
            settled = now;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void count(int more) {
        lock.lock();
        try {
            streams += more;
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
