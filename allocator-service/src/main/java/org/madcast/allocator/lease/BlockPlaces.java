package org.madcast.allocator.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongPredicate;
import org.madcast.allocator.lease.LeaseGroupStore.Row;
import org.madcast.allocator.lease.NewLease.Part;
import org.madcast.allocator.scope.AddressBlock;
import org.madcast.allocator.scope.Scope;
import org.springframework.stereotype.Component;

/**
 * Proposes addresses in a row. The first places are drawn at random, which finds a free one while
 * the pool is not nearly full; then all that is taken is read, and the first place that is left is
 * proposed. Whether a place is free is decided by the database each time.
 */
@Component
class BlockPlaces {

    private static final int RANDOM_TRIES = 4;
    private static final int MOST_TRIES = 12;

    private final LeaseGroupStore groups;

    BlockPlaces(LeaseGroupStore groups) {
        this.groups = groups;
    }

    /**
     * A place for a block.
     *
     * @param number how many were proposed before
     * @param used the slots that others were given in the same pass
     * @return its groups to be; none when there is no place, or too many were tried
     */
    List<Row> propose(Part part, int number, Set<Long> used) {
        Scope scope = part.scope();
        LongPredicate isUsed =
                address -> used.contains(scope.slotOf(scope.addresses().numberFrom(address)));
        AddressBlock block = part.lease().request().shape().blockIn(scope.addresses());
        OptionalLong first =
                number < RANDOM_TRIES ? drawn(part, block, isUsed) : left(part, block, isUsed);
        return number < MOST_TRIES && first.isPresent() ? rows(part, first.getAsLong()) : List.of();
    }

    private static OptionalLong drawn(Part part, AddressBlock block, LongPredicate isUsed) {
        long from = ThreadLocalRandom.current().nextLong(part.scope().addresses().size());
        OptionalLong found = block.find(from, isUsed);
        return found.isPresent() ? found : block.find(0, isUsed);
    }

    private OptionalLong left(Part part, AddressBlock block, LongPredicate isUsed) {
        Set<Long> taken = groups.takenEthernetKeys(part.source());
        return block.find(
                0,
                it -> isUsed.test(it) || taken.contains(part.scope().addresses().ethernetKey(it)));
    }

    private static List<Row> rows(Part part, long firstNumber) {
        Scope scope = part.scope();
        List<Row> rows = new ArrayList<>();
        int port = scope.ports().portAt(ThreadLocalRandom.current().nextInt(1 << 16));
        for (int i = 0; i < part.addresses(); i++) {
            String address = scope.addresses().textAt(firstNumber + i);
            rows.add(part.row(i, scope.slotOf(firstNumber + i), address, port));
        }
        return rows;
    }
}
