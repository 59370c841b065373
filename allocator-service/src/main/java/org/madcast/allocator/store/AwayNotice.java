package org.madcast.allocator.store;

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

    private final OnceAMinute notice = new OnceAMinute();

    /** Something failed since the database is away. */
    public void tell(Throwable failure) {
        if (notice.isDue()) {
            LOG.warn("The database does not answer: {}", failure.getMessage());
        }
    }
}
