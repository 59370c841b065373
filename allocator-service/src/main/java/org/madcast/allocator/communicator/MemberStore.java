package org.madcast.allocator.communicator;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The member table. Every method joins the caller's transaction. */
@Repository
class MemberStore {

    /** What a topology may know the host of the member {@code m} as. */
    static final String KNOWN_AS =
            "lower(m.address), lower(m.host), split_part(lower(m.host), '.', 1)";

    private final JdbcClient jdbc;

    MemberStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Hashes that tell a rank's process from others.
     *
     * @param instanceHash of its instance number
     * @param secretHash of its secret
     */
    record Proof(String instanceHash, String secretHash) {}

    /**
     * What tells whether a request may speak for a rank.
     *
     * @param proof what it shows
     * @param ownedBy whose the communicator is, null if anybody's
     */
    record Standing(Proof proof, @Nullable String ownedBy) {}

    /**
     * Writes a member, unless a living other process has the rank. The same process again refreshes
     * its entry. One that left or is overdue makes room, until the communicator is complete: the
     * others hold its address by then, and would never hear of another.
     *
     * @return until when it counts as alive, nothing when the rank is taken
     */
    Optional<Instant> join(
            UUID communicator, int rank, Member.Endpoint endpoint, Proof proof, Duration alive) {
        return jdbc.sql(
                        """
                        insert into member as m (communicator_id, rank, address, port, host, pid,
                            receive_buffer_bytes, datagram_bytes, instance_hash, secret_hash,
                            joined_at, expires_at)
                        values (:communicator, :rank, :address, :port, :host, :pid,
                            :receiveBufferBytes, :datagramBytes, :instanceHash, :secretHash,
                            now(), now() + make_interval(secs => :alive))
                        on conflict (communicator_id, rank) do update set
                            address = excluded.address, port = excluded.port,
                            host = excluded.host, pid = excluded.pid,
                            receive_buffer_bytes = excluded.receive_buffer_bytes,
                            datagram_bytes = excluded.datagram_bytes,
                            instance_hash = excluded.instance_hash,
                            secret_hash = excluded.secret_hash,
                            joined_at = case when m.instance_hash = excluded.instance_hash
                                then m.joined_at else excluded.joined_at end,
                            expires_at = excluded.expires_at, left_at = null
                        where (m.instance_hash = excluded.instance_hash and m.left_at is null)
                            or ((m.left_at is not null or m.expires_at <= now())
                                and not exists (select 1 from communicator c
                                    where c.id = m.communicator_id
                                        and c.completed_at is not null))
                        returning expires_at
                        """)
                .param("communicator", communicator)
                .param("rank", rank)
                .param("address", endpoint.address())
                .param("port", endpoint.port())
                .param("host", endpoint.host())
                .param("pid", endpoint.pid())
                .param("receiveBufferBytes", endpoint.receiveBufferBytes())
                .param("datagramBytes", endpoint.datagramBytes())
                .param("instanceHash", proof.instanceHash())
                .param("secretHash", proof.secretHash())
                .param("alive", (double) alive.toSeconds())
                .query(OffsetDateTime.class)
                .optional()
                .map(OffsetDateTime::toInstant);
    }

    /** Who has a rank, as host:pid. */
    Optional<String> holder(UUID communicator, int rank) {
        return jdbc.sql(
                        """
                        select host || ':' || pid from member
                        where communicator_id = ? and rank = ?
                        """)
                .params(communicator, rank)
                .query(String.class)
                .optional();
    }

    /** What a rank must show, and whose its communicator is; nothing when there is no such rank. */
    Optional<Standing> standing(UUID communicator, int rank) {
        return jdbc.sql(
                        """
                        select m.instance_hash, m.secret_hash, c.owned_by
                        from member m join communicator c on c.id = m.communicator_id
                        where m.communicator_id = ? and m.rank = ?
                        """)
                .params(communicator, rank)
                .query((row, index) ->
                        new Standing(
                                new Proof(
                                        row.getString("instance_hash"),
                                        row.getString("secret_hash")),
                                row.getString("owned_by")))
                .optional();
    }

    /** Keeps a member alive, also one that was overdue; nothing when it left. */
    Optional<Instant> renew(UUID communicator, int rank, Duration alive) {
        return jdbc.sql(
                        """
                        update member set expires_at = now() + make_interval(secs => :alive)
                        where communicator_id = :communicator and rank = :rank and left_at is null
                        returning expires_at
                        """)
                .param("alive", (double) alive.toSeconds())
                .param("communicator", communicator)
                .param("rank", rank)
                .query(OffsetDateTime.class)
                .optional()
                .map(OffsetDateTime::toInstant);
    }

    void leave(UUID communicator, int rank) {
        jdbc.sql(
                        """
                        update member set left_at = coalesce(left_at, now())
                        where communicator_id = ? and rank = ?
                        """)
                .params(communicator, rank)
                .update();
    }

    /** All that ever registered and were not replaced, by rank. */
    List<Member> all(UUID communicator) {
        return jdbc.sql("select * from member where communicator_id = ? order by rank")
                .param(communicator)
                .query(MemberStore::read)
                .list();
    }

    /**
     * The hosts of all ranks in their order, by their numbers in the communicator's topology: by a
     * rank's address, else by its host's name.
     */
    List<Integer> hosts(UUID communicator) {
        return jdbc.sql(
                        """
                        select distinct on (m.rank) h.host from communicator c
                        join member m on m.communicator_id = c.id
                        join topology_host h on h.topology = c.topology
                            and h.known_as in (KNOWN_AS)
                        where c.id = ?
                        order by m.rank, h.known_as = lower(m.address) desc, length(h.known_as) desc
                        """
                                .replace("KNOWN_AS", KNOWN_AS))
                .param(communicator)
                .query(Integer.class)
                .list();
    }

    private static Member read(ResultSet row, int index) throws SQLException {
        return new Member(
                row.getInt("rank"),
                new Member.Endpoint(
                        row.getString("address"),
                        row.getInt("port"),
                        row.getString("host"),
                        row.getLong("pid"),
                        row.getLong("receive_buffer_bytes"),
                        row.getInt("datagram_bytes")),
                SqlTime.get(row, "joined_at"),
                SqlTime.get(row, "expires_at"),
                SqlTime.getOrNull(row, "left_at"));
    }
}
