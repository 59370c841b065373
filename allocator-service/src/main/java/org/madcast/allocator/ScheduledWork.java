package org.madcast.allocator;

import org.madcast.allocator.store.StoreWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Runs what runs again and again. The framework's own scheduler for virtual threads has one thread
 * for all of it, so that open pages would hear nothing while something else waits for a database
 * that is away. Here each has a thread when it is due, and begins again only after it has ended.
 */
@Configuration(proxyBeanMethods = false)
class ScheduledWork {

    /** As many as there are methods to run, or more. */
    static final int THREADS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ScheduledWork.class);

    @Bean
    ThreadPoolTaskScheduler taskScheduler(StoreWatch database) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(THREADS);
        scheduler.setVirtualThreads(true);
        scheduler.setThreadNamePrefix("scheduled-");
        scheduler.setErrorHandler(failure -> tell(failure, database));
        return scheduler;
    }

    private static void tell(Throwable failure, StoreWatch database) {
        if (database.judge(failure) == null) {
            LOG.error("What runs now and then failed, and is tried again", failure);
        }
    }
}
