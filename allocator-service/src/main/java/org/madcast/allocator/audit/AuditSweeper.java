package org.madcast.allocator.audit;

import java.time.Duration;
import java.util.List;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Writes refusals, and removes entries that are old enough. Replicas share the work. */
@Component
class AuditSweeper {

    private static final int BATCH = 5000;

    private final JdbcClient jdbc;
    private final SqlTime time;
    private final AuditLog audit;
    private final Refusals refusals;
    private final Duration retention;

    AuditSweeper(
            JdbcClient jdbc,
            SqlTime time,
            AuditLog audit,
            Refusals refusals,
            AuditProperties properties) {
        this.jdbc = jdbc;
        this.time = time;
        this.audit = audit;
        this.refusals = refusals;
        this.retention = properties.retention();
    }

    /** Writes what was refused since the last time. */
    @Scheduled(fixedDelay = 500)
    void writeRefusals() {
        List<AuditEntry> due = refusals.due();
        audit.recordAll(due);
    }

    /** Forgets what is older than the retention. */
    @Scheduled(fixedDelayString = "${madcast.audit.sweep-interval:1m}")
    void forget() {
        int forgotten;
        do {
            forgotten = forgetSome();
        } while (forgotten == BATCH);
    }

    /** Numbers follow the time closely enough: only the first ones are looked at. */
    private int forgetSome() {
        return jdbc.sql(
                        """
                        delete from audit where id in (
                            select id from (
                                select id, at from audit order by id limit :batch) as first
                            where at < :old)
                        """)
                .param("batch", BATCH)
                .param("old", SqlTime.of(time.now().minus(retention)))
                .update();
    }
}
