package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.lease.GrantOutcome.PoolExhausted;
import org.madcast.allocator.lease.GrantOutcome.Refused;
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
     */
    record Wanted(
            UUID lease,
            int firstOrdinal,
            int addresses,
            int ports,
            @Nullable String role,
            Term term) {

        Row row(int index, long slotNumber, MulticastGroup group) {
            MulticastGroup named = new MulticastGroup(group.address(), group.port(), role);
            return new Row(lease, firstOrdinal + index, slotNumber, named, ports, term);
        }
    }

    /**
     * Places all or none.
     *
     * @return why not
     */
    Optional<Refused> place(Scope scope, Wanted wanted) {
        List<Slot> placed = new ArrayList<>();
        int obstructions = 0;
        while (placed.size() < wanted.addresses() && obstructions < MOST_OBSTRUCTIONS) {
            List<Slot> proposed = propose(scope, wanted, wanted.addresses() - placed.size());
            if (proposed.isEmpty()) {
                break;
            }
            for (Slot slot : proposed) {
                MulticastGroup group = scope.groupAt(slot.number(), slot.uses());
                Row row = wanted.row(placed.size(), slot.number(), group);
                if (!groups.insert(scope, List.of(row)).isEmpty()) {
                    placed.add(slot);
                } else {
                    obstructions++;
                    rest(scope, slot, row);
                }
            }
        }
        return placed.size() == wanted.addresses()
                ? Optional.empty()
                : Optional.of(refuse(scope, wanted, placed));
    }

    /** Lets a slot rest for as long as somebody else is in the way of its group. */
    void rest(Scope scope, Slot slot, Row row) {
        Instant until =
                groups.obstructedUntil(scope, row.group(), row.ports(), row.term())
                        .orElse(row.term().blockedUntil());
        slots.blockUntil(scope, slot, until);
    }

    private List<Slot> propose(Scope scope, Wanted wanted, int count) {
        Term term = wanted.term();
        List<Slot> proposed = slots.take(scope, count, term.blockedUntil());
        return proposed.isEmpty()
                ? slots.takeFreeBy(scope, term.startsAt(), count, term.blockedUntil())
                : proposed;
    }

    private Refused refuse(Scope scope, Wanted wanted, List<Slot> placed) {
        PoolExhausted exhausted = slots.exhausted(scope);
        groups.delete(wanted.lease(), wanted.firstOrdinal());
        for (Slot slot : placed) {
            slots.blockUntil(scope, slot, exhausted.now());
        }
        return exhausted;
    }
}
