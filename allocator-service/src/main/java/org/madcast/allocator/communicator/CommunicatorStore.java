package org.madcast.allocator.communicator;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The communicator table. Every method joins the caller's transaction. */
@Repository
class CommunicatorStore {

    private static final String COLUMNS =
            "select id, job, name, parent_id, size, token, owned_by, lease_id, created_at,"
                    + " completed_at, ended_at, end_reason from communicator ";

    /** A member that has not left and is not overdue. */
    private static final String LIVING_MEMBER =
            "m.communicator_id = c.id and m.left_at is null and m.expires_at > now()";

    private final JdbcClient jdbc;
    private final SqlTime time;

    CommunicatorStore(JdbcClient jdbc, SqlTime time) {
        this.jdbc = jdbc;
        this.time = time;
    }

    Instant now() {
        return time.now();
    }

    Optional<Communicator> find(UUID id) {
        return jdbc.sql(COLUMNS + "where id = ?").param(id).query(this::read).optional();
    }

    /**
     * The living one that has this name: the parent's child, or without a parent the job's own, of
     * this owner, else one from before owners were noted. An earlier one that has passed its name
     * on may live beside it.
     */
    Optional<Communicator> findLiving(CommunicatorService.Request wanted) {
        return wanted.parent() == null
                ? jdbc.sql(
                                COLUMNS
                                        + "where job = ? and name = ? and parent_id is null"
                                        + " and ended_at is null and passed_on_at is null"
                                        + " and (owned_by = ? or owned_by is null)"
                                        + " order by owned_by nulls last limit 1")
                        .params(wanted.job(), wanted.name(), wanted.by().owner())
                        .query(this::read)
                        .optional()
                : jdbc.sql(
                                COLUMNS
                                        + "where parent_id = ? and name = ?"
                                        + " and ended_at is null and passed_on_at is null")
                        .params(wanted.parent(), wanted.name())
                        .query(this::read)
                        .optional();
    }

    /** Whether a member of a living communicator is overdue. */
    boolean hasLoss(UUID id) {
        return jdbc.sql(
                        """
                        select exists (select 1 from member
                            where communicator_id = ? and left_at is null
                                and expires_at <= now())
                        """)
                .param(id)
                .query(Boolean.class)
                .single();
    }

    /** The newest ones first. */
    List<Communicator> recent(int limit) {
        return jdbc.sql(COLUMNS + "order by (ended_at is not null), created_at desc limit ?")
                .param(limit)
                .query(this::read)
                .list();
    }

    /**
     * False when there is a living one already; the transaction that was making it has committed by
     * then.
     */
    boolean insert(Communicator fresh, Duration leaseDuration) {
        return jdbc.sql(
                                """
                                insert into communicator
                                    (id, job, name, parent_id, size, token, owned_by,
                                        lease_seconds, created_at)
                                values (:id, :job, :name, :parent, :size, :token, :ownedBy,
                                    :leaseSeconds, :createdAt)
                                on conflict do nothing
                                """)
                        .param("id", fresh.id())
                        .param("job", fresh.job())
                        .param("name", fresh.name())
                        .param("parent", fresh.parentId())
                        .param("size", fresh.size())
                        .param("token", fresh.token())
                        .param("ownedBy", fresh.ownedBy())
                        .param("leaseSeconds", leaseDuration.toSeconds())
                        .param("createdAt", SqlTime.of(fresh.createdAt()))
                        .update()
                == 1;
    }

    void setLease(UUID id, UUID lease) {
        jdbc.sql("update communicator set lease_id = ? where id = ?").params(lease, id).update();
    }

    /** From now on the name is free for another; the members of this one stay in it. */
    void passNameOn(UUID id) {
        jdbc.sql(
                        """
                        update communicator set passed_on_at = coalesce(passed_on_at, now())
                        where id = ?
                        """)
                .param(id)
                .update();
    }

    void delete(UUID id) {
        jdbc.sql("delete from communicator where id = ?").param(id).update();
    }

    Duration leaseDuration(UUID id) {
        return Duration.ofSeconds(
                jdbc.sql("select lease_seconds from communicator where id = ?")
                        .param(id)
                        .query(Long.class)
                        .single());
    }

    /**
     * Notes that all ranks are here, once, and the last one of the topologies that have all of
     * their hosts; true when this call noted it.
     */
    boolean completeIfAllCame(UUID id) {
        String sql =
                """
                update communicator c set completed_at = now(),
                    topology = (select t.id from topology t
                        join topology_host h on h.topology = t.id
                        join member m on h.known_as in (KNOWN_AS) and LIVING_MEMBER
                        where t.removed_at is null
                        group by t.id having count(distinct m.rank) = c.size
                        order by t.id desc limit 1)
                where c.id = ? and c.completed_at is null and c.ended_at is null
                    and c.size = (select count(*) from member m where LIVING_MEMBER)
                """;
        return jdbc.sql(
                                sql.replace("LIVING_MEMBER", LIVING_MEMBER)
                                        .replace("KNOWN_AS", MemberStore.KNOWN_AS))
                        .param(id)
                        .update()
                == 1;
    }

    /** The number of the topology that its ranks have, if they have one. */
    Optional<Long> topology(UUID id) {
        return jdbc.sql("select topology from communicator where id = ? and topology is not null")
                .param(id)
                .query(Long.class)
                .optional();
    }

    /** Ends a communicator without members, once; gives its lease when this call ended it. */
    Optional<UUID> endIfDeserted(UUID id, String reason) {
        String sql =
                """
                update communicator c set ended_at = now(), end_reason = ?
                where c.id = ? and c.ended_at is null
                    and not exists (select 1 from member m where LIVING_MEMBER)
                returning c.lease_id
                """;
        return jdbc.sql(sql.replace("LIVING_MEMBER", LIVING_MEMBER))
                .params(reason, id)
                .query(UUID.class)
                .optional();
    }

    /** Ends a communicator, once; true when this call ended it. */
    boolean end(UUID id, String reason) {
        return jdbc.sql(
                                """
                                update communicator set ended_at = now(), end_reason = ?
                                where id = ? and ended_at is null
                                """)
                        .params(reason, id)
                        .update()
                == 1;
    }

    /** Ends a communicator whose group is no longer its own, once; true when this call ended it. */
    boolean endIfLeaseOver(UUID id) {
        return jdbc.sql(
                                """
                                update communicator c
                                set ended_at = now(), end_reason = 'lease expired'
                                where c.id = ? and c.ended_at is null
                                    and not exists (select 1 from lease l
                                        where l.id = c.lease_id and l.released_at is null
                                            and l.expires_at > now())
                                """)
                        .param(id)
                        .update()
                == 1;
    }

    /**
     * Claims communicators that have had no members for a while, or whose lease is over.
     *
     * @param patience how long a communicator may wait for its first member
     */
    List<UUID> claimDeserted(Duration patience, int limit) {
        String sql =
                """
                select c.id from communicator c left join lease l on l.id = c.lease_id
                where c.ended_at is null
                    and (l.id is null or l.released_at is not null or l.expires_at <= now()
                        or (not exists (select 1 from member m where LIVING_MEMBER)
                            and (c.created_at < now() - make_interval(secs => :patience)
                                or exists (select 1 from member any_member
                                    where any_member.communicator_id = c.id))))
                limit :limit for update of c skip locked
                """;
        return jdbc.sql(sql.replace("LIVING_MEMBER", LIVING_MEMBER))
                .param("patience", (double) patience.toSeconds())
                .param("limit", limit)
                .query(UUID.class)
                .list();
    }

    /** Removes what ended long ago, reports included. */
    int forget(Duration retention, int limit) {
        return jdbc.sql(
                        """
                        delete from communicator where id in (
                            select id from communicator
                            where ended_at < now() - make_interval(secs => :retention)
                            limit :limit for update skip locked)
                        """)
                .param("retention", (double) retention.toSeconds())
                .param("limit", limit)
                .update();
    }

    /** Wakes those that wait for this communicator, on every replica, once this is committed. */
    void notifyWaiting(UUID id) {
        jdbc.sql("select pg_notify(:channel, :id)")
                .param("channel", CommunicatorNotifications.CHANNEL)
                .param("id", id.toString())
                .query((row, index) -> true)
                .single();
    }

    private Communicator read(ResultSet row, int index) throws SQLException {
        return new Communicator(
                row.getObject("id", UUID.class),
                row.getString("job"),
                row.getString("name"),
                row.getObject("parent_id", UUID.class),
                row.getInt("size"),
                row.getString("token"),
                row.getString("owned_by"),
                row.getObject("lease_id", UUID.class),
                SqlTime.get(row, "created_at"),
                SqlTime.getOrNull(row, "completed_at"),
                SqlTime.getOrNull(row, "ended_at"),
                row.getString("end_reason"));
    }
}
