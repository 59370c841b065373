package org.madcast.allocator.lease;

import static org.madcast.allocator.lease.LeaseStore.texts;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.madcast.allocator.lease.GrantOutcome.PoolExhausted;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Proposes which slots of a scope to grant, in constant time however full the pool is. It only
 * proposes: the constraints on {@code lease_group} hold that no other lease has the group.
 *
 * <p>A pool is dealt out in its pseudo-random order, a chunk at a time, into the table {@code
 * slot}; grants take the slot that has been free for longest and pass over those that a concurrent
 * grant is taking. A slot knows until when it is blocked, so that one whose lease expired is simply
 * found again, and the first to become free in a full pool is the first in the index.
 *
 * <p>Every method joins the caller's transaction.
 */
@Repository
class SlotStore {

    /**
     * A part of a statement: the slots of groups that {@code changed} has, locked, but not those
     * that another transaction has taken since their lease expired, or has locked in vain: waiting
     * for it could be a deadlock, since it may be waiting for these groups. {@link #freeLate} looks
     * after those.
     */
    static final String OWN_OF_CHANGED =
            """
            own as (
                select slot.scope, slot.number, changed.until
                from changed join slot on slot.scope = changed.scope
                    and slot.number = changed.slot_number
                for update of slot skip locked),
            late as (
                insert into late_slot (scope, number, free_at)
                select scope, slot_number, until from changed
                where slot_number is not null and not exists (select from own
                    where own.scope = changed.scope and own.number = changed.slot_number))
            """;

    /** A statement, or a part of one: those slots are free at the time that their group has. */
    static final String FREE_OWN =
            """
            update slot set free_at = own.until
            from own where slot.scope = own.scope and slot.number = own.number
            """;

    private static final int CHUNK = 1024;
    private static final String FREE = "free_at between :bound and now()";
    private static final String SKIP = "skip locked";
    private static final String WAIT = "";
    private static final Duration SLACK = Duration.ofMillis(250);

    private final JdbcClient jdbc;

    /**
     * Where in the order of a scope's slots the free ones begin, more or less: in front of them the
     * index is full of entries of slots that were taken, until the database cleans it. Only a hint;
     * when there is too little behind it, the search begins at the front.
     */
    private final Map<String, Instant> floors = new ConcurrentHashMap<>();

    SlotStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A slot that was taken.
     *
     * @param number its number in the scope
     * @param uses how often it has been taken
     */
    record Slot(long number, int uses) {}

    /**
     * What to take.
     *
     * @param scope of this scope
     * @param count as many, fewer when there are no more that no other transaction is taking
     * @param until until when they are blocked then
     * @param except none of these numbers
     */
    record Search(Scope scope, int count, Instant until, Set<Long> except) {

        /** The rest of it. */
        private Search after(List<Slot> taken) {
            return new Search(scope, count - taken.size(), until, except);
        }
    }

    /** Takes free slots. */
    List<Slot> take(Search search) {
        List<Slot> taken = new ArrayList<>(takeDealt(search));
        if (taken.size() < search.count()) {
            if (dealt(search.scope(), "") < search.scope().capacity()) {
                taken.addAll(dealAndTake(search.after(taken)));
            } else {
                // The last chunk may have been dealt between the two looks.
                taken.addAll(takeDealt(search.after(taken)));
            }
        }
        return taken;
    }

    /** Whether others are taking slots that are free, so that it helps to {@link #await} them. */
    boolean areOthersTaking(Scope scope, Set<Long> except) {
        return jdbc.sql(
                        """
                        select exists (select from slot where scope = ? and free_at <= now()
                            and number <> all(?::bigint[]))
                        """)
                .params(scope.name(), texts(except, it -> it))
                .query(Boolean.class)
                .single();
    }

    /**
     * Takes free slots, and waits for those that others are taking. One transaction does so at a
     * time, and must have no slots of the scope before: what was waited for in vain stays locked,
     * and two that wait would soon wait for each other.
     */
    List<Slot> await(Search search) {
        jdbc.sql("select count(pg_advisory_xact_lock(hashtextextended(?, 8730)))")
                .param(search.scope().name())
                .query(Long.class)
                .single();
        List<Slot> taken = new ArrayList<>(take(search));
        if (taken.size() < search.count()) {
            taken.addAll(taken(search.after(taken), FREE, Instant.EPOCH, WAIT));
        }
        return taken;
    }

    /**
     * Takes slots that are in use now, and free before a later start; fewer when there are none.
     */
    List<Slot> takeFreeBy(Instant start, Search search) {
        return taken(search, "free_at > now() and free_at <= :bound", start, SKIP);
    }

    /**
     * Takes certain slots, dealt or not, for leases that are placed by their addresses.
     *
     * @param rows the groups to be
     * @return the numbers of those that were taken: not one that a lease has, nor one that another
     *     transaction is taking
     */
    Set<Long> occupy(Scope scope, List<Row> rows) {
        String[] numbers = texts(rows, Row::slotNumber);
        add(scope, numbers);
        // One of a lease that runs is not even locked: its release writes its groups first. Nor
        // one that was given back, or expired, since this transaction began: the lease would have
        // a start of before that.
        return Set.copyOf(
                jdbc.sql(
                                """
                                with free as (
                                    select slot.number, place.until
                                    from unnest(:numbers::bigint[], :addresses::text[],
                                            :starts::timestamptz[], :untils::timestamptz[])
                                        as place (number, address, start, until)
                                    join slot on slot.scope = :scope
                                        and slot.number = place.number
                                    where slot.free_at not between place.start
                                            + interval '1 microsecond' and clock_timestamp()
                                        and not exists (select from lease_group g
                                        where ethernet_key_of(g.address)
                                                = ethernet_key_of(place.address::inet)
                                            and g.address = place.address::inet
                                            and g.scope = :scope and not g.settled
                                            and g.blocked && tstzrange(place.start, place.until))
                                    for update of slot skip locked)
                                update slot set free_at = greatest(free_at, free.until),
                                    uses = uses + 1
                                from free
                                where slot.scope = :scope and slot.number = free.number
                                returning slot.number
                                """)
                        .param("scope", scope.name())
                        .param("numbers", numbers)
                        .param("addresses", texts(rows, it -> it.group().address()))
                        .param("starts", texts(rows, it -> it.term().startsAt()))
                        .param("untils", texts(rows, it -> it.term().blockedUntil()))
                        .query(Long.class)
                        .list());
    }

    private List<Slot> dealAndTake(Search search) {
        Scope scope = search.scope();
        // Not "for update": that waits for every lease of the scope that is being written, each of
        // which refers to this row, and they may be waiting for this lock.
        long dealt = dealt(scope, " for no key update");
        // The transaction that had the lock before has dealt already, perhaps.
        List<Slot> taken = new ArrayList<>(takeDealt(search));
        if (taken.size() < search.count() && dealt < scope.capacity()) {
            deal(scope, dealt, search.count());
            taken.addAll(takeDealt(search.after(taken)));
        }
        return taken;
    }

    private long dealt(Scope scope, String lock) {
        return jdbc.sql("select dealt from scope where name = ?" + lock)
                .param(scope.name())
                .query(Long.class)
                .single();
    }

    /** Gives slots back that were taken in this transaction, and that no group was written for. */
    void free(Scope scope, List<Slot> taken) {
        if (!taken.isEmpty()) {
            jdbc.sql(
                            """
                            update slot set free_at = now()
                            where scope = :scope and number = any(:numbers::bigint[])
                            """)
                    .param("scope", scope.name())
                    .param("numbers", texts(taken, Slot::number))
                    .update();
        }
    }

    /**
     * Frees slots that were locked when their lease ended, from the first of the ends that were
     * noted on. One that another lease has taken since is proposed in vain at worst, and blocked
     * again then.
     */
    void freeLate() {
        jdbc.sql(
                        """
                        with own as (
                            select late.ctid as late, slot.scope, slot.number, late.free_at
                            from late_slot late join slot on slot.scope = late.scope
                                and slot.number = late.number
                            for update of slot skip locked),
                        done as (
                            delete from late_slot using own where late_slot.ctid = own.late)
                        update slot set free_at = first.free_at
                        from (
                            select scope, number, min(free_at) as free_at
                            from own group by scope, number) first
                        where slot.scope = first.scope and slot.number = first.number
                            and slot.free_at > first.free_at
                        """)
                .update();
    }

    /** Blocks slots until times of their own. */
    void blockUntil(Scope scope, Map<Long, Instant> untilByNumber) {
        jdbc.sql(
                        """
                        update slot set free_at = row.until
                        from unnest(:numbers::bigint[], :untils::timestamptz[])
                            as row (number, until)
                        where slot.scope = :scope and slot.number = row.number
                        """)
                .param("scope", scope.name())
                .param("numbers", texts(untilByNumber.keySet(), it -> it))
                .param("untils", texts(untilByNumber.values(), it -> it))
                .update();
    }

    /** Says that no slot is free, and when the next one will be. */
    PoolExhausted exhausted(Scope scope) {
        return jdbc.sql(
                        """
                        select now() as at, (select free_at from slot where scope = ?
                            order by free_at, number limit 1) as next_free_at
                        """)
                .param(scope.name())
                .query((row, index) ->
                        new PoolExhausted(
                                scope.name(),
                                SqlTime.getOrNull(row, "next_free_at"),
                                SqlTime.get(row, "at")))
                .single();
    }

    private List<Slot> takeDealt(Search search) {
        List<Slot> taken = new ArrayList<>();
        Instant floor = floors.get(search.scope().name());
        if (floor != null) {
            taken.addAll(taken(search, FREE, floor, SKIP));
        }
        if (taken.size() < search.count()) {
            taken.addAll(taken(search.after(taken), FREE, Instant.EPOCH, SKIP));
        }
        return taken;
    }

    private List<Slot> taken(Search search, String condition, Instant bound, String locked) {
        String sql =
                """
                with free as (
                    select number, free_at as before from slot
                    where scope = :scope and CONDITION and number <> all(:except::bigint[])
                    order by free_at, number
                    limit :count
                    for update LOCKED)
                update slot set free_at = greatest(free_at, :until), uses = uses + 1
                from free
                where slot.scope = :scope and slot.number = free.number
                returning slot.number, slot.uses, free.before
                """;
        List<Instant> before = new ArrayList<>();
        List<Slot> taken =
                jdbc.sql(sql.replace("CONDITION", condition).replace("LOCKED", locked))
                        .param("scope", search.scope().name())
                        .param("count", search.count())
                        .param("except", texts(search.except(), it -> it))
                        .param("until", SqlTime.of(search.until()))
                        .param("bound", SqlTime.of(bound))
                        .query((row, index) -> {
                            before.add(SqlTime.get(row, "before"));
                            return new Slot(row.getLong("number"), row.getInt("uses"));
                        })
                        .list();
        before.stream()
                .min(Instant::compareTo)
                .ifPresent(first -> floors.put(search.scope().name(), first.minus(SLACK)));
        return taken;
    }

    private void deal(Scope scope, long dealt, int atLeast) {
        long end = Math.min(scope.capacity(), dealt + Math.max(CHUNK, atLeast));
        add(scope, LongStream.range(dealt, end).mapToObj(Long::toString).toArray(String[]::new));
        jdbc.sql("update scope set dealt = ? where name = ?").params(end, scope.name()).update();
    }

    /**
     * Adds those slots that are not there. One that is there is not even tried to add: that would
     * wait for the transaction that is taking it, which may be waiting to deal. Of two that add the
     * same the second waits for the first, so all add in one order.
     */
    private void add(Scope scope, String[] numbers) {
        jdbc.sql(
                        """
                        insert into slot (scope, number)
                        select :scope, wanted.number
                        from unnest(:numbers::bigint[]) as wanted (number)
                        where not exists (select from slot
                            where slot.scope = :scope and slot.number = wanted.number)
                        order by wanted.number
                        on conflict do nothing
                        """)
                .param("scope", scope.name())
                .param("numbers", numbers)
                .update();
    }
}
