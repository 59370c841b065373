package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.store.SqlTime;
import org.madcast.madcap.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What stands beside a lease that came by MADCAP. Every method joins the caller's transaction. */
@Repository
class MadcapLeaseStore {

    /** Rows whose leases have not ended; a condition is to follow. */
    static final String LIVING =
            """
            select m.lease_id, m.identifier_hash, m.server, m.client, m.xid, l.scope, m.starts_at,
                m.ends_at, m.held,
                (select array_agg(host(g.address) order by g.address)
                    from lease_group g where g.lease_id = m.lease_id) as addresses
            from madcap_lease m join lease l on l.id = m.lease_id
            where not m.ended and l.released_at is null and l.expires_at > now()
            """;

    private final JdbcClient jdbc;

    MadcapLeaseStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A lease or an offer's hold that has not ended.
     *
     * @param lease the lease that keeps the addresses
     * @param server the server identifier that offered or granted it
     * @param xid the transaction that it came of
     * @param scope its scope's name
     * @param startsAt when it starts, as its client was told
     * @param endsAt when it ends, as its client was told
     * @param held whether it is a hold
     * @param addresses its addresses, ascending
     */
    record Row(
            UUID lease,
            String server,
            InetAddress client,
            int xid,
            String scope,
            Instant startsAt,
            Instant endsAt,
            boolean held,
            List<String> addresses) {}

    /**
     * Lets no other transaction change what has this identifier until this one ends.
     *
     * @return when this transaction began
     */
    Instant lock(LeaseId id) {
        return jdbc.sql(
                        """
                        select now() as now
                        from (select pg_advisory_xact_lock(hashtextextended(?, 2535))) as locked
                        """)
                .param(hash(id))
                .query((row, index) -> SqlTime.get(row, "now"))
                .single();
    }

    /** What has this identifier and still keeps addresses. */
    List<Row> find(LeaseId id) {
        return jdbc.sql(LIVING + " and m.identifier_hash = ?")
                .param(hash(id))
                .query((row, index) -> read(row))
                .list();
    }

    /** A row of {@link #LIVING}. */
    static Row read(ResultSet row) throws SQLException {
        return new Row(
                row.getObject("lease_id", UUID.class),
                row.getString("server"),
                InetAddress.ofLiteral(row.getString("client")),
                row.getInt("xid"),
                row.getString("scope"),
                SqlTime.get(row, "starts_at"),
                SqlTime.get(row, "ends_at"),
                row.getBoolean("held"),
                List.of((String[]) row.getArray("addresses").getArray()));
    }

    /** Ends rows of this identifier whose leases have ended, so that it may be used again. */
    void endExpired(LeaseId id) {
        jdbc.sql(
                        """
                        update madcap_lease m set ended = true from lease l
                        where m.identifier_hash = ? and not m.ended and l.id = m.lease_id
                            and (l.released_at is not null or l.expires_at <= now())
                        """)
                .param(hash(id))
                .update();
    }

    /**
     * Adds a row, unless the client would have more addresses than it may.
     *
     * @return whether it was added
     */
    boolean insert(Row row, LeaseId id, int mostOfClient) {
        return jdbc.sql(
                                """
                                insert into madcap_lease (lease_id, identifier_hash, server, client,
                                    xid, addresses, starts_at, ends_at, held)
                                select :lease, :hash, :server, :client::inet, :xid, :addresses,
                                    :startsAt, :endsAt, :held
                                where :addresses + (select coalesce(sum(addresses), 0)
                                    from madcap_lease
                                    where client = :client::inet and not ended) <= :most
                                """)
                        .param("lease", row.lease())
                        .param("hash", hash(id))
                        .param("server", row.server())
                        .param("client", row.client().getHostAddress())
                        .param("xid", row.xid())
                        .param("addresses", row.addresses().size())
                        .param("startsAt", SqlTime.of(row.startsAt()))
                        .param("endsAt", SqlTime.of(row.endsAt()))
                        .param("held", row.held())
                        .param("most", mostOfClient)
                        .update()
                == 1;
    }

    /** Makes a hold a lease, or gives a lease other times. */
    void grant(UUID lease, int xid, Instant startsAt, Instant endsAt) {
        jdbc.sql(
                        """
                        update madcap_lease set held = false, xid = ?, starts_at = ?, ends_at = ?
                        where lease_id = ?
                        """)
                .params(xid, SqlTime.of(startsAt), SqlTime.of(endsAt), lease)
                .update();
    }

    void end(UUID lease) {
        jdbc.sql("update madcap_lease set ended = true where lease_id = ?").param(lease).update();
    }

    /** Ends rows whose leases have ended; replicas pass over each other's. */
    int sweep(int batch) {
        return jdbc.sql(
                        """
                        update madcap_lease set ended = true
                        where lease_id in (
                            select m.lease_id from madcap_lease m join lease l on l.id = m.lease_id
                            where not m.ended
                                and (l.released_at is not null or l.expires_at <= now())
                            limit ? for update of m skip locked)
                        """)
                .param(batch)
                .update();
    }

    /** How many addresses are leased or held by MADCAP. */
    long countAddresses() {
        return jdbc.sql("select coalesce(sum(addresses), 0) from madcap_lease where not ended")
                .query(Long.class)
                .single();
    }

    /** What is stored of an identifier: whoever knows that may change the lease. */
    static String hash(LeaseId id) {
        return Secrets.hash("madcap lease identifier " + id.octets());
    }
}
