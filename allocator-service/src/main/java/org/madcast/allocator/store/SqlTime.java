package org.madcast.allocator.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Time as the database has it. The service decides by the database's clock, never by its own: there
 * is one database and there may be many replicas.
 */
@Component
public class SqlTime {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private final JdbcClient jdbc;

    SqlTime(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** When the present transaction began, or the time when there is none. */
    public Instant now() {
        return jdbc.sql("select now()").query(OffsetDateTime.class).single().toInstant();
    }

    /**
     * When the transaction under way began. From then on it reads by index, and plans each
     * statement once and for all: after a start, the database has no statistics yet and would
     * rather read whole tables, and planning the statements of a batch anew costs as much as
     * running them for some rows.
     */
    public Instant beginByIndex() {
        return jdbc.sql(
                        """
                        select now() as at, set_config('enable_seqscan', 'off', true),
                            set_config('enable_bitmapscan', 'off', true),
                            set_config('plan_cache_mode', 'force_generic_plan', true)
                        """)
                .query((row, index) -> get(row, "at"))
                .single();
    }

    /**
     * As a parameter. A time that the database cannot hold is its first or last one: nothing was
     * before, and nothing will be later.
     */
    public static OffsetDateTime of(Instant instant) {
        Instant held = instant.isBefore(FIRST) ? FIRST : instant.isAfter(LAST) ? LAST : instant;
        return held.atOffset(ZoneOffset.UTC);
    }

    /** From a column that is never null. */
    public static Instant get(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** From a column that may be null. */
    public static @Nullable Instant getOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }
}
