package org.madcast.allocator.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.madcast.allocator.lease.GrantOutcome.PoolExhausted;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.store.SqlTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Proposes which slots of a scope to grant, in constant time however full the pool is. It only
 * proposes: that nobody else has the group is what the constraints on {@code lease_group} say.
 *
 * <p>A pool is dealt out in its pseudo-random order, a hand at a time, into the table {@code slot};
 * grants take the slot that has been free for longest and pass over those that a concurrent grant
 * is taking. A slot knows until when it is blocked, so that one whose lease expired is simply found
 * again, and the first to become free in a full pool is the first in the index.
 *
 * <p>Every method joins the caller's transaction.
 */
@Repository
class SlotStore {

    /**
     * A part of a statement: the slots of groups that {@code changed} has, locked, but not those
     * that somebody has taken since their lease expired: such a slot is his, and to wait for him
     * would be one half of a circle, since he may be waiting for these groups.
     */
    static final String OWN_OF_CHANGED =
            """
            own as (
                select slot.scope, slot.number, changed.until
                from changed join slot on slot.scope = changed.scope
                    and slot.number = changed.slot_number
                for update of slot skip locked)
            """;

    /** A statement, or a part of one: those slots are free at the time that their group has. */
    static final String FREE_OWN =
            """
            update slot set free_at = own.until
            from own where slot.scope = own.scope and slot.number = own.number
            """;

    private static final int HAND = 1024;
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
     * Takes up to {@code count} free slots; fewer when there are no more that nobody else is
     * taking.
     */
    List<Slot> take(Scope scope, int count, Instant until) {
        List<Slot> taken = new ArrayList<>(takeDealt(scope, count, until));
        if (taken.size() < count) {
            if (dealt(scope, "") < scope.capacity()) {
                taken.addAll(dealAndTake(scope, count - taken.size(), until));
            } else {
                // The last hand may have been dealt between the two looks.
                taken.addAll(takeDealt(scope, count - taken.size(), until));
            }
        }
        return taken;
    }

    /**
     * Whether others are taking slots that are free: who wants them has to {@link #await} what
     * becomes of that.
     */
    boolean areOthersTaking(Scope scope) {
        return jdbc.sql("select exists (select from slot where scope = ? and free_at <= now())")
                .param(scope.name())
                .query(Boolean.class)
                .single();
    }

    /**
     * Takes up to {@code count} free slots, and waits for what others are taking. One does so at a
     * time, and must have no slots of the scope before: what was waited for in vain stays locked,
     * and two who wait would soon wait for each other.
     */
    List<Slot> await(Scope scope, int count, Instant until) {
        jdbc.sql("select count(pg_advisory_xact_lock(hashtextextended(?, 8730)))")
                .param(scope.name())
                .query(Long.class)
                .single();
        List<Slot> taken = new ArrayList<>(take(scope, count, until));
        if (taken.size() < count) {
            taken.addAll(taken(scope, count - taken.size(), FREE, until, Instant.EPOCH, WAIT));
        }
        return taken;
    }

    /**
     * What is done to slots and groups from here on can be taken back, and its locks with it.
     * Groups alone have a mark of their own.
     */
    void mark() {
        jdbc.sql("savepoint before_placement").update();
    }

    /** Takes back what was done since the mark, which stays. */
    void backToMark() {
        jdbc.sql("rollback to savepoint before_placement").update();
    }

    /**
     * Takes slots that are in use now, and free before a later start; fewer when there are none.
     */
    List<Slot> takeFreeBy(Scope scope, Instant start, int count, Instant until) {
        return taken(scope, count, "free_at > now() and free_at <= :bound", until, start, SKIP);
    }

    /**
     * Takes certain slots, dealt or not, for a lease that is placed by its addresses.
     *
     * @param addresses the address of each slot, by its number
     * @param term when
     * @return whether all were taken: none that a lease has, nor that somebody is taking
     */
    boolean occupy(Scope scope, Map<Long, String> addresses, Term term) {
        Long[] numbers = addresses.keySet().toArray(Long[]::new);
        add(scope, numbers);
        // One of a lease that runs is not even locked: who gives that back writes its groups first.
        // Nor one that was given back, or expired, since this transaction began: the lease would
        // have a start of before that.
        int taken =
                jdbc.sql(
                                """
                                with free as (
                                    select slot.number
                                    from unnest(:numbers::bigint[], :addresses::text[])
                                        as place (number, address)
                                    join slot on slot.scope = :scope
                                        and slot.number = place.number
                                    where slot.free_at not between
                                            :from + interval '1 microsecond' and clock_timestamp()
                                        and not exists (select from lease_group g
                                        where ethernet_key_of(g.address)
                                                = ethernet_key_of(place.address::inet)
                                            and g.address = place.address::inet
                                            and g.scope = :scope and not g.settled
                                            and g.blocked && tstzrange(:from, :until))
                                    for update of slot skip locked)
                                update slot set free_at = greatest(free_at, :until),
                                    uses = uses + 1
                                from free
                                where slot.scope = :scope and slot.number = free.number
                                """)
                        .param("scope", scope.name())
                        .param("numbers", numbers)
                        .param("addresses", addresses.values().toArray(String[]::new))
                        .param("from", SqlTime.of(term.startsAt()))
                        .param("until", SqlTime.of(term.blockedUntil()))
                        .update();
        return taken == numbers.length;
    }

    private List<Slot> dealAndTake(Scope scope, int count, Instant until) {
        // Not "for update": that waits for every lease of the scope that is being written, each of
        // which refers to this row, and they may be waiting for this lock.
        long dealt = dealt(scope, " for no key update");
        // Whoever had the lock before has dealt already, perhaps.
        List<Slot> taken = new ArrayList<>(takeDealt(scope, count, until));
        if (taken.size() < count && dealt < scope.capacity()) {
            deal(scope, dealt, count);
            taken.addAll(takeDealt(scope, count - taken.size(), until));
        }
        return taken;
    }

    private long dealt(Scope scope, String lock) {
        return jdbc.sql("select dealt from scope where name = ?" + lock)
                .param(scope.name())
                .query(Long.class)
                .single();
    }

    /** Lets a slot rest until another time. */
    void blockUntil(Scope scope, Slot slot, Instant until) {
        jdbc.sql("update slot set free_at = ? where scope = ? and number = ?")
                .params(SqlTime.of(until), scope.name(), slot.number())
                .update();
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
                    .param("numbers", taken.stream().map(Slot::number).toArray(Long[]::new))
                    .update();
        }
    }

    /** Lets slots rest until times of their own. */
    void blockUntil(Scope scope, Map<Long, Instant> untilByNumber) {
        jdbc.sql(
                        """
                        update slot set free_at = row.until
                        from unnest(:numbers::bigint[], :untils::timestamptz[])
                            as row (number, until)
                        where slot.scope = :scope and slot.number = row.number
                        """)
                .param("scope", scope.name())
                .param("numbers", untilByNumber.keySet().toArray(Long[]::new))
                .param(
                        "untils",
                        untilByNumber.values().stream()
                                .map(Instant::toString)
                                .toArray(String[]::new))
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

    private List<Slot> takeDealt(Scope scope, int count, Instant until) {
        List<Slot> taken = new ArrayList<>();
        Instant floor = floors.get(scope.name());
        if (floor != null) {
            taken.addAll(taken(scope, count, FREE, until, floor, SKIP));
        }
        if (taken.size() < count) {
            taken.addAll(taken(scope, count - taken.size(), FREE, until, Instant.EPOCH, SKIP));
        }
        return taken;
    }

    private List<Slot> taken(
            Scope scope, int count, String condition, Instant until, Instant bound, String locked) {
        String sql =
                """
                with free as (
                    select number, free_at as before from slot
                    where scope = :scope and CONDITION
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
                        .param("scope", scope.name())
                        .param("count", count)
                        .param("until", SqlTime.of(until))
                        .param("bound", SqlTime.of(bound))
                        .query((row, index) -> {
                            before.add(SqlTime.get(row, "before"));
                            return new Slot(row.getLong("number"), row.getInt("uses"));
                        })
                        .list();
        before.stream()
                .min(Instant::compareTo)
                .ifPresent(first -> floors.put(scope.name(), first.minus(SLACK)));
        return taken;
    }

    private void deal(Scope scope, long dealt, int atLeast) {
        long end = Math.min(scope.capacity(), dealt + Math.max(HAND, atLeast));
        add(scope, LongStream.range(dealt, end).boxed().toArray(Long[]::new));
        jdbc.sql("update scope set dealt = ? where name = ?").params(end, scope.name()).update();
    }

    /**
     * Adds those slots that are not there. One that is there is not even tried to add: that would
     * wait for whoever is taking it, who may be waiting to deal. Of two who add the same the second
     * waits for the first, so all add in one order.
     */
    private void add(Scope scope, Long[] numbers) {
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
