package org.madcast.allocator.web;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Collectors;

/**
 * Selects connections to close when too many are open: of the address that has most of them the one
 * that has been silent for longest, then the same again. So a flood displaces itself, from one
 * address or from many, and clients with a few connections keep them.
 *
 * <p>Of the addresses A with 5, B with 2 and C with 1, three connections that give way are all of
 * A; a fourth is of A or B, whichever was silent for longer.
 */
final class EvictionPolicy {

    private EvictionPolicy() {}

    /**
     * An open connection.
     *
     * @param address whose
     * @param heardMs when it was last heard of, by any clock
     * @param connection itself
     */
    record Guest<T>(String address, long heardMs, T connection) {}

    /** The connections to close, {@code count} of them, or all when there are fewer. */
    static <T> List<T> givingWay(Collection<Guest<T>> guests, int count) {
        Map<String, Queue<Guest<T>>> byAddress =
                guests.stream()
                        .sorted(Comparator.comparingLong(Guest::heardMs))
                        .collect(
                                Collectors.groupingBy(
                                        Guest::address, Collectors.toCollection(ArrayDeque::new)));
        PriorityQueue<Queue<Guest<T>>> mostFirst =
                new PriorityQueue<>(
                        Comparator.<Queue<Guest<T>>>comparingInt(it -> -it.size())
                                .thenComparingLong(it -> it.element().heardMs()));
        mostFirst.addAll(byAddress.values());
        List<T> leaving = new ArrayList<>();
        while (leaving.size() < count && !mostFirst.isEmpty()) {
            Queue<Guest<T>> most = mostFirst.remove();
            leaving.add(most.remove().connection());
            if (!most.isEmpty()) {
                mostFirst.add(most);
            }
        }
        return leaving;
    }
}
