package org.madcast.allocator.statistics;

import java.lang.reflect.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/** The report table: the latest of each rank. Every method joins the caller's transaction. */
@Repository
class ReportStore {

    private static final TypeReference<Map<String, Long>> COUNTS = new TypeReference<>() {};

    private static final String GLANCES =
            """
            select communicator_id, max(totals[%1$d]) as broadcasts,
                coalesce(100.0 * sum(totals[%2$d]) / nullif(sum(totals[%3$d]), 0), 0) as loss,
                (array_agg(rank order by part desc, rank))[1] as worst_rank, max(part) as worst_loss
            from (select *, coalesce(100.0 * totals[%2$d] / nullif(totals[%3$d], 0), 0) as part
                from report where communicator_id = any(:ids) and sequence >= 0) as r
            group by communicator_id
            """
                    .formatted(
                            RankCount.BROADCASTS.column(),
                            RankCount.FRAGMENTS_LOST.column(),
                            RankCount.FRAGMENTS_USEFUL.column());

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    ReportStore(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** Whose report. */
    record Key(UUID communicator, int rank) implements Comparable<Key> {

        static Key of(Report report) {
            return new Key(report.communicatorId(), report.rank());
        }

        @Override
        public int compareTo(Key other) {
            int order = communicator.compareTo(other.communicator);
            return order != 0 ? order : Integer.compare(rank, other.rank);
        }
    }

    /** What is known of a rank's process before a report. */
    record Latest(String instanceHash, long sequence, List<Long> totals) {}

    /** A report to keep as its rank's latest. */
    record Kept(Report report, String instanceHash, List<Long> totals) {}

    /**
     * The latest of each rank, locked until the transaction's end, so that replicas that get the
     * same report count it once. Ranks of a communicator that is forgotten, and such as it does not
     * have, are left out.
     */
    Map<Key, Latest> lock(Collection<Key> keys) {
        UUID[] communicators = keys.stream().map(Key::communicator).toArray(UUID[]::new);
        Integer[] ranks = keys.stream().map(Key::rank).toArray(Integer[]::new);
        Map<Key, Latest> found = lockThere(communicators, ranks);
        if (found.size() == keys.size()) {
            return found;
        }
        jdbc.sql(
                        """
                        insert into report (communicator_id, rank, instance_hash, sequence,
                            received_at, counters, rejected)
                        select k.c, k.r, '', -1, now(), '{}', '{}'
                        from unnest(:communicators::uuid[], :ranks::int[]) as k(c, r)
                        join communicator on communicator.id = k.c and k.r < communicator.size
                        order by k.c, k.r
                        on conflict do nothing
                        """)
                .param("communicators", communicators)
                .param("ranks", ranks)
                .update();
        return lockThere(communicators, ranks);
    }

    private Map<Key, Latest> lockThere(UUID[] communicators, Integer[] ranks) {
        Map<Key, Latest> found = new HashMap<>();
        jdbc.sql(
                        """
                        select communicator_id, rank, instance_hash, sequence, totals from report
                        where (communicator_id, rank) in (
                            select * from unnest(:communicators::uuid[], :ranks::int[]))
                        order by communicator_id, rank for update
                        """)
                .param("communicators", communicators)
                .param("ranks", ranks)
                .query(row -> {
                    found.put(
                            new Key(row.getObject(1, UUID.class), row.getInt(2)),
                            new Latest(row.getString(3), row.getLong(4), totals(row)));
                });
        return found;
    }

    private static List<Long> totals(ResultSet row) throws SQLException {
        Long[] stored = (Long[]) row.getArray("totals").getArray();
        List<Long> totals = new ArrayList<>(RankCount.none());
        for (int i = 0; i < Math.min(stored.length, totals.size()); i++) {
            totals.set(i, stored[i]);
        }
        return totals;
    }

    /** Makes each the latest of its rank; there is a locked row for each. */
    void keep(List<Kept> reports) {
        jdbc.sql(
                        """
                        update report as r set instance_hash = k.instance_hash,
                            sequence = k.sequence, received_at = now(),
                            counters = k.counters::jsonb, rejected = k.rejected::jsonb,
                            socket_path = k.socket_path, dropped = k.dropped,
                            totals = k.totals::bigint[],
                            foreign_senders = k.senders::text[]
                        from unnest(:communicators::uuid[], :ranks::int[], :hashes::text[],
                            :sequences::bigint[], :counters::text[], :rejected::text[],
                            :paths::text[], :dropped::bigint[], :totals::text[],
                            :senders::text[])
                            as k(communicator_id, rank, instance_hash, sequence, counters,
                                rejected, socket_path, dropped, totals, senders)
                        where r.communicator_id = k.communicator_id and r.rank = k.rank
                        """)
                .param("communicators", column(reports, UUID.class, it -> it.communicatorId()))
                .param("ranks", column(reports, Integer.class, Report::rank))
                .param("hashes", reports.stream().map(Kept::instanceHash).toArray(String[]::new))
                .param("sequences", column(reports, Long.class, Report::sequence))
                .param("counters", column(reports, String.class, it -> write(it.counters())))
                .param("rejected", column(reports, String.class, it -> write(it.rejected())))
                .param("paths", column(reports, String.class, it -> path(it)))
                .param("dropped", column(reports, Long.class, Report::dropped))
                .param("senders", column(reports, String.class, ReportStore::senders))
                .param(
                        "totals",
                        reports.stream()
                                .map(it -> it.totals().toString())
                                .map(it -> it.replace('[', '{').replace(']', '}'))
                                .toArray(String[]::new))
                .update();
    }

    @SuppressWarnings("unchecked")
    private static <T> T[] column(List<Kept> reports, Class<T> type, Function<Report, T> value) {
        T[] column = (T[]) Array.newInstance(type, reports.size());
        for (int i = 0; i < column.length; i++) {
            column[i] = value.apply(reports.get(i).report());
        }
        return column;
    }

    /** As PostgreSQL writes an array; what an endpoint is made of needs no more than quotes. */
    private static String senders(Report report) {
        return report.foreignSenders().stream()
                .map(it -> '"' + it + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String path(Report report) {
        String path = report.socketPath();
        return path == null ? "" : path;
    }

    private String write(Object value) {
        return json.writeValueAsString(value);
    }

    Map<UUID, StatisticsService.Glance> glances(Collection<UUID> communicators) {
        Map<UUID, StatisticsService.Glance> glances = new HashMap<>();
        jdbc.sql(GLANCES)
                .param("ids", communicators.toArray(UUID[]::new))
                .query(row -> {
                    glances.put(
                            row.getObject("communicator_id", UUID.class),
                            new StatisticsService.Glance(
                                    row.getLong("broadcasts"),
                                    row.getDouble("loss"),
                                    row.getInt("worst_rank"),
                                    row.getDouble("worst_loss")));
                });
        return glances;
    }

    /**
     * The senders of what a communicator's ranks counted as foreign: the latest few of each rank.
     */
    List<String> foreignSenders(UUID communicator, int limit) {
        return jdbc.sql(
                        """
                        select distinct unnest(foreign_senders) as sender from report
                        where communicator_id = ? order by sender limit ?
                        """)
                .params(communicator, limit)
                .query(String.class)
                .list();
    }

    boolean hasCommunicator(UUID id) {
        return jdbc.sql("select exists(select from communicator where id = ?)")
                .param(id)
                .query(Boolean.class)
                .single();
    }

    List<RankStatistics> ranks(UUID communicator) {
        return jdbc.sql(
                        """
                        select * from report where communicator_id = ? and sequence >= 0
                        order by rank
                        """)
                .param(communicator)
                .query(this::readRank)
                .list();
    }

    private RankStatistics readRank(ResultSet row, int index) throws SQLException {
        String path = row.getString("socket_path");
        return new RankStatistics(
                row.getInt("rank"),
                SqlTime.get(row, "received_at"),
                json.readValue(row.getString("counters"), Counters.class),
                json.readValue(row.getString("rejected"), COUNTS),
                path == null || path.isEmpty() ? null : path,
                row.getLong("dropped"));
    }
}
