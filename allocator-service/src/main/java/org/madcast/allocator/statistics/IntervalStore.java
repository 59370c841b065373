package org.madcast.allocator.statistics;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The statistics_interval table. Every method joins the caller's transaction. */
@Repository
class IntervalStore {

    /** The key of the advisory lock under which one replica rolls up: "madcast" and the level. */
    private static final long ROLLUP_LOCK = 0x6d61_6463_6173_7400L;

    private static final int FETCHED = 50;

    private final JdbcClient jdbc;
    private final SumsJson json;

    IntervalStore(JdbcClient jdbc, SumsJson json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** A stored interval. */
    record Row(long id, UUID communicator, Instant at, IntervalSums sums) {}

    /** Whose interval of a level. */
    record Slot(UUID communicator, Instant at) {}

    void addRaw(Map<UUID, IntervalSums> batch) {
        jdbc.sql(
                        """
                        insert into statistics_interval (level, communicator_id, at, sums)
                        select 0, c, now(), s::json
                        from unnest(:communicators::uuid[], :sums::text[]) as k(c, s)
                        """)
                .param("communicators", batch.keySet().toArray(UUID[]::new))
                .param("sums", batch.values().stream().map(json::write).toArray(String[]::new))
                .update();
    }

    /** False when another replica is at it. Held to the transaction's end. */
    boolean claimRollup() {
        return jdbc.sql("select pg_try_advisory_xact_lock(?)")
                .param(ROLLUP_LOCK)
                .query(Boolean.class)
                .single();
    }

    /** Takes raw rows of some communicators that are in no sum yet and marks them. */
    List<Row> claimRaw(int communicators, int limit) {
        return jdbc.sql(
                        """
                        with chosen as (
                            select distinct communicator_id from statistics_interval
                            where level = 0 and not rolled limit ?),
                        claimed as (
                            select id from statistics_interval
                            where level = 0 and not rolled
                                and communicator_id in (select communicator_id from chosen)
                            order by id limit ? for update skip locked)
                        update statistics_interval as i set rolled = true from claimed
                        where i.id = claimed.id
                        returning i.id, i.communicator_id, i.at, i.sums
                        """)
                .params(communicators, limit)
                .query(this::read)
                .list();
    }

    /**
     * Adds to the rows of a level; only under the claim of the rollup.
     *
     * @return what is in those rows then
     */
    Map<Slot, IntervalSums> merge(Level level, Map<Slot, IntervalSums> more) {
        Map<Slot, IntervalSums> merged = new HashMap<>(more);
        for (Row row : there(level, more.keySet())) {
            Slot slot =
                    new Slot(row.communicator(), level == Level.TOTAL ? Instant.EPOCH : row.at());
            IntervalSums sums = more.get(slot);
            if (sums != null) {
                row.sums().add(sums); // what is there keeps its names
                merged.put(slot, row.sums());
            }
        }
        String conflict =
                level == Level.TOTAL
                        ? "(communicator_id) where level = 3"
                        : "(communicator_id, level, at) where level in (1, 2)";
        jdbc.sql(
                        """
                        insert into statistics_interval (level, communicator_id, at, sums)
                        select :level, c, case when :level = 3 then now() else a end, s::json
                        from unnest(:communicators::uuid[], :ats::text[]::timestamptz[], :sums::text[])
                            as k(c, a, s)
                        on conflict %s do update set sums = excluded.sums, at = excluded.at
                        """
                                .formatted(conflict))
                .param("level", level.number())
                .param("communicators", communicators(merged.keySet()))
                .param("ats", ats(merged.keySet()))
                .param("sums", merged.values().stream().map(json::write).toArray(String[]::new))
                .update();
        return merged;
    }

    private List<Row> there(Level level, Collection<Slot> slots) {
        return jdbc.sql(
                        """
                        select i.id, i.communicator_id, i.at, i.sums
                        from unnest(:communicators::uuid[], :ats::text[]::timestamptz[]) as k(c, a)
                        join statistics_interval i on i.communicator_id = k.c
                            and i.level = :level and (i.level = 3 or i.at = k.a)
                        """)
                .param("level", level.number())
                .param("communicators", communicators(slots))
                .param("ats", ats(slots))
                .query(this::read)
                .list();
    }

    private static UUID[] communicators(Collection<Slot> slots) {
        return slots.stream().map(Slot::communicator).toArray(UUID[]::new);
    }

    private static String[] ats(Collection<Slot> slots) {
        return slots.stream().map(it -> it.at().toString()).toArray(String[]::new);
    }

    /** Rows of a communicator from a time on, the oldest first. */
    List<Row> since(Level level, UUID communicator, Instant from) {
        return jdbc.sql(
                        """
                        select id, communicator_id, at, sums from statistics_interval
                        where communicator_id = ? and level = ? and at >= ? order by at
                        """)
                .params(communicator, level.number(), SqlTime.of(from))
                .query(this::read)
                .list();
    }

    /** Raw rows of a communicator that are not in its other levels yet. */
    List<Row> unrolled(UUID communicator) {
        return jdbc.sql(
                        """
                        select id, communicator_id, at, sums from statistics_interval
                        where communicator_id = ? and level = 0 and not rolled
                        """)
                .param(communicator)
                .query(this::read)
                .list();
    }

    /**
     * Minutes of all communicators that began since then, those of a communicator one behind the
     * other. They are read a few at a time: all of them are more than fits.
     */
    void eachMinute(Duration age, Consumer<Row> to) {
        jdbc.sql(
                        """
                        select id, communicator_id, at, sums from statistics_interval
                        where level = 1 and at >= now() - make_interval(secs => ?)
                        order by communicator_id
                        """)
                .withFetchSize(FETCHED)
                .param((double) age.toSeconds())
                .query((RowCallbackHandler) row -> to.accept(read(row, 0)));
    }

    /** Deletes some of what is older than its level is kept; replicas share the work. */
    int forget(Level level, Duration age, int limit) {
        return jdbc.sql(
                        """
                        delete from statistics_interval where id in (
                            select id from statistics_interval
                            where level = :level and (level > 0 or rolled)
                                and at < now() - make_interval(secs => :seconds)
                            limit :limit for update skip locked)
                        """)
                .param("level", level.number())
                .param("seconds", (double) age.toSeconds())
                .param("limit", limit)
                .update();
    }

    private Row read(ResultSet row, int index) throws SQLException {
        return new Row(
                row.getLong("id"),
                row.getObject("communicator_id", UUID.class),
                SqlTime.get(row, "at"),
                json.read(row.getString("sums")));
    }
}
