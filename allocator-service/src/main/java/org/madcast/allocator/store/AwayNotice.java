package org.madcast.allocator.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Logs that the database is away, once a minute, since meanwhile each request and each scheduled
 * task fails. Any thread calls.
 */
@Component
public class AwayNotice {

    private static final Logger LOG = LoggerFactory.getLogger(AwayNotice.class);
    private static final long EVERY_NS = Duration.ofMinutes(1).toNanos();

    private final AtomicLong dueNs = new AtomicLong(System.nanoTime());

    /** Something failed since the database is away. */
    public void tell(Throwable failure) {
        long due = dueNs.get();
        long nowNs = System.nanoTime();
        if (nowNs - due >= 0 && dueNs.compareAndSet(due, nowNs + EVERY_NS)) {
            LOG.warn("The database does not answer: {}", failure.getMessage());
        }
    }
}
