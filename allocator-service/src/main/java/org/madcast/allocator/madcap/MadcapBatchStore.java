package org.madcast.allocator.madcap;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.madcast.allocator.madcap.MadcapLeaseStore.Row;
import org.madcast.allocator.store.SqlTime;
import org.madcast.madcap.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * What stands beside leases that came by MADCAP, for many at a time. Every method joins the
 * caller's transaction.
 */
@Repository
class MadcapBatchStore {

    private final JdbcClient jdbc;
    private final SqlTime time;

    MadcapBatchStore(JdbcClient jdbc, SqlTime time) {
        this.jdbc = jdbc;
        this.time = time;
    }

    /** A row to be written under its identifier. */
    record Named(LeaseId id, Row row) {}

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
                .param("hashes", hashes(ids))
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
        jdbc.sql(MadcapLeaseStore.LIVING + " and m.identifier_hash = any(:hashes::text[])")
                .param("hashes", hashes(ids))
                .query((row, index) -> {
                    found.computeIfAbsent(
                                    row.getString("identifier_hash"),
                                    hash -> new java.util.ArrayList<>())
                            .add(MadcapLeaseStore.read(row));
                    return index;
                })
                .list();
        return found;
    }

    /** Ends rows of these identifiers whose leases have ended. */
    void endExpired(Collection<LeaseId> ids) {
        jdbc.sql(
                        """
                        update madcap_lease m set ended = true from lease l
                        where m.identifier_hash = any(:hashes::text[]) and not m.ended
                            and l.id = m.lease_id
                            and (l.released_at is not null or l.expires_at <= now())
                        """)
                .param("hashes", hashes(ids))
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
                        clients.stream()
                                .map(InetAddress::getHostAddress)
                                .distinct()
                                .toArray(String[]::new))
                .query((row, index) ->
                        counts.put(
                                InetAddress.ofLiteral(row.getString("client")),
                                row.getLong("count")))
                .list();
        return counts;
    }

    void insert(List<Named> rows) {
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
                .param("leases", texts(rows, it -> it.row().lease().toString()))
                .param("hashes", texts(rows, it -> MadcapLeaseStore.hash(it.id())))
                .param("servers", texts(rows, it -> it.row().server()))
                .param("clients", texts(rows, it -> it.row().client().getHostAddress()))
                .param("xids", numbers(rows, it -> it.row().xid()))
                .param("counts", numbers(rows, it -> it.row().addresses().size()))
                .param("starts", texts(rows, it -> it.row().startsAt().toString()))
                .param("ends", texts(rows, it -> it.row().endsAt().toString()))
                .param("helds", texts(rows, it -> String.valueOf(it.row().held())))
                .update();
    }

    /**
     * A hold that becomes a lease.
     *
     * @param lease the lease
     * @param xid of the REQUEST
     * @param startsAt what the client is told
     * @param endsAt what the client is told
     */
    record Taken(UUID lease, int xid, Instant startsAt, Instant endsAt) {}

    /** Makes holds leases. */
    void grant(List<Taken> taken) {
        if (taken.isEmpty()) {
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
                .param("leases", texts(taken, it -> it.lease().toString()))
                .param("xids", numbers(taken, Taken::xid))
                .param("starts", texts(taken, it -> it.startsAt().toString()))
                .param("ends", texts(taken, it -> it.endsAt().toString()))
                .update();
    }

    /** What stands beside leases that were released is history. */
    void end(Collection<UUID> leases) {
        jdbc.sql("update madcap_lease set ended = true where lease_id = any(:leases::uuid[])")
                .param("leases", leases.stream().map(UUID::toString).toArray(String[]::new))
                .update();
    }

    private static String[] hashes(Collection<LeaseId> ids) {
        return ids.stream().map(MadcapLeaseStore::hash).toArray(String[]::new);
    }

    private static <T> String[] texts(List<T> rows, Function<T, String> column) {
        return rows.stream().map(column).toArray(String[]::new);
    }

    private static <T> Integer[] numbers(List<T> rows, Function<T, Integer> column) {
        return rows.stream().map(column).toArray(Integer[]::new);
    }
}
