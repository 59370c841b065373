package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
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
     */
    record Wanted(
            UUID lease,
            int firstOrdinal,
            int addresses,
            int ports,
            @Nullable String role,
            Term term) {

        Row row(Scope scope, int index, long slotNumber, MulticastGroup group) {
            MulticastGroup named = new MulticastGroup(group.address(), group.port(), role);
            return new Row(scope, lease, firstOrdinal + index, slotNumber, named, ports, term);
        }
    }

    /**
     * Places all, or some at most and says why not the others.
     *
     * @return why the lease cannot be, and has to be taken back
     */
    Optional<Refused> place(Scope scope, Wanted wanted) {
        slots.mark();
        if (placed(scope, wanted, this::propose)) {
            return Optional.empty();
        }
        if (slots.areOthersTaking(scope)) {
            // Such as who removes old leases: what they leave is free after.
            slots.backToMark();
            if (placed(scope, wanted, this::await)) {
                return Optional.empty();
            }
        }
        return Optional.of(slots.exhausted(scope));
    }

    /** Takes slots for so many addresses, fewer when there are no more. */
    private interface Proposal {

        List<Slot> slots(Scope scope, Wanted wanted, int count);
    }

    /** Whether all found their place; if not, some may have. */
    private boolean placed(Scope scope, Wanted wanted, Proposal first) {
        List<Integer> open =
                IntStream.range(0, wanted.addresses())
                        .boxed()
                        .collect(Collectors.toCollection(ArrayList::new));
        Proposal proposal = first;
        int obstructions = 0;
        while (!open.isEmpty() && obstructions < MOST_OBSTRUCTIONS) {
            List<Slot> proposed = proposal.slots(scope, wanted, open.size());
            if (proposed.isEmpty()) {
                break;
            }
            List<Row> rows = new ArrayList<>();
            for (Slot slot : proposed) {
                MulticastGroup group = scope.groupAt(slot.number(), slot.uses());
                rows.add(wanted.row(scope, open.get(rows.size()), slot.number(), group));
            }
            Set<Inserted> inserted = groups.insert(rows);
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                if (inserted.contains(new Inserted(row.lease(), row.ordinal()))) {
                    open.remove(Integer.valueOf(row.ordinal() - wanted.firstOrdinal()));
                } else {
                    obstructions++;
                    rest(scope, proposed.get(i), row);
                }
            }
            proposal = this::propose;
        }
        return open.isEmpty();
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

    private List<Slot> await(Scope scope, Wanted wanted, int count) {
        return slots.await(scope, count, wanted.term().blockedUntil());
    }
}
