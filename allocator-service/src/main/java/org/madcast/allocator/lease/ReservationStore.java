package org.madcast.allocator.lease;

import static org.madcast.allocator.lease.LeaseStore.texts;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.Reservation.Holder;
import org.madcast.allocator.lease.Reservation.Kept;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The reservations' rows, and the rows of {@code lease_group} that hold their groups. Every method
 * but {@link #all} joins the caller's transaction.
 */
@Repository
class ReservationStore {

    /** The owner of a token; of one from before owners were noted it follows from the hash. */
    private static final String TOKEN_OWNER =
            """
            select coalesce(owner, left(encode(sha256(convert_to(
                'token' || chr(10) || hash, 'UTF8')), 'hex'), 32)) from access_token where name = ?
            """;

    private final JdbcClient jdbc;

    ReservationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Those that have not ended, by address. */
    List<Reservation> all() {
        return jdbc.sql(
                        """
                        select r.*, host(r.address) as host, l.id as lease
                        from reservation r
                            left join lease_group g on g.reservation = r.id and not g.settled
                            left join lease l on l.id = g.lease_id and l.released_at is null
                                and l.expires_at > now()
                        where r.until > now() order by r.address, r.port, r.id
                        """)
                .query((row, index) -> read(row))
                .list();
    }

    /** The owner that stands for the token of this name. */
    Optional<String> ownerOf(String token) {
        return jdbc.sql(TOKEN_OWNER).param(token).query(String.class).optional();
    }

    /** Writes reservations, whose groups follow. */
    void insert(List<Reservation> reservations, Map<String, String> ownersByToken) {
        jdbc.sql(
                        """
                        insert into reservation (id, scope, address, port, job, user_name, token,
                            token_owner, until, made_at, made_by)
                        select * from unnest(:ids::uuid[], :scopes::text[], :addresses::inet[],
                            :ports::int[], :jobs::text[], :users::text[], :tokens::text[],
                            :owners::text[], :untils::timestamptz[], :made::timestamptz[],
                            :by::text[])
                        """)
                .param("ids", texts(reservations, Reservation::id))
                .param("scopes", texts(reservations, Reservation::scope))
                .param("addresses", texts(reservations, Reservation::address))
                .param("ports", texts(reservations, Reservation::port))
                .param("jobs", texts(reservations, it -> it.holder().job()))
                .param("users", texts(reservations, it -> it.holder().user()))
                .param("tokens", texts(reservations, it -> it.holder().token()))
                .param("owners", texts(reservations, it -> owner(it.holder(), ownersByToken)))
                .param("untils", texts(reservations, Reservation::until))
                .param("made", texts(reservations, it -> it.made().at()))
                .param("by", texts(reservations, it -> it.made().by()))
                .update();
    }

    private static @Nullable String owner(Holder holder, Map<String, String> ownersByToken) {
        String token = holder.token();
        return token == null ? null : Objects.requireNonNull(ownersByToken.get(token));
    }

    /**
     * The reserved groups that these leases may have, each for one of them. The rows that keep them
     * are locked: no other grant gets them, nor are they given back meanwhile.
     */
    Map<UUID, List<Kept>> lockFor(Collection<NewLease> leases) {
        List<NewLease> able =
                leases.stream()
                        .filter(it -> !it.startsLater())
                        .filter(it -> it.request().shape().layout() != Shape.Layout.BLOCK)
                        .toList();
        List<Kept> left = able.isEmpty() ? List.of() : new ArrayList<>(lock(able));
        Map<UUID, List<Kept>> kept = new HashMap<>();
        for (NewLease lease : left.isEmpty() ? List.<NewLease>of() : able) {
            for (NewLease.Part part : lease.parts()) {
                List<Kept> own =
                        left.stream()
                                .filter(it -> it.scope().equals(part.scope().name()))
                                .filter(it -> it.isFor(lease))
                                .limit(part.addresses())
                                .toList();
                left.removeAll(own);
                kept.computeIfAbsent(lease.id(), _ -> new ArrayList<>()).addAll(own);
            }
        }
        return kept;
    }

    private List<Kept> lock(List<NewLease> leases) {
        return jdbc.sql(
                        """
                        with mine as (
                            select * from reservation where job = any(:jobs::text[]) union
                            select * from reservation where user_name = any(:users::text[]) union
                            select * from reservation where token_owner = any(:owners::text[]))
                        select mine.*, g.slot_number, host(g.address) as host, g.port as first_port,
                            g.whole_address
                        from mine join lease_group g on g.reservation = mine.id
                            join lease l on l.id = g.lease_id
                        where mine.until > now() and not g.settled and g.slot_number is not null
                            and (l.released_at is not null or l.expires_at <= now())
                        order by g.address, g.port for update of g, l
                        """)
                .param("jobs", given(leases, it -> it.request().job()))
                .param("users", given(leases, it -> it.request().user()))
                .param("owners", given(leases, it -> it.grant().owner()))
                .query((row, index) ->
                        new Kept(
                                row.getObject("id", UUID.class),
                                SqlTime.get(row, "until"),
                                row.getString("scope"),
                                row.getLong("slot_number"),
                                row.getString("host"),
                                row.getInt("first_port"),
                                row.getBoolean("whole_address"),
                                row.getString("job"),
                                row.getString("user_name"),
                                row.getString("token_owner")))
                .list();
    }

    private static String[] given(
            List<NewLease> leases, Function<NewLease, @Nullable String> what) {
        Stream<@Nullable String> all = leases.stream().map(what);
        return all.filter(Objects::nonNull).distinct().toArray(String[]::new);
    }

    /** Makes room for these rows: what kept their groups, and was locked, does so no more. */
    void handOver(List<Row> rows) {
        List<Row> reserved = rows.stream().filter(it -> it.reservation() != null).toList();
        if (!reserved.isEmpty()) {
            jdbc.sql(
                            """
                            update lease_group set settled = true, blocked = tstzrange(
                                lower(blocked),
                                greatest(now(), lower(blocked) + interval '1 microsecond'))
                            where reservation = any(:ids::uuid[]) and not settled
                            """)
                    .param("ids", texts(reserved, Row::reservation))
                    .update();
        }
    }

    /**
     * Removes a reservation. Its group is free at once, or when the lease that has or had it allows
     * it.
     *
     * @return the reservation, if there was one
     */
    Optional<Reservation> remove(UUID id) {
        Optional<Reservation> found =
                jdbc.sql(
                                """
                                select *, host(address) as host, null::uuid as lease
                                from reservation where id = ? and until > now() for update
                                """)
                        .param(id)
                        .query((row, index) -> read(row))
                        .optional();
        if (found.isPresent()) {
            jdbc.sql(
                            """
                            with ends as (
                                select g.lease_id, g.ordinal, greatest(
                                    lower(g.blocked) + interval '1 microsecond',
                                    case when l.reserves then now()
                                        else coalesce(l.released_at, l.expires_at) + make_interval(
                                            secs => s.quarantine_seconds) end) as until
                                from lease_group g join lease l on l.id = g.lease_id
                                    join scope s on s.name = g.scope
                                where g.reservation = :id and not g.settled
                                for update of g),
                            changed as (
                                update lease_group g set reservation = null,
                                    blocked = tstzrange(lower(g.blocked), until),
                                    settled = until <= now()
                                from ends where g.lease_id = ends.lease_id
                                    and g.ordinal = ends.ordinal
                                returning g.scope, g.slot_number, until),
                            """
                                    + SlotStore.OWN_OF_CHANGED
                                    + SlotStore.FREE_OWN)
                    .param("id", id)
                    .update();
            jdbc.sql("update lease_group set reservation = null where reservation = ?")
                    .param(id)
                    .update();
            jdbc.sql("delete from reservation where id = ?").param(id).update();
        }
        return found;
    }

    private static Reservation read(ResultSet row) throws SQLException {
        return new Reservation(
                row.getObject("id", UUID.class),
                row.getString("scope"),
                row.getString("host"),
                row.getObject("port", Integer.class),
                new Holder(
                        row.getString("job"), row.getString("user_name"), row.getString("token")),
                SqlTime.get(row, "until"),
                new Reservation.Made(SqlTime.get(row, "made_at"), row.getString("made_by")),
                row.getObject("lease", UUID.class));
    }

    /**
     * What is in the way of a group.
     *
     * @param job whose it is
     * @param reserved whether it is reserved
     * @param until until when
     */
    record InTheWay(String job, boolean reserved, Instant until) {}

    /** What is in the way of a row that could not be written. */
    Optional<InTheWay> inTheWayOf(Row row) {
        return jdbc.sql(
                        """
                        select l.job, other.reservation is not null as reserved,
                            upper(other.blocked) as until
                        from (select ?::inet as address, ? as segment, ? as shares_address,
                                owned_ports_of(?, 1, ?) as owned) own
                            join lease_group other on other.blocked && tstzrange(?, ?) and
                        """
                                + LeaseGroupStore.IN_THE_WAY
                                + " join lease l on l.id = other.lease_id order by until desc limit"
                                + " 1")
                .params(
                        row.group().address(),
                        row.scope().segment(),
                        row.scope().sharesAddresses(),
                        row.group().port(),
                        row.ports() == Shape.ALL_PORTS,
                        SqlTime.of(row.term().startsAt()),
                        SqlTime.of(row.term().blockedUntil()))
                .query((found, index) ->
                        new InTheWay(
                                found.getString("job"),
                                found.getBoolean("reserved"),
                                SqlTime.get(found, "until")))
                .optional();
    }
}
