package org.madcast.allocator.lease;

import java.time.Duration;
import java.util.List;
import org.madcast.allocator.scope.Filling;
import org.madcast.allocator.store.ComputedOnce;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * How full the scopes are, for everybody who asks. While there are few groups, each answer shows
 * all that happened before the question. Counting many takes tenths of a second: then the answer is
 * what was counted last, and a count that is some seconds old is followed by another one behind the
 * asker's back. From any thread.
 */
@Component
class SharedCount implements Filling.Counter {

    /** So many groups are counted in about 50 ms. */
    static final long MANY = 20_000;

    private static final Logger LOG = LoggerFactory.getLogger(SharedCount.class);
    private static final Duration OLD = Duration.ofSeconds(5);

    private final ComputedOnce<List<Filling>> counted;

    SharedCount(LeaseQueries queries) {
        this.counted = new ComputedOnce<>(queries::filling);
    }

    @Override
    public List<Filling> filling() {
        List<Filling> last = counted.last();
        if (last == null || last.stream().mapToLong(Filling::inUse).sum() < MANY) {
            return counted.fresh();
        }
        if (counted.isOlderThan(OLD)) {
            Thread.ofVirtual().name("filling-count").start(this::count);
        }
        return last;
    }

    /** What is counted from now on. */
    List<Filling> fresh() {
        return counted.fresh();
    }

    private void count() {
        try {
            counted.within(OLD);
        } catch (DataAccessException | TransactionException trouble) {
            LOG.debug("Not counted; the next request counts", trouble);
        }
    }
}
