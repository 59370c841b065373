package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.LeaseGroupStore.Inserted;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.SlotStore.Slot;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.scope.Scope;
import org.springframework.stereotype.Component;

/**
 * Gives a new lease addresses that need not lie together: a slot is proposed, the database takes it
 * or not. It does not when a lease of an overlapping scope is in the way; such a slot rests until
 * that one ends, and the next is tried. Joins the caller's transaction.
 */
@Component
class GroupPlacement {

    private static final int MOST_OBSTRUCTIONS = 256;

    private final SlotStore slots;
    private final LeaseGroupStore groups;

    GroupPlacement(SlotStore slots, LeaseGroupStore groups) {
        this.slots = slots;
        this.groups = groups;
    }

    /**
     * Groups that a lease is to have.
     *
     * @param lease the lease
     * @param firstOrdinal the place of the first one within the lease
     * @param addresses how many addresses
     * @param ports how many ports in a row on each
     * @param role red or blue, null if neither
     * @param term when
     * @param later whether that begins later than now
     */
    record Wanted(
            UUID lease,
            int firstOrdinal,
            int addresses,
            int ports,
            @Nullable String role,
            Term term,
            boolean later) {

        Row row(Scope scope, int index, long slotNumber, MulticastGroup group) {
            MulticastGroup named = new MulticastGroup(group.address(), group.port(), role);
            return new Row(scope, lease, firstOrdinal + index, slotNumber, named, ports, term);
        }
    }

    /**
     * What a lease is to have of one scope.
     *
     * @param scope the scope
     * @param wanted the groups
     */
    record Part(Scope scope, Wanted wanted) {}

    /**
     * Places all or none, and waits for what others are taking when nothing else is left.
     *
     * @return why the lease cannot be, and has to be taken back
     */
    Optional<Refused> place(List<Part> parts) {
        // In one order: who waits for somebody to deal must not be waited for.
        List<Part> ordered =
                parts.stream().sorted(Comparator.comparing(it -> it.scope().name())).toList();
        slots.mark();
        List<Filling> fillings = ordered.stream().map(Filling::new).toList();
        Optional<Scope> full = placed(fillings, this::propose);
        if (full.filter(slots::areOthersTaking).isPresent()) {
            // Such as who removes old leases: what they leave is free after.
            slots.backToMark();
            fillings = ordered.stream().map(Filling::new).toList();
            full = placed(fillings, this::await);
        }
        Optional<Refused> refused = full.map(slots::exhausted);
        if (refused.isPresent()) {
            fillings.forEach(this::giveBack);
        }
        return refused;
    }

    /** Takes slots for so many addresses, fewer when there are no more. */
    private interface Proposal {

        List<Slot> slots(Scope scope, Wanted wanted, int count);
    }

    /**
     * The scope that has not enough; empty when all found their place. Slots of all scopes are
     * taken before any group is written, as everybody does: whoever has written groups is waited
     * for, and must not wait for slots. So groups are taken back before others are tried.
     */
    private Optional<Scope> placed(List<Filling> fillings, Proposal first) {
        Proposal proposal = first;
        int obstructions = 0;
        while (obstructions < MOST_OBSTRUCTIONS) {
            for (Filling filling : fillings) {
                if (!fill(filling, proposal)) {
                    return Optional.of(filling.part.scope());
                }
            }
            int lost = insert(fillings);
            if (lost == 0) {
                return Optional.empty();
            }
            obstructions += lost;
            proposal = this::propose;
        }
        return Optional.of(fillings.getFirst().part.scope());
    }

    /** The slots of a part so far. */
    private static final class Filling {

        private final Part part;
        private final @Nullable Slot[] slots;

        Filling(Part part) {
            this.part = part;
            this.slots = new Slot[part.wanted().addresses()];
        }

        private int[] open() {
            return IntStream.range(0, slots.length).filter(i -> slots[i] == null).toArray();
        }

        private IntStream taken() {
            return IntStream.range(0, slots.length).filter(i -> slots[i] != null);
        }

        private Slot slot(int index) {
            return Objects.requireNonNull(slots[index]);
        }

        private Row row(int index) {
            Scope scope = part.scope();
            Slot slot = slot(index);
            MulticastGroup group = scope.groupAt(slot.number(), slot.uses());
            return part.wanted().row(scope, index, slot.number(), group);
        }
    }

    /** Takes what is missing; false when there is not so much. */
    private boolean fill(Filling filling, Proposal first) {
        Proposal proposal = first;
        for (int[] open = filling.open(); open.length > 0; open = filling.open()) {
            List<Slot> proposed =
                    proposal.slots(filling.part.scope(), filling.part.wanted(), open.length);
            if (proposed.isEmpty()) {
                return false;
            }
            for (int i = 0; i < proposed.size(); i++) {
                filling.slots[open[i]] = proposed.get(i);
            }
            proposal = this::propose;
        }
        return true;
    }

    /** Writes the groups of all, or none and lets those rest that somebody has; says how many. */
    private int insert(List<Filling> fillings) {
        List<Row> rows = fillings.stream().flatMap(it -> it.taken().mapToObj(it::row)).toList();
        boolean several = rows.size() > 1;
        if (several) {
            groups.mark();
        }
        boolean later = fillings.stream().anyMatch(it -> it.part.wanted().later());
        Set<Inserted> inserted = groups.insert(rows, later);
        int lost = rows.size() - inserted.size();
        if (lost > 0 && several) {
            groups.backToMark();
        }
        if (lost > 0) {
            fillings.forEach(it -> rest(it, inserted));
        }
        return lost;
    }

    private void rest(Filling filling, Set<Inserted> inserted) {
        filling.taken()
                .forEach(i -> {
                    Row row = filling.row(i);
                    if (!inserted.contains(new Inserted(row.lease(), row.ordinal()))) {
                        rest(filling.part.scope(), filling.slot(i), row);
                        filling.slots[i] = null;
                    }
                });
    }

    /** Lets a slot rest for as long as somebody else is in the way of its group. */
    void rest(Scope scope, Slot slot, Row row) {
        Instant until =
                groups.obstructedUntil(scope, row.group(), row.ports(), row.term())
                        .orElse(row.term().blockedUntil());
        slots.blockUntil(scope, slot, until);
    }

    private void giveBack(Filling filling) {
        slots.free(filling.part.scope(), filling.taken().mapToObj(filling::slot).toList());
    }

    private List<Slot> propose(Scope scope, Wanted wanted, int count) {
        Term term = wanted.term();
        List<Slot> proposed = slots.take(scope, count, term.blockedUntil());
        return proposed.isEmpty()
                ? slots.takeFreeBy(scope, term.startsAt(), count, term.blockedUntil())
                : proposed;
    }

    private List<Slot> await(Scope scope, Wanted wanted, int count) {
        return slots.await(scope, count, wanted.term().blockedUntil());
    }
}
