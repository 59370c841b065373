package org.madcast.allocator.error;

import org.madcast.allocator.store.AwayNotice;
import org.madcast.allocator.store.StoreFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** Judges what no controller expected, and tells the log what is not the asker's fault. */
@Component
public class Unexpected {

    private static final Logger LOG = LoggerFactory.getLogger(Unexpected.class);

    private final AwayNotice away;

    Unexpected(AwayNotice away) {
        this.away = away;
    }

    /** The status to answer with. From any thread. */
    public HttpStatus judge(RequestInfo asked, Exception failure) {
        if (StoreFailures.isUnstorable(failure)) {
            return HttpStatus.BAD_REQUEST;
        }
        if (StoreFailures.isAway(failure)) {
            away.tell(failure);
            return HttpStatus.SERVICE_UNAVAILABLE;
        }
        LOG.error("{} {} failed", asked.method(), asked.path(), failure);
        return HttpStatus.INTERNAL_SERVER_ERROR;
    }
}
