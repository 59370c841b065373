package org.madcast.allocator.topology;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.ObjectMapper;

/** The tables of topologies. Every method joins the caller's transaction. */
@Repository
class TopologyStore {

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    TopologyStore(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    List<KeptTopology> all() {
        return jdbc.sql("select * from topology where removed_at is null order by name")
                .query(TopologyStore::read)
                .list();
    }

    Optional<KeptTopology> find(String name) {
        return jdbc.sql("select * from topology where removed_at is null and name = ?")
                .param(name)
                .query(TopologyStore::read)
                .optional();
    }

    Optional<Tree> tree(String name) {
        return jdbc.sql("select tree from topology where removed_at is null and name = ?")
                .param(name)
                .query((row, _) -> json.readValue(row.getString(1), Tree.class))
                .optional();
    }

    /** Its name and its tree, also of one that was removed lately. */
    Optional<Map.Entry<String, Tree>> get(long id) {
        return jdbc.sql("select name, tree from topology where id = ?")
                .param(id)
                .query((row, _) ->
                        Map.entry(
                                row.getString("name"),
                                json.readValue(row.getString("tree"), Tree.class)))
                .optional();
    }

    void add(String name, String by, Tree tree, Map<String, Integer> knownAs) {
        long id =
                jdbc.sql(
                                """
                                insert into topology (name, tree, switches, hosts, made_by)
                                values (?, ?::json, ?, ?, ?) returning id
                                """)
                        .params(
                                name,
                                json.writeValueAsString(tree),
                                tree.switches().size(),
                                tree.hostNames().size(),
                                by)
                        .query(Long.class)
                        .single();
        jdbc.sql(
                        """
                        insert into topology_host (topology, known_as, host)
                        select ?, known_as, host
                        from unnest(?::text[], ?::integer[]) as each (known_as, host)
                        """)
                .params(
                        id,
                        knownAs.keySet().toArray(String[]::new),
                        knownAs.values().toArray(Integer[]::new))
                .update();
    }

    /** New ranks do not get it any more; those that have met may still ask for it. */
    boolean remove(String name) {
        return jdbc.sql(
                                """
                                update topology set removed_at = now()
                                where removed_at is null and name = ?
                                """)
                        .param(name)
                        .update()
                == 1;
    }

    /** Forgets those that were removed so long ago that no ranks are meeting by them. */
    void forget() {
        jdbc.sql("delete from topology where removed_at < now() - interval '1 day'").update();
    }

    private static KeptTopology read(ResultSet row, int index) throws SQLException {
        return new KeptTopology(
                row.getString("name"),
                row.getInt("switches"),
                row.getInt("hosts"),
                SqlTime.get(row, "made_at"),
                row.getString("made_by"));
    }
}
