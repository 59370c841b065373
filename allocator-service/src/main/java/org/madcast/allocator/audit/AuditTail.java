package org.madcast.allocator.audit;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The end of what is recorded. An entry gets its number before its transaction ends, so that a
 * lower number may appear after a higher one; those who read in order ask here how far that is
 * safe. From any thread.
 */
@Component
class AuditTail {

    private static final long LOOK_MS = 20;
    private static final int LOOKS = 250;

    private final JdbcClient jdbc;

    AuditTail(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** The number of the latest entry, 0 without any. */
    long end() {
        return jdbc.sql("select coalesce(max(id), 0) from audit").query(Long.class).single();
    }

    /**
     * The number up to which all entries are committed that ever will be. Waits for transactions
     * that are under way.
     *
     * @param position what the answer is when there is nothing new, or a transaction takes long
     */
    long settledAfter(long position) throws InterruptedException {
        long last = lastNumber();
        if (last <= position) {
            return position;
        }
        Thread.sleep(LOOK_MS); // the transaction that got the number has begun to write by then
        String next = nextTransaction();
        for (int i = 0; i < LOOKS; i++) {
            if (haveEnded(next)) {
                return last;
            }
            Thread.sleep(LOOK_MS);
        }
        return position;
    }

    /** The highest number that an entry has got, be it committed or not. */
    private long lastNumber() {
        // Of a new sequence, last_value is the number that the first entry will get.
        return jdbc.sql("select case when is_called then last_value else 0 end from audit_id_seq")
                .query(Long.class)
                .single();
    }

    /** Of transactions, the first that has not begun to write. */
    private String nextTransaction() {
        return jdbc.sql("select pg_snapshot_xmax(pg_current_snapshot())::text")
                .query(String.class)
                .single();
    }

    /** Whether all transactions before this one have ended. */
    private boolean haveEnded(String before) {
        return jdbc.sql("select pg_snapshot_xmin(pg_current_snapshot()) >= ?::xid8")
                .param(before)
                .query(Boolean.class)
                .single();
    }
}
