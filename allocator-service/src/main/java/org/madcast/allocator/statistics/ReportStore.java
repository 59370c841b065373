package org.madcast.allocator.statistics;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/** The report and broadcast_site tables. Every method joins the caller's transaction. */
@Repository
class ReportStore {

    private static final TypeReference<Map<String, Long>> COUNTS = new TypeReference<>() {};

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    ReportStore(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** Keeps a report as its rank's latest; false when it is not newer than what there is. */
    boolean keep(Report report, String instanceHash) {
        return jdbc.sql(
                                """
                                insert into report as r (communicator_id, rank, instance_hash,
                                    sequence, received_at, counters, rejected, socket_path, dropped)
                                values (:communicator, :rank, :instanceHash, :sequence, now(),
                                    :counters::jsonb, :rejected::jsonb, :socketPath, :dropped)
                                on conflict (communicator_id, rank) do update set
                                    instance_hash = excluded.instance_hash,
                                    sequence = excluded.sequence,
                                    received_at = excluded.received_at,
                                    counters = excluded.counters, rejected = excluded.rejected,
                                    socket_path = excluded.socket_path, dropped = excluded.dropped
                                where r.instance_hash <> excluded.instance_hash
                                    or r.sequence < excluded.sequence
                                """)
                        .param("communicator", report.communicator())
                        .param("rank", report.rank())
                        .param("instanceHash", instanceHash)
                        .param("sequence", report.sequence())
                        .param("counters", json.writeValueAsString(report.counters()))
                        .param("rejected", json.writeValueAsString(report.rejected()))
                        .param("socketPath", report.socketPath())
                        .param("dropped", report.dropped())
                        .update()
                == 1;
    }

    /**
     * Adds broadcasts to a rank's. Percentiles of several reports are averaged by their counts: an
     * approximation, unlike count, sum and maximum.
     */
    void add(UUID communicator, int rank, BroadcastSite site) {
        jdbc.sql(
                        """
                        insert into broadcast_site as b (communicator_id, rank, size_class,
                            algorithm, count, bytes, sum_ns, p50_ns, p99_ns, max_ns)
                        values (:communicator, :rank, :sizeClass, :algorithm, :count, :bytes,
                            :sum, :p50, :p99, :max)
                        on conflict (communicator_id, rank, size_class, algorithm) do update set
                            count = b.count + excluded.count, bytes = b.bytes + excluded.bytes,
                            sum_ns = b.sum_ns + excluded.sum_ns,
                            p50_ns = (b.p50_ns::float8 * b.count
                                    + excluded.p50_ns::float8 * excluded.count)
                                / greatest(b.count + excluded.count, 1),
                            p99_ns = (b.p99_ns::float8 * b.count
                                    + excluded.p99_ns::float8 * excluded.count)
                                / greatest(b.count + excluded.count, 1),
                            max_ns = greatest(b.max_ns, excluded.max_ns)
                        """)
                .param("communicator", communicator)
                .param("rank", rank)
                .param("sizeClass", site.sizeClass())
                .param("algorithm", site.algorithm())
                .param("count", site.count())
                .param("bytes", site.bytes())
                .param("sum", site.durationNs().sum())
                .param("p50", site.durationNs().p50())
                .param("p99", site.durationNs().p99())
                .param("max", site.durationNs().max())
                .update();
    }

    List<RankStatistics> ranks(UUID communicator) {
        return jdbc.sql("select * from report where communicator_id = ? order by rank")
                .param(communicator)
                .query(this::readRank)
                .list();
    }

    /** All ranks' broadcasts together. */
    List<BroadcastSite> sites(UUID communicator) {
        return jdbc.sql(
                        """
                        select size_class, algorithm, sum(count)::bigint as count,
                            sum(bytes)::bigint as bytes, sum(sum_ns)::bigint as sum_ns,
                            (sum(p50_ns::float8 * count) / greatest(sum(count), 1))::bigint as p50,
                            max(p99_ns) as p99, max(max_ns) as max
                        from broadcast_site where communicator_id = ?
                        group by size_class, algorithm
                        order by sum(bytes) / greatest(sum(count), 1), size_class, algorithm
                        """)
                .param(communicator)
                .query(ReportStore::readSite)
                .list();
    }

    private RankStatistics readRank(ResultSet row, int index) throws SQLException {
        return new RankStatistics(
                row.getInt("rank"),
                SqlTime.get(row, "received_at"),
                json.readValue(row.getString("counters"), Counters.class),
                json.readValue(row.getString("rejected"), COUNTS),
                row.getString("socket_path"),
                row.getLong("dropped"));
    }

    private static BroadcastSite readSite(ResultSet row, int index) throws SQLException {
        return new BroadcastSite(
                row.getString("size_class"),
                row.getString("algorithm"),
                row.getLong("count"),
                row.getLong("bytes"),
                new BroadcastSite.DurationNs(
                        row.getLong("p50"),
                        row.getLong("p99"),
                        row.getLong("max"),
                        row.getLong("sum_ns")));
    }
}
