package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.madcast.allocator.lease.Lease;
import org.madcast.allocator.lease.Secrets;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.store.SqlTime;
import org.madcast.madcap.AddressFamily;
import org.madcast.madcap.LeaseId;
import org.madcast.madcap.NetAddress;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What stands beside a lease that came by MADCAP. Every method joins the caller's transaction. */
@Repository
class MadcapStore {

    private final JdbcClient jdbc;
    private final SqlTime time;

    MadcapStore(JdbcClient jdbc, SqlTime time) {
        this.jdbc = jdbc;
        this.time = time;
    }

    /**
     * A lease or an offer's hold that has not ended.
     *
     * @param lease the lease that keeps the addresses
     * @param identifierHash hash of its lease identifier
     * @param server the server identifier that offered or granted it
     * @param client its client
     * @param xid the transaction that it came of
     * @param scope its scope's name
     * @param startsAt when it starts, as in the answer to its client
     * @param endsAt when it ends, as in the answer to its client
     * @param held whether it is a hold
     * @param addresses its addresses, ascending
     */
    record Row(
            UUID lease,
            String identifierHash,
            String server,
            InetAddress client,
            int xid,
            String scope,
            Instant startsAt,
            Instant endsAt,
            boolean held,
            List<String> addresses) {

        /** The row of a lease that was just granted. */
        static Row of(MadcapRequest request, LeaseTerms terms, Instant now, Lease lease) {
            return new Row(
                    lease.id(),
                    hash(request.leaseId()),
                    request.server(),
                    request.client(),
                    request.message().xid(),
                    request.scope(),
                    terms.startsAt(now),
                    terms.endsAt(now),
                    request.message().type() == org.madcast.madcap.MessageType.DISCOVER,
                    lease.groups().stream().map(LeasedGroup::address).sorted().toList());
        }

        boolean isHoldOf(String someServer) {
            return held && server.equals(someServer);
        }

        /** Whether it has addresses of another family than this one. */
        boolean isOfAnotherFamily(AddressFamily family) {
            return addresses.stream()
                    .map(NetAddress::parse)
                    .anyMatch(it -> !it.family().equals(family));
        }

        /** Whether this request is the one that it came of. */
        boolean isOf(MadcapRequest request) {
            return xid == request.message().xid()
                    && client.equals(request.client())
                    && server.equals(request.server());
        }

        /** The answer that its client gets again. */
        MadcapOutcome granted(Instant now) {
            boolean later = startsAt.isAfter(now);
            Instant from = later ? startsAt : now;
            return new MadcapOutcome.Granted(
                    AddressRanges.of(addresses),
                    Math.max(1, Duration.between(from, endsAt).toSeconds()),
                    later ? Long.valueOf(startsAt.getEpochSecond()) : null,
                    now.getEpochSecond());
        }

        private static Row read(ResultSet row) throws SQLException {
            return new Row(
                    row.getObject("lease_id", UUID.class),
                    row.getString("identifier_hash"),
                    row.getString("server"),
                    InetAddress.ofLiteral(row.getString("client")),
                    row.getInt("xid"),
                    row.getString("scope"),
                    SqlTime.get(row, "starts_at"),
                    SqlTime.get(row, "ends_at"),
                    row.getBoolean("held"),
                    List.of((String[]) row.getArray("addresses").getArray()));
        }
    }

    /**
     * Lets no other transaction change what has these identifiers until this one ends.
     *
     * @return when this transaction began
     */
    Instant lock(Collection<LeaseId> ids) {
        Instant now = time.beginByIndex();
        // In one order everywhere, so that no two wait for each other.
        jdbc.sql(
                        """
                        select count(pg_advisory_xact_lock(key)) from (
                            select distinct hashtextextended(hash, 2535) as key
                            from unnest(:hashes::text[]) as hash order by key offset 0) as keys
                        """)
                .param("hashes", texts(ids, MadcapStore::hash))
                .query(Long.class)
                .single();
        return now;
    }

    /**
     * Does not wait for the disk at this transaction's end: after a crash it may not have happened,
     * as if a datagram had been lost.
     */
    void mayBeForgotten() {
        jdbc.sql("set local synchronous_commit to off").update();
    }

    /** What has these identifiers and still keeps addresses, by the identifiers' hashes. */
    Map<String, List<Row>> find(Collection<LeaseId> ids) {
        Map<String, List<Row>> found = new HashMap<>();
        jdbc.sql(
                        """
                        select m.lease_id, m.identifier_hash, m.server, m.client, m.xid, l.scope,
                            m.starts_at, m.ends_at, m.held,
                            (select array_agg(host(g.address) order by g.address)
                                from lease_group g where g.lease_id = m.lease_id) as addresses
                        from madcap_lease m join lease l on l.id = m.lease_id
                        where not m.ended and l.released_at is null and l.expires_at > now()
                            and m.identifier_hash = any(:hashes::text[])
                        """)
                .param("hashes", texts(ids, MadcapStore::hash))
                .query((row, index) -> Row.read(row))
                .list()
                .forEach(it ->
                        found.computeIfAbsent(it.identifierHash(), hash -> new ArrayList<>())
                                .add(it));
        return found;
    }

    /** Ends rows of these identifiers whose leases have ended, so that they may be used again. */
    void endExpired(Collection<LeaseId> ids) {
        jdbc.sql(
                        """
                        update madcap_lease m set ended = true from lease l
                        where m.identifier_hash = any(:hashes::text[]) and not m.ended
                            and l.id = m.lease_id
                            and (l.released_at is not null or l.expires_at <= now())
                        """)
                .param("hashes", texts(ids, MadcapStore::hash))
                .update();
    }

    /** How many addresses each of these clients has, leased or held; those with none are absent. */
    Map<InetAddress, Long> addressesOf(Collection<InetAddress> clients) {
        Map<InetAddress, Long> counts = new HashMap<>();
        jdbc.sql(
                        """
                        select host(client) as client, sum(addresses) as count from madcap_lease
                        where client = any(:clients::inet[]) and not ended group by client
                        """)
                .param(
                        "clients",
                        texts(clients.stream().distinct().toList(), InetAddress::getHostAddress))
                .query((row, index) ->
                        counts.put(
                                InetAddress.ofLiteral(row.getString("client")),
                                row.getLong("count")))
                .list();
        return counts;
    }

    void insert(List<Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        jdbc.sql(
                        """
                        insert into madcap_lease (lease_id, identifier_hash, server, client, xid,
                            addresses, starts_at, ends_at, held)
                        select * from unnest(:leases::uuid[], :hashes::text[], :servers::text[],
                            :clients::inet[], :xids::int[], :counts::int[],
                            :starts::timestamptz[], :ends::timestamptz[], :helds::boolean[])
                        """)
                .param("leases", texts(rows, Row::lease))
                .param("hashes", texts(rows, Row::identifierHash))
                .param("servers", texts(rows, Row::server))
                .param("clients", texts(rows, it -> it.client().getHostAddress()))
                .param("xids", texts(rows, Row::xid))
                .param("counts", texts(rows, it -> it.addresses().size()))
                .param("starts", texts(rows, Row::startsAt))
                .param("ends", texts(rows, Row::endsAt))
                .param("helds", texts(rows, Row::held))
                .update();
    }

    /**
     * A lease that is renewed, or a hold that becomes a lease.
     *
     * @param lease the lease
     * @param xid of the request
     * @param startsAt when it starts, as in the answer to its client
     * @param endsAt when it ends, as in the answer to its client
     */
    record Extended(UUID lease, int xid, Instant startsAt, Instant endsAt) {}

    /** Makes holds leases, or gives leases other times. */
    void extend(List<Extended> leases) {
        if (leases.isEmpty()) {
            return;
        }
        jdbc.sql(
                        """
                        update madcap_lease m set held = false, xid = t.xid,
                            starts_at = t.starts_at, ends_at = t.ends_at
                        from unnest(:leases::uuid[], :xids::int[], :starts::timestamptz[],
                            :ends::timestamptz[]) as t (lease, xid, starts_at, ends_at)
                        where m.lease_id = t.lease
                        """)
                .param("leases", texts(leases, Extended::lease))
                .param("xids", texts(leases, Extended::xid))
                .param("starts", texts(leases, Extended::startsAt))
                .param("ends", texts(leases, Extended::endsAt))
                .update();
    }

    /** Makes rows history whose leases were released. */
    void end(Collection<UUID> leases) {
        jdbc.sql("update madcap_lease set ended = true where lease_id = any(:leases::uuid[])")
                .param("leases", texts(leases, it -> it))
                .update();
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

    /** What is stored of an identifier, which gives the right to change the lease. */
    static String hash(LeaseId id) {
        return Secrets.hash("madcap lease identifier " + id.octets());
    }

    private static <T> String[] texts(Collection<T> rows, Function<T, Object> column) {
        return rows.stream().map(it -> column.apply(it).toString()).toArray(String[]::new);
    }
}
