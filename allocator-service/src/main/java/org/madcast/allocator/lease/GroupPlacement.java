package org.madcast.allocator.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.madcast.allocator.lease.GrantOutcome.PoolExhausted;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.LeaseRules.Term;
import org.madcast.allocator.lease.SlotStore.Slot;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.scope.Scope;
import org.madcast.allocator.store.SqlTime;
import org.springframework.stereotype.Component;

/**
 * Gives a new lease its groups: a slot is proposed, the database takes it or not. It does not when
 * a lease of an overlapping scope is in the way; such a slot rests until that one ends, and the
 * next is tried. Joins the caller's transaction.
 */
@Component
class GroupPlacement {

    private static final int MOST_OBSTRUCTIONS = 256;

    private final SlotStore slots;
    private final LeaseStore store;
    private final SqlTime time;

    GroupPlacement(SlotStore slots, LeaseStore store, SqlTime time) {
        this.slots = slots;
        this.store = store;
        this.time = time;
    }

    /**
     * Places {@code count} groups, all or none.
     *
     * @return why not, in which case the lease is gone
     */
    Optional<Refused> place(UUID lease, Scope scope, int count, Term term) {
        List<Slot> placed = new ArrayList<>();
        int obstructions = 0;
        while (placed.size() < count && obstructions < MOST_OBSTRUCTIONS) {
            List<Slot> proposed = slots.take(scope, count - placed.size(), term.blockedUntil());
            if (proposed.isEmpty()) {
                break;
            }
            for (Slot slot : proposed) {
                MulticastGroup group = scope.groupAt(slot.number(), slot.uses());
                if (store.insertGroup(lease, placed.size(), scope, slot, group, term)) {
                    placed.add(slot);
                } else {
                    obstructions++;
                    slots.blockUntil(
                            scope,
                            slot,
                            store.obstructedUntil(scope, group).orElse(term.blockedUntil()));
                }
            }
        }
        return placed.size() == count
                ? Optional.empty()
                : Optional.of(refuse(lease, scope, placed));
    }

    private Refused refuse(UUID lease, Scope scope, List<Slot> placed) {
        Optional<Instant> nextFreeAt = slots.nextFreeAt(scope);
        Instant now = time.now();
        store.delete(lease);
        for (Slot slot : placed) {
            slots.blockUntil(scope, slot, now);
        }
        return new PoolExhausted(scope.name(), nextFreeAt.orElse(null));
    }
}
