package org.madcast.allocator.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.scope.PoolRange;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The leases that had an address, and when. From any thread. */
@Service
@Transactional(readOnly = true)
public class LeaseHistory {

    /** No lease was before it, and the database knows no time long before. */
    private static final Instant FIRST = Instant.EPOCH;

    /** As late as any lease may be. */
    private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");

    private final JdbcClient jdbc;

    LeaseHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A lease of an address.
     *
     * @param leaseId the lease
     * @param scope the scope that the address came from
     * @param job whose
     * @param user who ran the job, if named
     * @param ports its first port and its last
     * @param startsAt from when on
     * @param endedAt until when: when it was given back or, if it was not, when it expires
     * @param released whether it was given back
     * @param renewals how often it was renewed
     */
    @Schema(name = "HistoryEntry")
    public record Entry(
            UUID leaseId,
            String scope,
            String job,
            @Nullable String user,
            Ports ports,
            Instant startsAt,
            Instant endedAt,
            boolean released,
            int renewals) {}

    /**
     * Ports in a row.
     *
     * @param first the lowest
     * @param last the highest
     */
    @Schema(name = "HistoryPorts")
    public record Ports(int first, int last) {}

    /**
     * The leases that had an address at some time in between, the latest first.
     *
     * @param address an address
     * @param from null for ever since
     * @param to null for whatever is to come
     * @throws IllegalArgumentException when the text is no address, or means several
     */
    public List<Entry> of(String address, @Nullable Instant from, @Nullable Instant to, int limit) {
        PoolRange one = PoolRange.parse(address);
        if (one.size() != 1) {
            throw new IllegalArgumentException("must be one address");
        }
        return jdbc.sql(
                        """
                        select l.*, g.port, g.port_count
                        from (select * from lease_group
                                where settled and address = :address::inet
                            union all
                            select * from lease_group
                                where not settled
                                    and ethernet_key_of(address) = ethernet_key_of(:address::inet)
                                    and address = :address::inet) g
                            join lease l on l.id = g.lease_id
                        where not l.reserves and l.starts_at < :to
                            and coalesce(l.released_at, l.expires_at) > :from
                        order by l.starts_at desc, l.id limit :limit
                        """)
                .param("address", one.toString())
                .param("from", SqlTime.of(within(from == null ? FIRST : from)))
                .param("to", SqlTime.of(within(to == null ? LAST : to)))
                .param("limit", limit)
                .query(LeaseHistory::read)
                .list();
    }

    private static Instant within(Instant time) {
        return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
    }

    private static Entry read(ResultSet row, int index) throws SQLException {
        Instant releasedAt = SqlTime.getOrNull(row, "released_at");
        int port = row.getInt("port");
        return new Entry(
                row.getObject("id", UUID.class),
                row.getString("scope"),
                row.getString("job"),
                row.getString("owner"),
                new Ports(port, port + row.getInt("port_count") - 1),
                SqlTime.get(row, "starts_at"),
                releasedAt == null ? SqlTime.get(row, "expires_at") : releasedAt,
                releasedAt != null,
                row.getInt("renewals"));
    }
}
