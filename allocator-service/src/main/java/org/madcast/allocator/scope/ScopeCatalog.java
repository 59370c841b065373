package org.madcast.allocator.scope;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The scopes, as the database has them now, so that all replicas follow a change at once: what was
 * made of a row is used again only while the database shows the same version of that row. May be
 * called from any thread.
 *
 * <p>By plain SQL: every batch of grants and of releases looks here, and through Hibernate that was
 * a fifth of the service's work under load.
 */
@Service
public class ScopeCatalog {

    /** A transaction's number and the row's place: no two versions of a row agree in both. */
    private static final String SELECT =
            "select xmin::text || ctid::text as version, scope.* from scope";

    private final JdbcClient jdbc;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    ScopeCatalog(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A scope that was read, and from which version of its row. */
    private record Known(String version, Scope scope) {}

    /** The scope with this name. */
    public Optional<Scope> find(String name) {
        return jdbc.sql(SELECT + " where name = ?")
                .param(name)
                .query((row, index) -> scope(row))
                .optional();
    }

    /** All scopes by name. */
    public List<Scope> all() {
        return jdbc.sql(SELECT + " order by name").query((row, index) -> scope(row)).list();
    }

    /** The scopes with these names that exist, by name. */
    public Map<String, Scope> find(Collection<String> names) {
        return find(names, "");
    }

    /**
     * The same, and none of them is edited until the transaction ends, so that their slots keep
     * their numbers.
     */
    public Map<String, Scope> lock(Collection<String> names) {
        return find(names, " order by name for key share of scope");
    }

    private Map<String, Scope> find(Collection<String> names, String more) {
        return jdbc
                .sql(SELECT + " where name = any(?)" + more)
                .param(names.stream().distinct().toArray(String[]::new))
                .query((row, index) -> scope(row))
                .list()
                .stream()
                .collect(Collectors.toMap(Scope::name, Function.identity()));
    }

    private Scope scope(ResultSet row) throws SQLException {
        String name = row.getString("name");
        String version = row.getString("version");
        Known before = known.get(name);
        if (before != null && before.version().equals(version)) {
            return before.scope();
        }
        Scope read = read(row);
        known.put(name, new Known(version, read));
        return read;
    }

    private static Scope read(ResultSet row) throws SQLException {
        List<String> ranges = texts(row.getArray("ranges"));
        List<String> excluded = texts(row.getArray("excluded"));
        boolean allowUnscoped = row.getBoolean("allow_unscoped");
        return new Scope(
                row.getString("name"),
                row.getString("description"),
                ranges,
                AddressPool.of(
                        ranges.stream().map(PoolRange::parse).toList(),
                        excluded.stream().map(PoolRange::parse).toList(),
                        allowUnscoped),
                new PortRange(
                        row.getInt("port_first"), row.getInt("port_last"), row.getInt("port_step")),
                row.getInt("ttl"),
                row.getString("segment"),
                row.getBoolean("shares_addresses"),
                Duration.ofSeconds(row.getLong("quarantine_seconds")),
                Duration.ofSeconds(row.getLong("longest_lease_seconds")),
                row.getLong("seed"),
                new ScopePolicy(
                        excluded,
                        allowUnscoped,
                        Picker.valueOf(row.getString("picker").toUpperCase(Locale.ROOT)),
                        row.getObject("groups_per_job", Integer.class),
                        row.getObject("groups_per_user", Integer.class),
                        SqlTime.getOrNull(row, "closed_at")));
    }

    private static List<String> texts(Array array) throws SQLException {
        return List.of((String[]) array.getArray());
    }
}
