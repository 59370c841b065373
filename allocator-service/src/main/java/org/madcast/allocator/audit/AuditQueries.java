package org.madcast.allocator.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/** Looks up what was done. From any thread. */
@Service
@Transactional(readOnly = true)
class AuditQueries {

    private static final TypeReference<Map<String, Object>> DETAIL = new TypeReference<>() {};

    /** An entry; of a lease also its groups, which only its grant has. */
    private static final String SELECT =
            """
            select a.id, a.at, a.what, a.who, a.role, host(a.address) as address, a.request,
                a.subject, a.lease, a.detail::text as detail,
                case when a.lease is not null and a.groups is null then (
                    select g.detail->'groups' from audit g
                    where g.lease = a.lease and g.groups is not null limit 1)::text
                end as lease_groups
            from audit a where true
            """;

    /** The grants of an address. */
    private static final String OF_GROUP =
            """
            select g.lease from audit g
            where g.groups is not null and (g.groups[1] = :group::inet
                or cardinality(g.groups) > 1 and g.groups @> array[:group::inet])
            """;

    /** Those that had the address with this port, by their groups as they are written. */
    private static final String OF_PORT =
            """
            and exists (select from json_array_elements_text(g.detail->'groups') as it
                where it like '%:PORT'
                    and btrim(regexp_replace(it, ':[0-9]+$', ''), '[]')::inet = :group::inet)
            """;

    /** Those that had it at a time: from their start to when they ended, or are to end. */
    private static final String AT =
            """
            and (g.detail->>'startsAt')::timestamptz <= :at
            and coalesce(
                (select min(e.at) from audit e where e.lease = g.lease
                    and e.what in ('lease.released', 'lease.expired')),
                (select l.expires_at from lease l where l.id = g.lease),
                (g.detail->>'expiresAt')::timestamptz) > :at
            """;

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    AuditQueries(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * What is looked for; null means any.
     *
     * @param what a kind, such as {@code lease.granted}, or all kinds that begin like {@code lease}
     * @param who who did it
     * @param address from where: an address, or a network such as {@code 10.0.0.0/8}
     * @param group what concerns the leases of this multicast address, and of its port if it has
     *     one
     * @param at with a group: the leases that had it at this time
     * @param from not before
     * @param to before
     * @param lease what concerns this lease
     * @param subject what was done to this
     * @param before entries with lower numbers
     */
    public record Filter(
            @Nullable String what,
            @Nullable String who,
            @Nullable String address,
            AuditSearch.@Nullable Group group,
            @Nullable Instant at,
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable UUID lease,
            @Nullable String subject,
            @Nullable Long before) {}

    /**
     * What was done.
     *
     * @param id its number; a later entry has a higher one, mostly
     * @param at when, by the database's clock
     * @param what what, such as {@code lease.granted}
     * @param who the token's name, {@code madcap}, {@code service}, or an address without a token
     * @param role what that one may do
     * @param address where the request came from
     * @param requestId the request's number
     * @param subject what it was done to: a job, a scope, a token, a path
     * @param lease the lease that it was done to
     * @param detail what else is known
     */
    public record Entry(
            long id,
            Instant at,
            String what,
            String who,
            String role,
            @Nullable String address,
            @Nullable String requestId,
            String subject,
            @Nullable UUID lease,
            Map<String, Object> detail) {

        /** The lease's groups as text, empty where there are none. */
        public List<String> groups() {
            return detail.get("groups") instanceof List<?> groups
                    ? groups.stream().map(String::valueOf).toList()
                    : List.of();
        }
    }

    /** The latest ones that match, the latest first. */
    public List<Entry> find(Filter filter, int most) {
        StringBuilder sql = new StringBuilder(SELECT);
        Map<String, Object> values = new LinkedHashMap<>();
        for (Condition each : conditions(filter)) {
            sql.append(" and ").append(each.sql());
            values.put(each.name(), each.value());
        }
        if (filter.group() != null && filter.at() != null) {
            values.put("at", SqlTime.of(filter.at()));
        }
        JdbcClient.StatementSpec statement =
                jdbc.sql(sql + " order by a.id desc limit :most").param("most", most);
        for (Map.Entry<String, Object> each : values.entrySet()) {
            statement = statement.param(each.getKey(), each.getValue());
        }
        return statement.query((row, _) -> read(row)).list();
    }

    /**
     * Entries in the order of their numbers.
     *
     * @param after only those after this number
     * @param last none after this one
     * @param kinds of these kinds, or of all if there are none
     */
    List<Entry> after(long after, long last, List<String> kinds, int most) {
        return jdbc.sql(
                        SELECT
                                + """
                                 and a.id > :after and a.id <= :last
                                and (cardinality(:kinds::text[]) = 0 or a.what = any(:kinds::text[]))
                                order by a.id limit :most
                                """)
                .param("after", after)
                .param("last", last)
                .param("kinds", kinds.toArray(String[]::new))
                .param("most", most)
                .query((row, _) -> read(row))
                .list();
    }

    /** Part of what an entry must be, and the value that it is compared with. */
    private record Condition(String sql, String name, Object value) {}

    private static List<Condition> conditions(Filter filter) {
        List<Condition> all = new ArrayList<>();
        if (filter.what() != null) {
            String only = filter.what().startsWith("lease") ? "" : " and a.lease is null";
            all.add(
                    filter.what().indexOf('.') > 0 || filter.what().startsWith("sign-in")
                            ? new Condition("a.what = :what" + only, "what", filter.what())
                            : new Condition(
                                    "(a.what = :what or a.what like :what || '.%')" + only,
                                    "what",
                                    filter.what()));
        }
        add(all, "a.who = :who", "who", filter.who());
        add(all, "a.address <<= :address::inet", "address", filter.address());
        add(all, "a.lease = :lease", "lease", filter.lease());
        add(all, "a.subject = :subject", "subject", filter.subject());
        add(all, "a.id < :before", "before", filter.before());
        if (filter.from() != null) {
            all.add(new Condition("a.at >= :from", "from", SqlTime.of(filter.from())));
        }
        if (filter.to() != null) {
            all.add(new Condition("a.at < :to", "to", SqlTime.of(filter.to())));
        }
        if (filter.group() != null) {
            Integer port = filter.group().port();
            String leases =
                    OF_GROUP
                            + (filter.at() == null ? "" : AT)
                            + (port == null ? "" : OF_PORT.replace("PORT", port.toString()));
            all.add(
                    new Condition(
                            "a.lease in (" + leases + ")", "group", filter.group().address()));
        }
        return all;
    }

    private static void add(List<Condition> all, String sql, String name, @Nullable Object value) {
        if (value != null) {
            all.add(new Condition(sql, name, value));
        }
    }

    private Entry read(ResultSet row) throws SQLException {
        Map<String, Object> detail =
                new LinkedHashMap<>(json.readValue(row.getString("detail"), DETAIL));
        String groups = row.getString("lease_groups");
        if (groups != null) {
            detail.put("groups", json.readValue(groups, List.class));
        }
        return new Entry(
                row.getLong("id"),
                SqlTime.get(row, "at"),
                row.getString("what"),
                row.getString("who"),
                row.getString("role"),
                row.getString("address"),
                row.getString("request"),
                row.getString("subject"),
                row.getObject("lease", UUID.class),
                detail);
    }
}
