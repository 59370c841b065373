package org.madcast.allocator.fleet;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.madcast.allocator.fleet.FleetService.Node;
import org.madcast.allocator.fleet.FleetService.Probe;
import org.madcast.allocator.fleet.FleetService.Push;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.Requester;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.ObjectMapper;

/** The tables of what agents tell. Each statement is its own transaction. */
@Repository
class FleetStore {

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    FleetStore(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    void putNode(Heartbeat heartbeat) {
        jdbc.sql(
                        """
                        insert into fleet_node (name, body, interval_seconds)
                        values (:name, :body::json, :interval)
                        on conflict (name) do update set body = excluded.body,
                            interval_seconds = excluded.interval_seconds, seen_at = now()
                        """)
                .param("name", heartbeat.name())
                .param("body", json.writeValueAsString(heartbeat))
                .param("interval", heartbeat.intervalSeconds())
                .update();
    }

    void removeNode(String name) {
        jdbc.sql("delete from fleet_node where name = ?").param(name).update();
    }

    List<Node> nodes(String after, int limit) {
        return jdbc.sql(
                        """
                        select body, seen_at,
                            seen_at < now() - make_interval(secs => 3 * interval_seconds) as silent
                        from fleet_node where name > :after order by name limit :limit
                        """)
                .param("after", after)
                .param("limit", limit)
                .query((row, index) ->
                        new Node(
                                json.readValue(row.getString("body"), Heartbeat.class),
                                SqlTime.get(row, "seen_at"),
                                row.getBoolean("silent")))
                .list();
    }

    /** False when the push is another's. */
    boolean putPush(Requester by, PushUpdate update) {
        int written = upsertPush(by, update);
        return written > 0
                || jdbc.sql("select owned_by from fleet_push where id = ?")
                        .param(update.id())
                        .query((row, _) -> by.mayUse(row.getString("owned_by")))
                        .optional()
                        .orElse(true);
    }

    private int upsertPush(Requester by, PushUpdate update) {
        return jdbc.sql(
                        """
                        insert into fleet_push as p (id, sequence, state, body, owned_by)
                        values (:id, :sequence, :state, :body::json, :owner)
                        on conflict (id) do update set sequence = excluded.sequence,
                            state = excluded.state, body = excluded.body, updated_at = now()
                        where p.sequence < excluded.sequence
                            and (:operates or p.owned_by is null
                                or p.owned_by = excluded.owned_by)
                        """)
                .param("owner", by.owner())
                .param("operates", by.operates())
                .param("id", update.id())
                .param("sequence", update.sequence())
                .param("state", update.state().name())
                .param("body", json.writeValueAsString(update))
                .update();
    }

    private static final String PUSHES =
            """
            select body, started_at, updated_at, state = 'RUNNING'
                and updated_at < now() - make_interval(secs => :silent) as silent
            from fleet_push
            """;

    List<Push> pushes(Duration silent, int limit) {
        return jdbc.sql(PUSHES + "order by started_at desc, id limit :limit")
                .param("silent", (double) silent.toSeconds())
                .param("limit", limit)
                .query(this::readPush)
                .list();
    }

    Optional<Push> push(Duration silent, UUID id) {
        return jdbc.sql(PUSHES + "where id = :id")
                .param("silent", (double) silent.toSeconds())
                .param("id", id)
                .query(this::readPush)
                .optional();
    }

    private Push readPush(ResultSet row, int index) throws SQLException {
        return new Push(
                json.readValue(row.getString("body"), PushUpdate.class),
                SqlTime.get(row, "started_at"),
                SqlTime.get(row, "updated_at"),
                row.getBoolean("silent"));
    }

    void putProbe(ProbeResult result) {
        jdbc.sql(
                        """
                        insert into fleet_probe (id, body) values (:id, :body::json)
                        on conflict do nothing
                        """)
                .param("id", result.id())
                .param("body", json.writeValueAsString(result))
                .update();
    }

    List<Probe> probes(int limit) {
        return jdbc.sql("select body, at from fleet_probe order by at desc, id limit ?")
                .param(limit)
                .query(this::readProbe)
                .list();
    }

    Optional<Probe> probe(UUID id) {
        return jdbc.sql("select body, at from fleet_probe where id = ?")
                .param(id)
                .query(this::readProbe)
                .optional();
    }

    private Probe readProbe(ResultSet row, int index) throws SQLException {
        return new Probe(
                json.readValue(row.getString("body"), ProbeResult.class), SqlTime.get(row, "at"));
    }

    void forgetNodes(Duration age, int most) {
        forget("fleet_node", "name", "seen_at", "seen_at", age, most);
    }

    void forgetPushes(Duration age, int most) {
        forget("fleet_push", "id", "updated_at", "started_at", age, most);
    }

    void forgetProbes(Duration age, int most) {
        forget("fleet_probe", "id", "at", "at", age, most);
    }

    /**
     * Deletes what was touched longer than the age ago, and all but the newest; the words are SQL
     * names.
     */
    private void forget(
            String table, String key, String touchedAt, String newestBy, Duration age, int most) {
        String sql =
                """
                delete from %1$s where %3$s < now() - make_interval(secs => :age)
                    or %2$s in (select %2$s from %1$s order by %4$s desc offset :most)
                """
                        .formatted(table, key, touchedAt, newestBy);
        jdbc.sql(sql).param("age", (double) age.toSeconds()).param("most", most).update();
    }
}
