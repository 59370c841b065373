package org.madcast.allocator.access;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The tokens' rows. Of a token only a hash is kept. */
@Component
class TokenStore {

    /** Too many to find one by trying hashes. */
    private static final int TOKEN_BYTES = 32;

    private static final String PREFIX = "madcast_";

    private final JdbcClient jdbc;
    private final Secrets secrets;

    TokenStore(JdbcClient jdbc, Secrets secrets) {
        this.jdbc = jdbc;
        this.secrets = secrets;
    }

    /** A token that no row has. */
    String newSecret() {
        return PREFIX + secrets.random(TOKEN_BYTES);
    }

    /**
     * A row with what only this package may know.
     *
     * @param owner whose the things are that its holders make
     * @param previousHash of the predecessor, null if there is none
     */
    record Hashed(Token token, String hash, String owner, @Nullable String previousHash) {

        private static Hashed read(ResultSet row) throws SQLException {
            String hash = row.getString("hash");
            String owner = row.getString("owner");
            return new Hashed(
                    token(row),
                    hash,
                    owner == null ? Owners.ofToken(hash) : owner,
                    row.getString("previous_hash"));
        }

        private static Token token(ResultSet row) throws SQLException {
            return new Token(
                    row.getString("name"),
                    Role.of(row.getString("role")),
                    SqlTime.get(row, "made_at"),
                    row.getString("made_by"),
                    new Token.Terms(
                            SqlTime.getOrNull(row, "expires_at"),
                            row.getObject("requests_per_second", Integer.class),
                            row.getObject("most_groups", Integer.class)),
                    new Token.State(
                            SqlTime.getOrNull(row, "previous_until"),
                            SqlTime.getOrNull(row, "used_at"),
                            row.getString("used_from")));
        }
    }

    List<Hashed> all() {
        return jdbc.sql("select * from access_token order by name")
                .query((row, _) -> Hashed.read(row))
                .list();
    }

    private Optional<Hashed> find(String name) {
        return jdbc.sql("select * from access_token where name = ?")
                .param(name)
                .query((row, _) -> Hashed.read(row))
                .optional();
    }

    /** The token; nothing when there is one of this name. */
    Optional<Token> add(String name, Role role, String hash, String madeBy, Token.Terms terms) {
        return jdbc.sql(
                        """
                        insert into access_token (name, role, hash, owner, made_by, expires_at,
                            requests_per_second, most_groups)
                        values (:name, :role, :hash, :owner, :madeBy, :expires::timestamptz,
                            :requests::integer, :groups::integer)
                        on conflict (name) do nothing returning *
                        """)
                .param("name", name)
                .param("role", role.word())
                .param("hash", hash)
                .param("owner", Owners.ofToken(hash))
                .param("madeBy", madeBy)
                .param("expires", text(terms.expiresAt()))
                .param("requests", terms.requestsPerSecond())
                .param("groups", terms.mostGroups())
                .query((row, _) -> Hashed.token(row))
                .optional();
    }

    /**
     * False when there is one of this name, and when there is any: of several replicas one makes
     * the first.
     */
    boolean addFirst(String name, Role role, String hash, String madeBy) {
        return jdbc.sql(
                                """
                                insert into access_token (name, role, hash, owner, made_by)
                                select ?, ?, ?, ?, ? where not exists (select from access_token)
                                on conflict (name) do nothing
                                """)
                        .params(name, role.word(), hash, Owners.ofToken(hash), madeBy)
                        .update()
                == 1;
    }

    /**
     * Replaces a token by a successor with this hash, which the same things belong to.
     *
     * @param overlap how long the predecessor is good beside it, unless it ends before; one that
     *     was there already ends now
     * @param expiresAt the successor's end; null: it is as long as the predecessor's was
     * @return the successor; nothing when there is no token of this name
     */
    Optional<Token> replace(
            String name, String hash, Duration overlap, @Nullable Instant expiresAt) {
        while (true) {
            Optional<Hashed> found = find(name);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Optional<Token> replaced = replace(found.get(), hash, overlap, expiresAt);
            if (replaced.isPresent()) {
                return replaced; // else another request has replaced it meanwhile
            }
        }
    }

    private Optional<Token> replace(
            Hashed before, String hash, Duration overlap, @Nullable Instant expiresAt) {
        return jdbc.sql(
                        """
                        update access_token set hash = :hash, owner = :owner,
                            previous_hash = hash,
                            previous_until = least(now() + make_interval(secs => :overlap),
                                coalesce(expires_at, 'infinity')),
                            expires_at = coalesce(:expires::timestamptz,
                                now() + (expires_at - coalesce(rotated_at, made_at))),
                            rotated_at = now()
                        where name = :name and hash = :before returning *
                        """)
                .param("hash", hash)
                .param("owner", before.owner())
                .param("overlap", overlap.toSeconds())
                .param("expires", text(expiresAt))
                .param("name", before.token().name())
                .param("before", before.hash())
                .query((row, _) -> Hashed.token(row))
                .optional();
    }

    /** False when there is none of this name. */
    boolean remove(String name) {
        return jdbc.sql("delete from access_token where name = ?").param(name).update() == 1;
    }

    /**
     * That a token was shown.
     *
     * @param name the token's name
     * @param from the address
     * @param ago how long ago
     */
    record Use(String name, String from, Duration ago) {}

    /** Writes when tokens were last shown. Other replicas may know of a later time. */
    void used(Collection<Use> uses) {
        jdbc.sql(
                        """
                        update access_token set used_at = at, used_from = source
                        from (select name as used, source, now() - make_interval(secs => ago) as at
                            from unnest(:names::text[], :sources::text[], :agos::float8[])
                                as use (name, source, ago)) uses
                        where name = used and (used_at is null or used_at < at)
                        """)
                .param("names", uses.stream().map(Use::name).toArray(String[]::new))
                .param("sources", uses.stream().map(Use::from).toArray(String[]::new))
                .param(
                        "agos",
                        uses.stream()
                                .map(it -> Double.toString(it.ago().toMillis() / 1e3))
                                .toArray(String[]::new))
                .update();
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : SqlTime.of(instant).toString();
    }
}
