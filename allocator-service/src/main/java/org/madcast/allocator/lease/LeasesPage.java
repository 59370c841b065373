package org.madcast.allocator.lease;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.scope.ScopeCatalog;
import org.madcast.allocator.store.SqlTime;
import org.madcast.allocator.web.page.Show;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Leases that people look for: by words, scope and state, the latest first. */
@Component
public class LeasesPage {

    /** A leased group, as 239.1.2.3:4567 or [ff15::1]:4567; SQL over {@code lease_group g}. */
    private static final String GROUP =
            """
            case family(g.address) when 6 then '[' || host(g.address) || ']'
                else host(g.address) end || ':' || g.port\
            """;

    /** All groups of a lease, the first one first. */
    public static final String GROUPS = "string_agg(" + GROUP + ", ', ' order by g.ordinal)";

    private static final int ROWS = 50;
    private static final int LONGEST_WORDS = 200;

    private static final String COLUMNS =
            """
            select l.id, l.job, l.communicator, l.owner, l.scope, l.granted_at, l.starts_at,
                l.expires_at, l.released_at, c.id as communicator_id,
                case when l.released_at is not null then 'released'
                     when l.starts_at > now() then 'scheduled'
                     when l.expires_at <= now() then 'expired' else 'active' end as state,
                (select %s from lease_group g where g.lease_id = l.id) as groups
            from lease l left join communicator c on c.lease_id = l.id
            """
                    .formatted(GROUPS);

    private final JdbcClient jdbc;
    private final ScopeCatalog scopes;
    private final SqlTime time;

    LeasesPage(JdbcClient jdbc, ScopeCatalog scopes, SqlTime time) {
        this.jdbc = jdbc;
        this.scopes = scopes;
        this.time = time;
    }

    /** What is looked for; empty strings mean anything. */
    public record Search(String words, String scope, String state, int page) {

        static Search of(
                @Nullable String words,
                @Nullable String scope,
                @Nullable String state,
                @Nullable Integer page) {
            return new Search(
                    words == null
                            ? ""
                            : words.strip()
                                    .substring(0, Math.min(LONGEST_WORDS, words.strip().length())),
                    scope == null ? "" : scope,
                    known(state),
                    page == null ? 0 : Math.clamp(page, 0, 100_000));
        }

        /** Whether it finds whatever there is. */
        public boolean any() {
            return (words + scope + state).isEmpty() && page == 0;
        }

        private static String known(@Nullable String state) {
            for (LeaseState each : LeaseState.values()) {
                if (each.name().equalsIgnoreCase(state)) {
                    return each.name().toLowerCase(Locale.ROOT);
                }
            }
            return "";
        }
    }

    /** The whole page. */
    public record View(
            Search search,
            List<String> scopes,
            String total,
            List<Row> rows,
            @Nullable Integer previous,
            @Nullable Integer next) {}

    /** A line of the table, and what the page of a lease shows. */
    public record Row(
            UUID id,
            String job,
            String communicator,
            @Nullable UUID communicatorId,
            String user,
            String scope,
            String groups,
            String state,
            Times times) {

        /** Whether it may be given back. */
        public boolean live() {
            return state.equals("active") || state.equals("scheduled");
        }
    }

    /** When a lease was granted, starts and ends: how long from now, and in universal time. */
    public record Times(
            String granted,
            String starts,
            String ends,
            String grantedAt,
            String startsAt,
            String endsAt) {}

    View view(Search search) {
        Instant now = time.now();
        LeaseSearch sought = new LeaseSearch(search);
        long total =
                sought.bind(jdbc.sql("select count(*) from lease l " + sought.where()))
                        .query(Long.class)
                        .single();
        List<Row> rows =
                sought.bind(
                                jdbc.sql(
                                        COLUMNS
                                                + sought.where()
                                                + "order by l.id desc limit :rows offset :from"))
                        .param("rows", ROWS)
                        .param("from", search.page() * ROWS)
                        .query((row, index) -> read(row, now))
                        .list();
        boolean isPart = !search.words().isEmpty() && total >= LeaseSearch.MOST;
        return new View(
                search,
                scopes.all().stream().map(Scope::name).toList(),
                (isPart ? "the latest " : "") + Show.count(total),
                rows,
                search.page() > 0 ? search.page() - 1 : null,
                (search.page() + 1L) * ROWS < total ? search.page() + 1 : null);
    }

    Optional<Row> find(UUID id) {
        Instant now = time.now();
        return jdbc.sql(COLUMNS + "where l.id = ?")
                .param(id)
                .query((row, index) -> read(row, now))
                .optional();
    }

    private static Row read(ResultSet row, Instant now) throws SQLException {
        Instant grantedAt = SqlTime.get(row, "granted_at");
        Instant startsAt = SqlTime.get(row, "starts_at");
        Instant released = SqlTime.getOrNull(row, "released_at");
        Instant expiresAt = SqlTime.get(row, "expires_at");
        Instant endsAt = released == null ? expiresAt : released;
        return new Row(
                row.getObject("id", UUID.class),
                row.getString("job"),
                orDash(row.getString("communicator")),
                row.getObject("communicator_id", UUID.class),
                orDash(row.getString("owner")),
                row.getString("scope"),
                orDash(row.getString("groups")),
                row.getString("state"),
                new Times(
                        Show.ago(grantedAt, now),
                        agoOrIn(startsAt, now),
                        agoOrIn(endsAt, now),
                        Show.moment(grantedAt),
                        Show.moment(startsAt),
                        Show.moment(endsAt)));
    }

    private static String agoOrIn(Instant at, Instant now) {
        return at.isAfter(now) ? Show.in(at, now) : Show.ago(at, now);
    }

    private static String orDash(@Nullable String text) {
        return text == null || text.isEmpty() ? "–" : text;
    }
}
