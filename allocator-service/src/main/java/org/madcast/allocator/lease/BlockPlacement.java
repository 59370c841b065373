package org.madcast.allocator.lease;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.madcast.allocator.lease.GrantOutcome.Refused;
import org.madcast.allocator.lease.GroupPlacement.Wanted;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.scope.AddressBlock;
import org.madcast.allocator.scope.MulticastGroup;
import org.madcast.allocator.scope.Scope;
import org.springframework.stereotype.Component;

/**
 * Gives a new lease addresses in a row. A few places are tried at random, which finds one while the
 * pool is not nearly full; then all that is taken is read, and the first place that is left is
 * tried. Whether a place is free is the database's word each time. Joins the caller's transaction.
 */
@Component
class BlockPlacement {

    private static final int RANDOM_TRIES = 4;
    private static final int EXACT_TRIES = 8;

    private final SlotStore slots;
    private final LeaseGroupStore groups;

    BlockPlacement(SlotStore slots, LeaseGroupStore groups) {
        this.slots = slots;
        this.groups = groups;
    }

    /**
     * Places all or none.
     *
     * @return why not
     */
    Optional<Refused> place(Scope scope, Shape shape, Wanted wanted) {
        AddressBlock block =
                new AddressBlock(
                        scope.addresses(), shape.addresses(), shape.alignment(), shape.offset());
        if (block.find(0, address -> false).isEmpty()) {
            return Optional.of(
                    new GrantOutcome.NotPossible(
                            scope.name(), "count", "addresses in a row do not exist in the scope"));
        }
        for (int i = 0; i < RANDOM_TRIES; i++) {
            long from = ThreadLocalRandom.current().nextLong(scope.addresses().size());
            OptionalLong found = block.find(from, address -> false);
            if (found.isPresent() && placeAt(scope, wanted, found.getAsLong())) {
                return Optional.empty();
            }
        }
        for (int i = 0; i < EXACT_TRIES; i++) {
            Set<Long> taken = groups.takenEthernetKeys(scope, wanted.term());
            OptionalLong found =
                    block.find(0, it -> taken.contains(scope.addresses().ethernetKey(it)));
            if (found.isEmpty()) {
                break;
            }
            if (placeAt(scope, wanted, found.getAsLong())) {
                return Optional.empty();
            }
        }
        return Optional.of(slots.exhausted(scope));
    }

    private boolean placeAt(Scope scope, Wanted wanted, long firstNumber) {
        List<Row> rows = new ArrayList<>();
        Map<Long, String> addresses = new LinkedHashMap<>();
        int port = scope.ports().portAt(ThreadLocalRandom.current().nextInt(1 << 16));
        for (int i = 0; i < wanted.addresses(); i++) {
            long number = scope.slotOf(firstNumber + i);
            String address = scope.addresses().textAt(firstNumber + i);
            addresses.put(number, address);
            rows.add(wanted.row(scope, i, number, new MulticastGroup(address, port)));
        }
        // Slots first, as all do: or two may wait for each other.
        slots.mark();
        if (slots.occupy(scope, addresses, wanted.term())
                && groups.insert(rows, wanted.later()).size() == rows.size()) {
            return true;
        }
        slots.backToMark();
        return false;
    }
}
