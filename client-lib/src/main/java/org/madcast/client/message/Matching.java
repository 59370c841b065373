package org.madcast.client.message;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings receives and messages together by MPI's rules (MPI 4.1, section 3.5): a message goes to
 * the receive that was posted first of those that it fits, and a receive takes the message that
 * arrived first of those that fit it. So messages from one sender never overtake each other.
 *
 * <p>Posted receives wait in a queue for each (context, source, tag), where source and tag may be
 * {@link #ANY}. A message can fit four of these queues; the oldest of their heads takes it.
 * Messages that no receive waits for are kept in a queue for each (context, source, tag), and all
 * of a context in the order of arrival, for receives with a wildcard. A receive with one wildcard
 * that would search through many of them makes an index for all receives of its form.
 *
 * <p>Worked example: rank 0 posts A (any source, tag 7), then B (source 2, tag 7). The first
 * message from rank 2 with tag 7 goes to A, which is older, the second to B.
 *
 * @param <R> a posted receive; no two are equal
 * @param <M> a message that has arrived, wholly or by its announcement
 */
final class Matching<R, M> {

    /** Any source, or any tag. */
    static final int ANY = -1;

    private static final int MOST_SEARCHED = 64;

    private record Key(long context, int source, int tag) {
        Key ofContext() {
            return new Key(context, ANY, ANY);
        }

        Key ofTag() {
            return new Key(context, ANY, tag);
        }

        Key ofSource() {
            return new Key(context, source, ANY);
        }

        boolean isWildcard() {
            return source == ANY && tag == ANY;
        }

        boolean hasWildcard() {
            return source == ANY || tag == ANY;
        }
    }

    private record Posted<R>(R receive, long order) {}

    /** How many receives with a wildcard are posted in each of the few contexts that have one. */
    private static final class Wildcards {
        private long[] contexts = new long[4];
        private int[] counts = new int[4];
        private int used;

        private int find(long context) {
            for (int i = 0; i < used; i++) {
                if (contexts[i] == context) {
                    return i;
                }
            }
            return -1;
        }

        boolean isAny(long context) {
            return find(context) >= 0;
        }

        void add(long context, int count) {
            int at = find(context);
            if (at < 0) {
                at = used++;
                if (at == contexts.length) {
                    contexts = Arrays.copyOf(contexts, 2 * at);
                    counts = Arrays.copyOf(counts, 2 * at);
                }
                contexts[at] = context;
                counts[at] = 0;
            }
            counts[at] += count;
            if (counts[at] == 0) {
                used--;
                contexts[at] = contexts[used];
                counts[at] = counts[used];
            }
        }
    }

    /** A message and where it came from; two of them are never equal. */
    static final class Arrival<M> {
        private final Key key;
        private final M message;

        private Arrival(Key key, M message) {
            this.key = key;
            this.message = message;
        }

        int source() {
            return key.source();
        }

        int tag() {
            return key.tag();
        }

        M message() {
            return message;
        }

        private boolean fits(int source, int tag) {
            return (source == ANY || source == key.source()) && (tag == ANY || tag == key.tag());
        }
    }

    private final Map<Key, ArrayDeque<Posted<R>>> posted = new HashMap<>();
    private final Map<Key, ArrayDeque<Arrival<M>>> unexpected = new HashMap<>();

    /**
     * Messages in the order of arrival: all of a context, where source and tag are {@link #ANY},
     * and those of the indices.
     */
    private final Map<Key, Set<Arrival<M>>> inOrder = new HashMap<>();

    private boolean indexedByTag;
    private boolean indexedBySource;

    private final Wildcards wildcards = new Wildcards();
    private long nextOrder;

    /** Takes the message that this receive gets; without one the receive is posted and null. */
    @Nullable Arrival<M> post(long context, int source, int tag, R receive) {
        Arrival<M> found = find(context, source, tag);
        if (found != null) {
            remove(found);
            return found;
        }
        posted.computeIfAbsent(new Key(context, source, tag), _ -> new ArrayDeque<>())
                .add(new Posted<>(receive, nextOrder++));
        if (source == ANY || tag == ANY) {
            wildcards.add(context, 1);
        }
        return null;
    }

    /** Takes the receive that this message goes to; without one the message is kept and null. */
    @Nullable R arrive(long context, int source, int tag, M message) {
        Key best = new Key(context, source, tag);
        long bestOrder = order(best);
        if (wildcards.isAny(context)) {
            for (int form = 1; form < 4; form++) {
                Key key =
                        new Key(
                                context,
                                (form & 1) == 0 ? source : ANY,
                                (form & 2) == 0 ? tag : ANY);
                long order = order(key);
                if (order < bestOrder) {
                    best = key;
                    bestOrder = order;
                }
            }
        }
        if (bestOrder == Long.MAX_VALUE) {
            keep(new Arrival<>(new Key(context, source, tag), message));
            return null;
        }
        return takePosted(best);
    }

    private long order(Key key) {
        ArrayDeque<Posted<R>> queue = posted.get(key);
        return queue == null ? Long.MAX_VALUE : queue.getFirst().order();
    }

    private R takePosted(Key key) {
        ArrayDeque<Posted<R>> queue = Objects.requireNonNull(posted.get(key));
        R taken = queue.removeFirst().receive();
        onRemoved(key, queue, 1);
        return taken;
    }

    private void onRemoved(Key key, ArrayDeque<Posted<R>> queue, int count) {
        if (queue.isEmpty()) {
            posted.remove(key);
        }
        if (key.hasWildcard()) {
            wildcards.add(key.context(), -count);
        }
    }

    /** Takes a posted receive back; false when it is not, or no longer, posted. */
    boolean cancel(long context, int source, int tag, R receive) {
        Key key = new Key(context, source, tag);
        ArrayDeque<Posted<R>> queue = posted.get(key);
        if (queue == null) {
            return false;
        }
        // Programs cancel many in the order in which they were posted, or backwards.
        if (queue.getFirst().receive().equals(receive)) {
            queue.removeFirst();
        } else if (queue.getLast().receive().equals(receive)) {
            queue.removeLast();
        } else if (!queue.removeIf(it -> it.receive().equals(receive))) {
            return false;
        }
        onRemoved(key, queue, 1);
        return true;
    }

    /** The message that such a receive would get now, which stays here. */
    @Nullable Arrival<M> find(long context, int source, int tag) {
        if (source != ANY && tag != ANY) {
            ArrayDeque<Arrival<M>> queue = unexpected.get(new Key(context, source, tag));
            return queue == null ? null : queue.getFirst();
        }
        Key key = new Key(context, source, tag);
        if (key.isWildcard() || (source == ANY ? indexedByTag : indexedBySource)) {
            return inOrder.getOrDefault(key, Set.of()).stream().findFirst().orElse(null);
        }
        int searched = 0;
        for (Arrival<M> each : all(context)) {
            if (each.fits(source, tag)) {
                return each;
            }
            if (++searched == MOST_SEARCHED) {
                index(source == ANY);
                return find(context, source, tag);
            }
        }
        return null;
    }

    private void index(boolean byTag) {
        List<Arrival<M>> all =
                inOrder.entrySet().stream()
                        .filter(it -> it.getKey().isWildcard())
                        .flatMap(it -> it.getValue().stream())
                        .toList();
        if (byTag) {
            indexedByTag = true;
        } else {
            indexedBySource = true;
        }
        all.forEach(it -> add(byTag ? it.key.ofTag() : it.key.ofSource(), it));
    }

    private Set<Arrival<M>> all(long context) {
        return inOrder.getOrDefault(new Key(context, ANY, ANY), Set.of());
    }

    /** Takes out a message that was found (MPI's matched probe). */
    void remove(Arrival<M> found) {
        ArrayDeque<Arrival<M>> queue = Objects.requireNonNull(unexpected.get(found.key));
        queue.remove(found); // the first one, except after a matched probe with a wildcard
        if (queue.isEmpty()) {
            unexpected.remove(found.key);
        }
        remove(found.key.ofContext(), found);
        if (indexedByTag) {
            remove(found.key.ofTag(), found);
        }
        if (indexedBySource) {
            remove(found.key.ofSource(), found);
        }
    }

    private void remove(Key key, Arrival<M> arrival) {
        Set<Arrival<M>> arrivals = Objects.requireNonNull(inOrder.get(key));
        arrivals.remove(arrival);
        if (arrivals.isEmpty()) {
            inOrder.remove(key);
        }
    }

    private void add(Key key, Arrival<M> arrival) {
        inOrder.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(arrival);
    }

    private void keep(Arrival<M> arrival) {
        unexpected.computeIfAbsent(arrival.key, _ -> new ArrayDeque<>()).add(arrival);
        add(arrival.key.ofContext(), arrival);
        if (indexedByTag) {
            add(arrival.key.ofTag(), arrival);
        }
        if (indexedBySource) {
            add(arrival.key.ofSource(), arrival);
        }
    }

    /** Decides about posted receives. */
    @FunctionalInterface
    interface PostedFilter {
        boolean takes(long context, int source);
    }

    /**
     * Takes out every posted receive that the filter wants. What follows the end of one may cancel
     * others, so nothing ends before all are out.
     */
    List<R> removePosted(PostedFilter filter) {
        List<R> removed = new ArrayList<>();
        Iterator<Map.Entry<Key, ArrayDeque<Posted<R>>>> entries = posted.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<Key, ArrayDeque<Posted<R>>> entry = entries.next();
            Key key = entry.getKey();
            if (!filter.takes(key.context(), key.source())) {
                continue;
            }
            entry.getValue().forEach(it -> removed.add(it.receive()));
            if (key.hasWildcard()) {
                wildcards.add(key.context(), -entry.getValue().size());
            }
            entries.remove();
        }
        return removed;
    }

    /** Takes out all messages of a context. */
    List<Arrival<M>> removeAll(long context) {
        List<Arrival<M>> all = List.copyOf(all(context));
        all.forEach(this::remove);
        return all;
    }

    /** Adds the sources of posted receives, but for {@link #ANY}. */
    void addSources(Set<Integer> to) {
        posted.keySet().stream().map(Key::source).filter(it -> it != ANY).forEach(to::add);
    }

    /** The messages that wait for a receive. */
    Stream<M> messages() {
        return unexpected.values().stream().flatMap(ArrayDeque::stream).map(Arrival::message);
    }

    /** How many messages wait for a receive. */
    int unexpected() {
        return unexpected.values().stream().mapToInt(ArrayDeque::size).sum();
    }

    /** How many receives wait for a message. */
    int posted() {
        return posted.values().stream().mapToInt(ArrayDeque::size).sum();
    }
}
