package org.madcast.allocator.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The tokens' rows. Of a token only a hash is kept. */
@Component
class TokenStore {

    private final JdbcClient jdbc;

    TokenStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A row with what only this package may know. */
    record Hashed(Token token, String hash) {}

    List<Hashed> all() {
        return jdbc.sql("select name, role, hash, made_at, made_by from access_token order by name")
                .query((row, _) ->
                        new Hashed(
                                new Token(
                                        row.getString("name"),
                                        Role.of(row.getString("role")),
                                        SqlTime.get(row, "made_at"),
                                        row.getString("made_by")),
                                row.getString("hash")))
                .list();
    }

    /** When it was made; nothing when there is one of this name. */
    Optional<Instant> add(String name, Role role, String hash, String madeBy) {
        return jdbc.sql(
                        """
                        insert into access_token (name, role, hash, made_by)
                        values (?, ?, ?, ?) on conflict (name) do nothing returning made_at
                        """)
                .params(name, role.word(), hash, madeBy)
                .query((row, _) -> SqlTime.get(row, "made_at"))
                .optional();
    }

    /**
     * False when there is one of this name, and when there is any: of several replicas one makes
     * the first.
     */
    boolean addFirst(String name, Role role, String hash, String madeBy) {
        return jdbc.sql(
                                """
                                insert into access_token (name, role, hash, made_by)
                                select ?, ?, ?, ? where not exists (select from access_token)
                                on conflict (name) do nothing
                                """)
                        .params(name, role.word(), hash, madeBy)
                        .update()
                == 1;
    }

    /** False when there is none of this name. */
    boolean remove(String name) {
        return jdbc.sql("delete from access_token where name = ?").param(name).update() == 1;
    }
}
