package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.LeaseStore.Locked;
import org.madcast.allocator.scope.AddressPool;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The table of leased groups, whose constraints keep leases apart. Every method joins the caller's
 * transaction.
 */
@Repository
class LeaseGroupStore {

    /**
     * Keys on Ethernet take turns by so many, since a transaction cannot have locks without end.
     */
    private static final int TURNS = 64;

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

    private static final String TURNS_OF_KEYS =
            """
            turns as (select distinct key %% %d as turn from unnest(:keys::bigint[]) as keys (key))
            """
                    .formatted(TURNS);
    private static final String TURNS_OF_LEASES =
            """
            turns as (select distinct ethernet_key_of(address) %% %d as turn
                from lease_group where lease_id = any(:leases::uuid[]))
            """
                    .formatted(TURNS);
    private static final String TAKE_TURNS =
            """
            select count(pg_advisory_xact_lock%s(key)) from (
                select hashtextextended(turn::text, 2390) as key
                from turns order by key offset 0) as keys
            """;

    private final JdbcClient jdbc;

    LeaseGroupStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A row of the table.
     *
     * @param scope of what
     * @param lease whose
     * @param ordinal its place within the lease
     * @param slotNumber the slot that it came from
     * @param group its address, its first port and its role
     * @param ports how many ports in a row, or {@link Shape#ALL_PORTS}
     * @param term when
     */
    record Row(
            Scope scope,
            UUID lease,
            int ordinal,
            @Nullable Long slotNumber,
            MulticastGroup group,
            int ports,
            Term term) {}

    /**
     * What was inserted.
     *
     * @param lease whose
     * @param ordinal its place within the lease
     */
    record Inserted(UUID lease, int ordinal) {}

    /**
     * Inserts those rows that no live lease is in the way of, and says which. A row waits for a
     * transaction under way that has one in its way, so all insert theirs in one order, however
     * scopes overlap: what can be in each other's way has the same key on Ethernet, and of one key
     * all ports at once come first, then port by port. Of one key in several layer-2 domains no
     * order will do: who has that takes turns with whoever has several groups of the key.
     *
     * @param later whether some begin later than now, and so wait for leases that are renewed
     */
    Set<Inserted> insert(List<Row> rows, boolean later) {
        if (rows.isEmpty()) {
            return Set.of();
        }
        lockEthernetKeys(rows, later);
        return Set.copyOf(
                jdbc.sql(
                                """
                                insert into lease_group (lease_id, ordinal, scope, slot_number,
                                    address, port, port_count, whole_address, role, segment,
                                    shares_address, blocked)
                                select lease, ordinal, scope, slot, address, port,
                                    case when ports = :all then 1 else ports end, ports = :all,
                                    role, segment, shares, tstzrange(starts_at, blocked_until)
                                from unnest(:scopes::text[], :segments::text[],
                                    :shareds::boolean[], :leases::uuid[], :ordinals::int[],
                                    :slots::bigint[], :addresses::inet[], :ports::int[],
                                    :counts::int[], :roles::text[], :starts::timestamptz[],
                                    :untils::timestamptz[])
                                    as row (scope, segment, shares, lease, ordinal, slot, address,
                                        port, ports, role, starts_at, blocked_until)
                                order by ethernet_key_of(address),
                                    case when shares and ports <> :all then port else 0 end,
                                    address, port
                                on conflict do nothing
                                returning lease_id, ordinal
                                """)
                        .param("all", Shape.ALL_PORTS)
                        .param("scopes", texts(rows, it -> it.scope().name()))
                        .param("segments", texts(rows, it -> it.scope().segment()))
                        .param("shareds", texts(rows, it -> it.scope().sharesAddresses()))
                        .param("leases", texts(rows, Row::lease))
                        .param("ordinals", numbers(rows, Row::ordinal))
                        .param("slots", rows.stream().map(Row::slotNumber).toArray(Long[]::new))
                        .param("addresses", texts(rows, it -> it.group().address()))
                        .param("ports", numbers(rows, it -> it.group().port()))
                        .param("counts", numbers(rows, Row::ports))
                        .param("roles", texts(rows, it -> it.group().role()))
                        .param("starts", texts(rows, it -> it.term().startsAt()))
                        .param("untils", texts(rows, it -> it.term().blockedUntil()))
                        .query((row, index) ->
                                new Inserted(
                                        row.getObject("lease_id", UUID.class),
                                        row.getInt("ordinal")))
                        .list());
    }

    /**
     * For two rows of one key on Ethernet in two layer-2 domains, either guarantee has an order of
     * its own: of the addresses, and of the domains. Whoever waits for each other over that has
     * several rows of one key, and one of them has it in several domains, so that one is alone. So
     * is who has several rows that begin later, since those who renew have no order at all.
     */
    private void lockEthernetKeys(List<Row> rows, boolean later) {
        Map<Long, String> domains = new HashMap<>();
        Set<Long> several = new HashSet<>();
        boolean alone = later && rows.size() > 1;
        for (Row row : rows) {
            long key = AddressPool.ethernetKey(row.group().address());
            String domain = row.scope().segment();
            String before = domains.putIfAbsent(key, domain);
            if (before != null) {
                several.add(key);
                alone |= !before.equals(domain);
            }
        }
        if (later && rows.size() > 1) {
            several.addAll(domains.keySet());
        }
        if (!several.isEmpty()) {
            jdbc.sql("with " + TURNS_OF_KEYS + TAKE_TURNS.formatted(alone ? "" : "_shared"))
                    .param("keys", several.toArray(Long[]::new))
                    .query(Long.class)
                    .single();
        }
    }

    /**
     * Before leases that have several groups in all are given other times: those are written in no
     * order, so nobody may be under way who has several groups that begin later, and who would wait
     * for some of these and be waited for by others.
     */
    void takeTurnsOf(Collection<Locked> leases) {
        if (leases.stream().mapToInt(Locked::groups).sum() > 1) {
            jdbc.sql("with " + TURNS_OF_LEASES + TAKE_TURNS.formatted("_shared"))
                    .param(
                            "leases",
                            leases.stream().map(it -> it.id().toString()).toArray(String[]::new))
                    .query(Long.class)
                    .single();
        }
    }

    /** What is written from here on can be taken back, and who waits for it goes on. */
    void mark() {
        jdbc.sql("savepoint before_change").update();
    }

    /** Takes back what was written since the mark, which is gone then. */
    void backToMark() {
        jdbc.sql("rollback to savepoint before_change").update();
        jdbc.sql("release savepoint before_change").update();
    }

    /** Until when other leases are in the way of this group in this term. */
    Optional<Instant> obstructedUntil(Scope scope, MulticastGroup group, int ports, Term term) {
        boolean whole = ports == Shape.ALL_PORTS;
        return jdbc.sql(
                        """
                        select max(upper(other.blocked)) as until
                        from (select :address::inet as address, :segment as segment,
                                :shares as shares_address,
                                owned_ports_of(:port, :count, :whole) as owned) own
                            join lease_group other on
                        """
                                + IN_THE_WAY
                                + """
                                and other.blocked && tstzrange(:startsAt, :until)
                                """)
                .param("startsAt", SqlTime.of(term.startsAt()))
                .param("until", SqlTime.of(term.blockedUntil()))
                .param("address", group.address())
                .param("port", group.port())
                .param("count", whole ? 1 : ports)
                .param("whole", whole)
                .param("segment", scope.segment())
                .param("shares", scope.sharesAddresses())
                .query((row, index) -> Optional.ofNullable(SqlTime.getOrNull(row, "until")))
                .single();
    }

    /** The Ethernet addresses of the scope's layer-2 domain that are taken in this term. */
    Set<Long> takenEthernetKeys(Scope scope, Term term) {
        return jdbc
                .sql(
                        """
                        select ethernet_key_of(address) from lease_group
                        where not settled and segment = :segment
                            and blocked && tstzrange(:startsAt, :until)
                        """)
                .param("segment", scope.segment())
                .param("startsAt", SqlTime.of(term.startsAt()))
                .param("until", SqlTime.of(term.blockedUntil()))
                .query(Long.class)
                .list()
                .stream()
                .collect(Collectors.toSet());
    }

    private static String[] texts(
            List<Row> rows, java.util.function.Function<Row, @Nullable Object> column) {
        String[] texts = new String[rows.size()];
        for (int i = 0; i < texts.length; i++) {
            Object value = column.apply(rows.get(i));
            texts[i] = value == null ? null : value.toString();
        }
        return texts;
    }

    private static Integer[] numbers(List<Row> rows, java.util.function.ToIntFunction<Row> column) {
        return rows.stream().mapToInt(column).boxed().toArray(Integer[]::new);
    }
}
