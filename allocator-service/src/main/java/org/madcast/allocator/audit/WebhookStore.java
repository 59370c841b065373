package org.madcast.allocator.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The webhooks' rows, and which entries are to be sent. From any thread, on any replica. */
@Repository
class WebhookStore {

    private static final String SELECT =
            """
            select w.*, (select count(*) from (select from audit a where a.id > w.position
                limit 10000) as waiting) as waiting
            from webhook w
            """;

    private final JdbcClient jdbc;

    WebhookStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Webhook> all() {
        return jdbc.sql(SELECT + " order by name").query((row, _) -> read(row)).list();
    }

    Optional<Webhook> find(String name) {
        return jdbc.sql(SELECT + " where name = ?")
                .param(name)
                .query((row, _) -> read(row))
                .optional();
    }

    /** Makes one that gets what is recorded from now on, or gives it another address. */
    void put(String name, String url, String secret, List<String> kinds) {
        jdbc.sql(
                        """
                        insert into webhook (name, url, secret, kinds, position)
                        values (?, ?, ?, ?::text[], coalesce((select max(id) from audit), 0))
                        on conflict (name) do update set url = excluded.url,
                            secret = excluded.secret, kinds = excluded.kinds, failures = 0,
                            failing_since = null, next_at = now()
                        """)
                .params(name, url, secret, kinds.toArray(String[]::new))
                .update();
    }

    boolean remove(String name) {
        return jdbc.sql("delete from webhook where name = ?").param(name).update() == 1;
    }

    /** Takes one that is due; no other replica tells it until the time is over. */
    Optional<Webhook> claim(Duration time) {
        return jdbc.sql(
                        """
                        update webhook w set claimed_until = now() + make_interval(secs => ?)
                        where name = (select name from webhook
                            where next_at <= now() and claimed_until < now()
                            order by next_at limit 1 for update skip locked)
                        returning w.*, 0 as waiting
                        """)
                .param((double) time.toSeconds())
                .query((row, _) -> read(row))
                .optional();
    }

    /** Notes that it got the entries up to this one. */
    void told(Webhook hook, long position, int count) {
        jdbc.sql(
                        """
                        update webhook set position = ?, told = told + ?, failures = 0,
                            failing_since = null
                        where name = ?
                        """)
                .params(position, count, hook.name())
                .update();
    }

    /** Notes that nothing is sent to it for now, and when again. */
    void rest(Webhook hook, Duration rest) {
        jdbc.sql(
                        """
                        update webhook set next_at = now() + make_interval(secs => ?),
                            claimed_until = '-infinity'
                        where name = ?
                        """)
                .params(rest.toMillis() / 1000.0, hook.name())
                .update();
    }

    /** Notes that an entry could not be sent, and skips it when that has failed for too long. */
    void failed(Webhook hook, long entry, String failure, Duration patience) {
        jdbc.sql(
                        """
                        update webhook set failures = failures + 1, last_failure = :failure,
                            failing_since = coalesce(failing_since, now())
                        where name = :name
                        """)
                .param("failure", failure)
                .param("name", hook.name())
                .update();
        jdbc.sql(
                        """
                        update webhook set position = :entry, dropped = dropped + 1,
                            failing_since = null, failures = 0
                        where name = :name
                            and failing_since < now() - make_interval(secs => :patience)
                        """)
                .param("entry", entry)
                .param("name", hook.name())
                .param("patience", (double) patience.toSeconds())
                .update();
    }

    private static Webhook read(ResultSet row) throws SQLException {
        return new Webhook(
                row.getString("name"),
                row.getString("url"),
                row.getString("secret"),
                List.of((String[]) row.getArray("kinds").getArray()),
                row.getLong("position"),
                new Webhook.Progress(
                        row.getLong("waiting"),
                        row.getLong("told"),
                        row.getLong("dropped"),
                        row.getInt("failures"),
                        SqlTime.getOrNull(row, "failing_since"),
                        row.getString("last_failure"),
                        SqlTime.get(row, "next_at")));
    }
}
