package org.madcast.allocator.lease;

import static org.madcast.allocator.lease.LeaseStore.texts;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseRules.Source;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.scope.AddressPool;
import org.madcast.allocator.scope.LeasedGroup;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Repository;

/**
 * The table of leased groups, whose constraints keep leases apart. Every method joins the caller's
 * transaction.
 */
@Repository
class LeaseGroupStore {

    /** Ethernet keys are locked by their remainder, since a transaction's locks are limited. */
    private static final int KEY_LOCKS = 64;

    /**
     * A condition: an {@code other} group is in the way of {@code own}, which has its owned ports
     * already. By Ethernet address as the constraint is written, whose index then finds it.
     */
    static final String IN_THE_WAY =
            """
            not other.settled
                and ethernet_key_of(other.address) = ethernet_key_of(own.address)
                and ethernet_ports_of(owned_ports_of(other.port, other.port_count,
                        other.whole_address), other.shares_address)
                    && ethernet_ports_of(own.owned, own.shares_address)
                and (other.segment = own.segment
                    or other.address = own.address
                        and owned_ports_of(other.port, other.port_count, other.whole_address)
                            && own.owned)
            """;

    /** Rows that are parameters. */
    private static final String ROWS =
            """
            unnest(:scopes::text[], :segments::text[], :shareds::boolean[], :leases::uuid[],
                :ordinals::int[], :slots::bigint[], :addresses::inet[], :ports::int[],
                :counts::int[], :roles::text[], :starts::timestamptz[], :untils::timestamptz[],
                :reservations::uuid[])
                as row (scope, segment, shares_address, lease, ordinal, slot, address, port, ports,
                    role, starts_at, blocked_until, reservation)
            """;

    private static final String KEYS =
            """
            select distinct key %% %d as remainder from unnest(:keys::bigint[]) as keys (key)
            """
                    .formatted(KEY_LOCKS);
    private static final String KEYS_OF_LEASES =
            """
            select distinct ethernet_key_of(address) %% %d as remainder
            from lease_group where lease_id = any(:leases::uuid[])
            """
                    .formatted(KEY_LOCKS);
    private static final String LOCK_KEYS =
            """
            with remainders as (%s)
            select count(pg_advisory_xact_lock%s(key)) from (
                select hashtextextended(remainder::text, 2390) as key
                from remainders order by key offset 0) as keys
            """;

    private final JdbcClient jdbc;

    LeaseGroupStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A row of the table.
     *
     * @param scope its scope
     * @param lease its lease
     * @param ordinal its place within the lease
     * @param slotNumber the slot that it came from
     * @param group its address, its first port and its role
     * @param ports how many ports in a row, or {@link Shape#ALL_PORTS}
     * @param term when
     * @param reservation the reservation that keeps the group for longer, if one does
     */
    record Row(
            Scope scope,
            UUID lease,
            int ordinal,
            long slotNumber,
            LeasedGroup group,
            int ports,
            Term term,
            @Nullable UUID reservation) {

        /** The same, kept by a reservation. */
        Row keptBy(@Nullable UUID other) {
            return new Row(scope, lease, ordinal, slotNumber, group, ports, term, other);
        }
    }

    /**
     * Inserts those rows that no live lease is in the way of. A row waits for a transaction under
     * way that has one in its way, so all insert theirs in one order, however scopes overlap: what
     * can be in each other's way has the same key on Ethernet, and of one key all ports at once
     * come first, then port by port. Of one key in several layer-2 domains no order will do: such
     * transactions lock out those that have several groups of the key.
     *
     * @param later whether some begin later than now, and so wait for leases that are renewed
     * @return the rows that were not inserted
     */
    List<Row> insert(List<Row> rows, boolean later) {
        if (rows.isEmpty()) {
            return List.of();
        }
        lockEthernetKeys(rows, later);
        Set<String> inserted = new HashSet<>();
        bound(
                        """
                        insert into lease_group (lease_id, ordinal, scope, slot_number,
                            address, port, port_count, whole_address, role, segment,
                            shares_address, blocked, reservation)
                        select lease, ordinal, scope, slot, address, port,
                            case when ports = :all then 1 else ports end, ports = :all,
                            role, segment, shares_address, tstzrange(starts_at, blocked_until),
                            reservation
                        from
                        """
                                + ROWS
                                + """
                                order by ethernet_key_of(address),
                                    case when shares_address and ports <> :all then port else 0 end,
                                    address, port
                                on conflict do nothing
                                returning lease_id, ordinal
                                """,
                        rows)
                .query((row, index) ->
                        inserted.add(row.getString("lease_id") + row.getInt("ordinal")))
                .list();
        return rows.stream()
                .filter(it -> !inserted.contains(it.lease().toString() + it.ordinal()))
                .toList();
    }

    /**
     * Blocks the slots of these rows for as long as other leases are in the way of their groups, or
     * else for the rows' own terms; reserved ones for an hour, since a reservation may be removed
     * and knows the slot of its own scope only. A slot that another transaction is taking is left
     * to that.
     */
    void blockSlots(List<Row> obstructed) {
        bound(
                        """
                        with own as (
                            select *, owned_ports_of(port, case when ports = :all then 1 else ports
                                end, ports = :all) as owned
                            from
                        """
                                + ROWS
                                + """
                                ), ends as (
                                    select own.scope, own.slot,
                                        coalesce(max(least(upper(other.blocked), case
                                                when other.reservation is not null
                                                    then now() + interval '1 hour' end)),
                                            own.blocked_until) as until
                                    from own left join lease_group other on other.blocked
                                            && tstzrange(own.starts_at, own.blocked_until) and
                                """
                                + IN_THE_WAY
                                + """
                                    group by own.scope, own.slot, own.blocked_until),
                                free as (
                                    select slot.scope, slot.number, ends.until
                                    from ends join slot on slot.scope = ends.scope
                                        and slot.number = ends.slot
                                    for update of slot skip locked)
                                update slot set free_at = free.until from free
                                where slot.scope = free.scope and slot.number = free.number
                                """,
                        obstructed)
                .update();
    }

    private StatementSpec bound(String sql, List<Row> rows) {
        return jdbc.sql(sql)
                .param("all", Shape.ALL_PORTS)
                .param("scopes", texts(rows, it -> it.scope().name()))
                .param("segments", texts(rows, it -> it.scope().segment()))
                .param("shareds", texts(rows, it -> it.scope().sharesAddresses()))
                .param("leases", texts(rows, Row::lease))
                .param("ordinals", texts(rows, Row::ordinal))
                .param("slots", texts(rows, Row::slotNumber))
                .param("addresses", texts(rows, it -> it.group().address()))
                .param("ports", texts(rows, it -> it.group().port()))
                .param("counts", texts(rows, Row::ports))
                .param("roles", texts(rows, it -> it.group().role()))
                .param("starts", texts(rows, it -> it.term().startsAt()))
                .param("untils", texts(rows, it -> it.term().blockedUntil()))
                .param("reservations", texts(rows, Row::reservation));
    }

    /**
     * For two rows of one key on Ethernet in two layer-2 domains, either guarantee has an order of
     * its own: of the addresses, and of the domains. Transactions that wait for each other over
     * that have several rows of one key, and one of them has it in several domains, so that one
     * locks out the others. So does one that has several rows of which some begin later, since
     * renewals have no order at all.
     */
    private void lockEthernetKeys(List<Row> rows, boolean later) {
        boolean exclusive = later && rows.size() > 1;
        Map<Long, String> domains = new HashMap<>();
        Set<Long> several = new HashSet<>();
        for (Row row : rows) {
            long key = AddressPool.ethernetKey(row.group().address());
            String domain = row.scope().segment();
            String before = domains.putIfAbsent(key, domain);
            if (before != null) {
                several.add(key);
                exclusive |= !before.equals(domain);
            }
        }
        if (later && rows.size() > 1) {
            several.addAll(domains.keySet());
        }
        if (!several.isEmpty()) {
            jdbc.sql(LOCK_KEYS.formatted(KEYS, exclusive ? "" : "_shared"))
                    .param("keys", several.toArray(Long[]::new))
                    .query(Long.class)
                    .single();
        }
    }

    /**
     * Before leases that have several groups in all are given other times: those are written in no
     * order, so no transaction may be under way that has several groups of which some begin later,
     * and that would wait for some of these and be waited for by others.
     */
    void lockEthernetKeysOf(Collection<Locked> leases) {
        if (leases.stream().mapToInt(Locked::groups).sum() > 1) {
            jdbc.sql(LOCK_KEYS.formatted(KEYS_OF_LEASES, "_shared"))
                    .param("leases", texts(leases, Locked::id))
                    .query(Long.class)
                    .single();
        }
    }

    /** What is written from here on can be taken back, and its locks with it. */
    void savepoint() {
        jdbc.sql("savepoint before_change").update();
    }

    /** Takes back what was written since the savepoint, which stays. */
    void rollbackToSavepoint() {
        jdbc.sql("rollback to savepoint before_change").update();
    }

    /** The Ethernet addresses of the scope's layer-2 domain that are taken in this term. */
    Set<Long> takenEthernetKeys(Source source) {
        return jdbc
                .sql(
                        """
                        select ethernet_key_of(address) from lease_group
                        where not settled and segment = :segment
                            and blocked && tstzrange(:startsAt, :until)
                        """)
                .param("segment", source.scope().segment())
                .param("startsAt", SqlTime.of(source.term().startsAt()))
                .param("until", SqlTime.of(source.term().blockedUntil()))
                .query(Long.class)
                .list()
                .stream()
                .collect(Collectors.toSet());
    }
}
