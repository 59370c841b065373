package org.madcast.agent.probe;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Ordered pairs of points between which something does not pass. When all that goes to a point
 * fails, the point is to blame and not each of the pairs. For one thread.
 */
final class PairSet {

    /** From one to the other. */
    record Pair(int sender, int receiver) {

        Pair back() {
            return new Pair(/* sender= */ receiver, /* receiver= */ sender);
        }
    }

    private static final int MOST_NAMED = 8;

    private final Set<Integer> points;
    private final Set<Pair> pairs = new LinkedHashSet<>();

    /** Of these points, which are those that count as all; empty. */
    PairSet(Set<Integer> points) {
        this.points = Set.copyOf(points);
    }

    /** Every pair of {@code points} points. */
    static List<Pair> all(int size) {
        return IntStream.range(0, size)
                .boxed()
                .flatMap(sender ->
                        IntStream.range(0, size)
                                .filter(receiver -> receiver != sender)
                                .mapToObj(receiver -> new Pair(sender, receiver)))
                .toList();
    }

    void add(Pair pair) {
        pairs.add(pair);
    }

    void removeIf(Predicate<Pair> condition) {
        pairs.removeIf(condition);
    }

    boolean isEmpty() {
        return pairs.isEmpty();
    }

    boolean contains(Pair pair) {
        return pairs.contains(pair);
    }

    boolean isComplete() {
        return pairs.size() == points.size() * (points.size() - 1);
    }

    Set<Integer> receivers() {
        return pairs.stream().map(Pair::receiver).collect(Collectors.toCollection(TreeSet::new));
    }

    Set<Integer> senders() {
        return pairs.stream().map(Pair::sender).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those to whom nothing comes from any other. */
    Set<Integer> deaf() {
        return receivers().stream()
                .filter(point -> others(point).allMatch(o -> contains(new Pair(o, point))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those from whom nothing comes to any other. */
    Set<Integer> mute() {
        return senders().stream()
                .filter(point -> others(point).allMatch(o -> contains(new Pair(point, o))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private IntStream others(int point) {
        return points.stream().mapToInt(other -> other).filter(other -> other != point);
    }

    /** The deaf and the mute, when there are; with two points the one that is not the first. */
    Set<Integer> culprits() {
        Set<Integer> culprits = new TreeSet<>(deaf());
        culprits.addAll(mute());
        if (culprits.isEmpty()) {
            culprits.addAll(receivers());
        }
        if (points.size() == 2) {
            culprits.remove(0);
        }
        return culprits.isEmpty() ? receivers() : culprits;
    }

    /** In words, as short as it can be: "to h3", "from h3 to h1". */
    String describe(IntFunction<String> name) {
        if (isComplete() && points.size() > 2) {
            return "between all nodes";
        }
        Set<Integer> deaf = points.size() > 2 ? deaf() : Set.of();
        Set<Integer> mute = points.size() > 2 ? mute() : Set.of();
        List<String> parts = new ArrayList<>();
        if (!deaf.isEmpty()) {
            parts.add("to " + join(deaf, name));
        }
        if (!mute.isEmpty()) {
            parts.add("from " + join(mute, name));
        }
        List<Pair> rest =
                pairs.stream()
                        .filter(pair -> !deaf.contains(pair.receiver()))
                        .filter(pair -> !mute.contains(pair.sender()))
                        .toList();
        rest.stream()
                .limit(MOST_NAMED)
                .forEach(pair ->
                        parts.add(
                                "from "
                                        + name.apply(pair.sender())
                                        + " to "
                                        + name.apply(pair.receiver())));
        if (rest.size() > MOST_NAMED) {
            parts.add("and between " + (rest.size() - MOST_NAMED) + " more pairs");
        }
        return String.join(", ", parts);
    }

    private static String join(Set<Integer> points, IntFunction<String> name) {
        return points.stream().map(name::apply).collect(Collectors.joining(", "));
    }
}
