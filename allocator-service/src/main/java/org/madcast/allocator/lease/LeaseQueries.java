package org.madcast.allocator.lease;

import static org.madcast.allocator.lease.LeaseStore.texts;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.Filling;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/** Looks leases up. From any thread. */
@Service
@Transactional(readOnly = true)
public class LeaseQueries {

    private static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};

    /** Leases with their groups, for a condition to follow. */
    private static final String SELECT =
            """
            select l.*, g.*, now() as at
            from lease l, lateral (
                select array_agg(host(address) order by ordinal) as addresses,
                    array_agg(port order by ordinal) as ports,
                    array_agg(port_count order by ordinal) as port_counts,
                    array_agg(role order by ordinal) as roles
                from lease_group where lease_id = l.id) g
            """;

    /**
     * Groups that a lease has now, or that rest. No two of them are one slot of a pool: the
     * constraint does not let their times overlap.
     */
    private static final String PRESENT =
            "not g.settled and upper(g.blocked) > now() and lower(g.blocked) <= now()";

    /** Slots that no lease has now, but one will have. */
    private static final String RESERVED =
            """
            select distinct later.scope, later.address,
                case when later.shares_address then later.port end
            from lease_group later
            where not later.settled and upper(later.blocked) > now()
                and lower(later.blocked) > now()
                and not exists (select from lease_group g
                    where %s and g.scope = later.scope and g.address = later.address
                        and (g.port = later.port or not later.shares_address))
            """
                    .formatted(PRESENT);

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    LeaseQueries(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * Which leases to list; null means any.
     *
     * @param job of this job
     * @param scope of this scope
     * @param state in this state
     */
    public record Filter(
            @Nullable String job, @Nullable String scope, @Nullable LeaseState state) {}

    /**
     * Some of the leases that match.
     *
     * @param items this page's
     * @param total how many match
     */
    public record Found(List<Lease> items, long total) {}

    /** The lease with this number. */
    public Optional<Lease> find(UUID id) {
        return Optional.ofNullable(find(List.of(id)).get(id));
    }

    /** The leases with these numbers that there are. */
    Map<UUID, Lease> find(Collection<UUID> ids) {
        return jdbc
                .sql(SELECT + " where l.id = any(:ids::uuid[])")
                .param("ids", texts(ids, it -> it))
                .query((row, index) -> read(row))
                .list()
                .stream()
                .collect(Collectors.toMap(Lease::id, Function.identity()));
    }

    /** A page of leases, the newest first: their numbers begin with the time. */
    public Found list(Filter filter, int page, int size) {
        // What is left out is not in the statement: else no index could be used for the rest.
        String where =
                " where not l.reserves"
                        + (filter.job() == null ? "" : " and l.job = :job")
                        + (filter.scope() == null ? "" : " and l.scope = :scope")
                        + (filter.state() == null ? "" : " and " + condition(filter.state()));
        return new Found(
                bound(SELECT + where + " order by l.id desc limit :size offset :from", filter)
                        .param("size", size)
                        .param("from", (long) page * size)
                        .query((row, index) -> read(row))
                        .list(),
                bound("select count(*) from lease l" + where, filter).query(Long.class).single());
    }

    /** How full each scope is; scopes without a group in use are left out. Reads every group. */
    List<Filling> filling() {
        return jdbc.sql(
                        """
                        select scope, sum(leased) as leased, sum(quarantined) as quarantined,
                            sum(reserved) as reserved
                        from (
                            select g.scope,
                                count(*) filter (where l.released_at is null
                                    and l.expires_at > now()) as leased,
                                count(*) filter (where (l.released_at is not null
                                    or l.expires_at <= now()) and g.reservation is null)
                                    as quarantined,
                                count(*) filter (where (l.released_at is not null
                                    or l.expires_at <= now()) and g.reservation is not null)
                                    as reserved
                            from lease_group g join lease l on l.id = g.lease_id
                            where %s group by g.scope
                            union all
                            select scope, 0, 0, count(*) from (%s) as reserved group by scope
                        ) as filled group by scope
                        """
                                .formatted(PRESENT, RESERVED))
                .query((row, index) ->
                        new Filling(
                                row.getString("scope"),
                                row.getLong("leased"),
                                row.getLong("quarantined"),
                                row.getLong("reserved")))
                .list();
    }

    private JdbcClient.StatementSpec bound(String sql, Filter filter) {
        return jdbc.sql(sql)
                .param("job", filter.job(), Types.VARCHAR)
                .param("scope", filter.scope(), Types.VARCHAR);
    }

    /** As {@link LeaseRules#state} decides. */
    private static String condition(LeaseState state) {
        return switch (state) {
            case RELEASED -> "l.released_at is not null";
            case SCHEDULED -> "l.released_at is null and l.starts_at > now()";
            case ACTIVE ->
                    "l.released_at is null and l.starts_at <= now() and l.expires_at > now()";
            case EXPIRED ->
                    "l.released_at is null and l.starts_at <= now() and l.expires_at <= now()";
        };
    }

    private Lease read(ResultSet row) throws SQLException {
        Lease.Times times =
                new Lease.Times(
                        SqlTime.get(row, "granted_at"),
                        SqlTime.get(row, "starts_at"),
                        SqlTime.get(row, "expires_at"),
                        SqlTime.getOrNull(row, "released_at"));
        return new Lease(
                row.getObject("id", UUID.class),
                row.getString("scope"),
                row.getString("job"),
                row.getString("communicator"),
                row.getString("owner"),
                json.readValue(row.getString("labels"), LABELS),
                groups(row),
                row.getObject("ttl", Integer.class),
                times,
                LeaseRules.state(
                        SqlTime.get(row, "at"),
                        times.startsAt(),
                        times.expiresAt(),
                        times.releasedAt()));
    }

    /** One for each port. */
    private static List<LeasedGroup> groups(ResultSet row) throws SQLException {
        if (row.getArray("addresses") == null) {
            return List.of();
        }
        String[] addresses = (String[]) row.getArray("addresses").getArray();
        Integer[] ports = (Integer[]) row.getArray("ports").getArray();
        Integer[] counts = (Integer[]) row.getArray("port_counts").getArray();
        String[] roles = (String[]) row.getArray("roles").getArray();
        List<LeasedGroup> groups = new ArrayList<>();
        for (int i = 0; i < addresses.length; i++) {
            for (int port = ports[i]; port < ports[i] + counts[i]; port++) {
                groups.add(new LeasedGroup(addresses[i], port, roles[i]));
            }
        }
        return List.copyOf(groups);
    }
}
