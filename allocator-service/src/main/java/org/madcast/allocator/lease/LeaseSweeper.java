package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import org.madcast.allocator.audit.Actor;
import org.madcast.allocator.audit.AuditKind;
import org.madcast.allocator.store.SqlTime;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tidies up behind leases. Nothing waits for it: groups become free by the time alone. Replicas
 * share the work, each passing over the rows that another has claimed.
 */
@Component
class LeaseSweeper {

    private static final int BATCH = 2000;

    private final JdbcClient jdbc;
    private final SlotStore slots;
    private final SqlTime time;
    private final long retentionSeconds;

    LeaseSweeper(
            JdbcClient jdbc,
            SlotStore slots,
            SqlTime time,
            @Value("${madcast.lease.retention:7d}") Duration retention) {
        this.jdbc = jdbc;
        this.slots = slots;
        this.time = time;
        this.retentionSeconds = retention.toSeconds();
    }

    /**
     * Frees what could not be freed at once, takes groups whose quarantine is over out of the
     * indexes, and old leases out of the table. When a lease expired is recorded here, since no
     * request causes it.
     */
    @Scheduled(fixedDelayString = "${madcast.lease.sweep-interval:5s}")
    void sweep() {
        slots.freeLate();
        int settled;
        do {
            settled = settle();
        } while (settled == BATCH);
        forgetReservations();
        int forgotten;
        do {
            forgotten = forget();
        } while (forgotten == BATCH);
    }

    private int settle() {
        return jdbc.sql(
                        """
                        with settled as (
                            update lease_group set settled = true
                            where (lease_id, ordinal) in (
                                select lease_id, ordinal from lease_group
                                where not settled
                                    and upper(blocked) < now() - interval '10 seconds'
                                limit :batch for update skip locked)
                            returning lease_id, ordinal),
                        expired as (
                            insert into audit (at, what, who, role, subject, lease, detail)
                            select l.expires_at, :what, :who, :role, l.job, l.id,
                                json_build_object('scope', l.scope)
                            from settled join lease l on l.id = settled.lease_id
                            where settled.ordinal = 0 and l.released_at is null
                                and exists (select from audit where lease = l.id))
                        select count(*) from settled
                        """)
                .param("batch", BATCH)
                .param("what", AuditKind.LEASE_EXPIRED.word())
                .param("who", Actor.SERVICE.name())
                .param("role", Actor.SERVICE.role())
                .query(Integer.class)
                .single();
    }

    /** Forgets reservations that ended, once no lease's group names them any more. */
    private void forgetReservations() {
        jdbc.sql(
                        """
                        delete from reservation r where until < now()
                            and not exists (select from lease_group where reservation = r.id)
                        """)
                .update();
    }

    /**
     * Forgets what ended long ago and rests no more, be it that it expired or was released. Such a
     * lease was granted even earlier, which its number tells: no index has to know when leases
     * ended, and to be written at each release.
     */
    private int forget() {
        Instant old = time.now().minusSeconds(retentionSeconds);
        return jdbc.sql(
                        """
                        delete from lease where id in (
                            select id from lease
                            where id < :number and least(expires_at, released_at) < :old
                                and coalesce((select bool_and(g.settled) from lease_group g
                                    where g.lease_id = lease.id), true)
                            limit :batch for update skip locked)
                        """)
                .param("number", LeaseNumbers.before(old))
                .param("old", SqlTime.of(old))
                .param("batch", BATCH)
                .update();
    }
}
