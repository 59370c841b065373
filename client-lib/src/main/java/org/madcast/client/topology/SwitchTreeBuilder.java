package org.madcast.client.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects a {@link SwitchTree}. Each method refuses what would not be a tree by an {@link
 * IllegalArgumentException} that says what is wrong, and then has changed nothing. For one thread.
 */
public final class SwitchTreeBuilder {

    /** What a cable carries when nothing is said. */
    public static final long STANDARD_BITS_PER_SECOND = 1_000_000_000;

    private static final int MOST_NODES = 100_000;
    private static final int LARGEST_RANK = 65_534;

    private final Map<String, Boolean> isHost = new LinkedHashMap<>();
    private final Map<String, List<String>> addresses = new HashMap<>();
    private final Map<String, String> hostOfAddress = new HashMap<>();
    private final List<Wire> wires = new ArrayList<>();
    private final Map<String, String> cabled = new HashMap<>();
    private final Map<String, String> towards = new HashMap<>();
    private final SortedMap<Integer, String> ranks = new TreeMap<>();

    private record Wire(String one, String other, long bitsPerSecond) {}

    /** An empty one. */
    public SwitchTreeBuilder() {}

    /** Adds a switch. */
    public SwitchTreeBuilder addSwitch(String name) {
        checkNew(name);
        isHost.put(name, false);
        return this;
    }

    /** Adds a host and its cable to a switch that is there already. */
    public SwitchTreeBuilder addHost(String name, String at, long bitsPerSecond) {
        checkNew(name);
        checkEnd(at);
        if (isHost.getOrDefault(at, false)) {
            throw new IllegalArgumentException(at + " is a host, and " + name + " needs a switch");
        }
        checkRate(bitsPerSecond);
        isHost.put(name, true);
        addCable(name, at, bitsPerSecond);
        return this;
    }

    /** Adds a cable between two nodes that are there already. */
    public SwitchTreeBuilder addCable(String one, String other, long bitsPerSecond) {
        checkEnd(one);
        checkEnd(other);
        checkRate(bitsPerSecond);
        for (String end : List.of(one, other)) {
            if (isHost.getOrDefault(end, false) && cabled.containsKey(end)) {
                throw new IllegalArgumentException(
                        "the host %s has a cable to %s already".formatted(end, cabled.get(end)));
            }
        }
        String first = part(one);
        String second = part(other);
        if (first.equals(second)) {
            throw new IllegalArgumentException(
                    "the cable from %s to %s closes a cycle: %s"
                            .formatted(one, other, String.join(" - ", way(one, other))));
        }
        towards.put(first, second);
        cabled.putIfAbsent(one, other);
        cabled.putIfAbsent(other, one);
        wires.add(new Wire(one, other, bitsPerSecond));
        return this;
    }

    /** Gives a host an address or a further name, by which ranks on it are known. */
    public SwitchTreeBuilder addAddress(String host, String address) {
        checkHost(host);
        String other = hostOfAddress.get(address);
        if (other != null) {
            throw new IllegalArgumentException(
                    "the address %s of %s is there already, for %s"
                            .formatted(address, host, other));
        }
        hostOfAddress.put(address, host);
        addresses.computeIfAbsent(host, _ -> new ArrayList<>()).add(address);
        return this;
    }

    /** Says that a rank runs on a host. */
    public SwitchTreeBuilder putRank(int rank, String host) {
        if (rank < 0 || rank > LARGEST_RANK) {
            throw new IllegalArgumentException(
                    "the rank %d is outside 0 to %d".formatted(rank, LARGEST_RANK));
        }
        checkHost(host);
        if (ranks.containsKey(rank)) {
            throw new IllegalArgumentException(
                    "the rank %d is there already, on %s".formatted(rank, ranks.get(rank)));
        }
        ranks.put(rank, host);
        return this;
    }

    /** The tree; refused when it has no switch or no host, or is in several parts. */
    public SwitchTree build() {
        List<String> names = new ArrayList<>(namesOf(false));
        int switches = names.size();
        names.addAll(namesOf(true));
        if (switches == 0 || names.size() == switches) {
            throw new IllegalArgumentException(
                    "there is no " + (switches == 0 ? "switch" : "host"));
        }
        Map<String, Integer> numbers = new HashMap<>();
        for (String name : names) {
            if (!part(name).equals(part(names.getFirst()))) {
                throw new IllegalArgumentException(
                        "no cables lead from %s to %s".formatted(names.getFirst(), name));
            }
            numbers.put(name, numbers.size());
        }
        checkRanks();
        SortedMap<Integer, Integer> placed = new TreeMap<>();
        ranks.forEach((rank, host) -> placed.put(rank, numbers.getOrDefault(host, 0)));
        return new SwitchTree(
                names,
                switches,
                wires.stream()
                        .map(wire ->
                                new SwitchTree.Cable(
                                        numbers.getOrDefault(wire.one, 0),
                                        numbers.getOrDefault(wire.other, 0),
                                        wire.bitsPerSecond))
                        .toList(),
                namesOf(true).stream()
                        .map(host -> addresses.getOrDefault(host, List.of()))
                        .toList(),
                placed);
    }

    private void checkRanks() {
        if (!ranks.isEmpty() && ranks.lastKey() != ranks.size() - 1) {
            int missing = 0;
            while (ranks.containsKey(missing)) {
                missing++;
            }
            throw new IllegalArgumentException(
                    "the rank %d is on no host, but the rank %d is"
                            .formatted(missing, ranks.lastKey()));
        }
    }

    private List<String> namesOf(boolean hosts) {
        return isHost.entrySet().stream()
                .filter(entry -> entry.getValue() == hosts)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void checkNew(String name) {
        Boolean known = isHost.get(name);
        if (known != null) {
            throw new IllegalArgumentException(
                    "%s is there already, as a %s".formatted(name, known ? "host" : "switch"));
        }
        if (isHost.size() == MOST_NODES) {
            throw new IllegalArgumentException("there are more than " + MOST_NODES + " nodes");
        }
    }

    private void checkEnd(String name) {
        if (!isHost.containsKey(name)) {
            throw new IllegalArgumentException(
                    "a cable leads to '%s', which is neither a switch nor a host".formatted(name));
        }
    }

    private void checkHost(String name) {
        if (!isHost.getOrDefault(name, false)) {
            throw new IllegalArgumentException("'%s' is not a host".formatted(name));
        }
    }

    private static void checkRate(long bitsPerSecond) {
        if (bitsPerSecond <= 0) {
            throw new IllegalArgumentException("a cable's rate must be above zero");
        }
    }

    /** The name that stands for all that is connected to a node. */
    private String part(String name) {
        String last = name;
        for (String next = towards.get(last); next != null; next = towards.get(last)) {
            last = next;
        }
        for (String at = name; !at.equals(last); ) {
            String next = towards.getOrDefault(at, last);
            towards.put(at, last);
            at = next;
        }
        return last;
    }

    /** The nodes between two that are connected. */
    private List<String> way(String from, String to) {
        Map<String, String> before = new LinkedHashMap<>(Map.of(from, from));
        List<String> open = new ArrayList<>(List.of(from));
        for (int i = 0; i < open.size() && !before.containsKey(to); i++) {
            String node = open.get(i);
            for (Wire wire : wires) {
                String next =
                        wire.one.equals(node)
                                ? wire.other
                                : wire.other.equals(node) ? wire.one : node;
                if (before.putIfAbsent(next, node) == null) {
                    open.add(next);
                }
            }
        }
        List<String> way = new ArrayList<>(List.of(to));
        while (!way.getFirst().equals(from)) {
            way.addFirst(before.getOrDefault(way.getFirst(), from));
        }
        return way;
    }
}
