package org.madcast.allocator.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.task.SimpleAsyncTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ErrorHandler;

/**
 * What is said of failures of what runs again and again: while the database is away all of it
 * fails, each time, and one line a minute tells as much as hundreds.
 */
@Configuration(proxyBeanMethods = false)
class ScheduledFailures {

    @Bean
    SimpleAsyncTaskSchedulerCustomizer quietWhileTheDatabaseIsAway() {
        return scheduler -> scheduler.setErrorHandler(new Told());
    }

    /** Any thread calls. */
    static final class Told implements ErrorHandler {

        private static final Logger LOG = LoggerFactory.getLogger(ScheduledFailures.class);
        private static final long EVERY_NS = Duration.ofMinutes(1).toNanos();

        private final AtomicLong dueNs = new AtomicLong(System.nanoTime());

        @Override
        public void handleError(Throwable failure) {
            if (!StoreFailures.isAway(failure)) {
                LOG.error("What runs now and then failed, and is tried again", failure);
                return;
            }
            long due = dueNs.get();
            long nowNs = System.nanoTime();
            if (nowNs - due >= 0 && dueNs.compareAndSet(due, nowNs + EVERY_NS)) {
                LOG.warn("The database does not answer: {}", failure.getMessage());
            }
        }
    }
}
