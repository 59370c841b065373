package org.madcast.agent.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.SwitchTreeBuilder;

/**
 * Makes a tree of what nodes know of their neighbours by LLDP (IEEE 802.1AB), as {@code lldpctl -f
 * keyvalue} prints it: {@code lldp.eth0.chassis.name=s0}. A node that says of itself that it is a
 * bridge, or that has several neighbours, is a switch; every other one is a host. Several cables
 * between two nodes count as one that carries what all of them do. For one thread.
 */
final class LldpNeighbours {

    private static final Pattern LINE =
            Pattern.compile("lldp\\.([^.=]+(?:\\.\\d+)?)\\.(chassis|port)\\.([\\w.-]+)=(.*)");

    /** Such as 1000BaseTFD, 10GigBaseX or 100GBASE-SR4. */
    private static final Pattern RATE =
            Pattern.compile("(\\d+)(g|gig)?base.*", Pattern.CASE_INSENSITIVE);

    private static final long MEGA = 1_000_000;

    private final Map<String, Map<String, Map<String, Long>>> cables = new TreeMap<>();
    private final Set<String> bridges = new HashSet<>();

    /**
     * Takes what one node printed.
     *
     * @throws IllegalArgumentException with the line when it is not that output
     */
    void add(String node, String text) {
        Map<String, Map<String, String>> byInterface = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (!line.isBlank() && !line.startsWith("lldp.")) {
                throw new IllegalArgumentException(
                        "line %d: '%s' is not like lldp.eth0.chassis.name=s0"
                                .formatted(number, line));
            }
            Matcher matcher = LINE.matcher(line.strip());
            if (matcher.matches()) {
                byInterface
                        .computeIfAbsent(matcher.group(1), _ -> new HashMap<>())
                        .put(matcher.group(2) + "." + matcher.group(3), matcher.group(4));
            }
        }
        cables.computeIfAbsent(node, _ -> new TreeMap<>());
        byInterface.forEach((name, values) -> {
            String neighbour = values.get("chassis.name");
            if (neighbour != null && !neighbour.isBlank() && !neighbour.equals(node)) {
                if (values.getOrDefault("chassis.Bridge.enabled", "off").equals("on")) {
                    bridges.add(neighbour);
                }
                long rate = rate(values.getOrDefault("port.auto-negotiation.current", ""));
                cables.computeIfAbsent(node, _ -> new TreeMap<>())
                        .computeIfAbsent(neighbour, _ -> new LinkedHashMap<>())
                        .put(name, rate);
                cables.computeIfAbsent(neighbour, _ -> new TreeMap<>());
            }
        });
    }

    private static long rate(String text) {
        Matcher matcher = RATE.matcher(text);
        if (!matcher.matches()) {
            return SwitchTreeBuilder.STANDARD_BITS_PER_SECOND;
        }
        boolean giga = matcher.group(2) != null;
        return Long.parseLong(matcher.group(1)) * (giga ? 1000 : 1) * MEGA;
    }

    /**
     * The tree.
     *
     * @throws IllegalArgumentException when they do not form one
     */
    SwitchTree tree() {
        Map<String, Set<String>> neighbours = new TreeMap<>();
        cables.forEach((node, others) -> {
            neighbours.computeIfAbsent(node, _ -> new HashSet<>()).addAll(others.keySet());
            others.keySet()
                    .forEach(other ->
                            neighbours.computeIfAbsent(other, _ -> new HashSet<>()).add(node));
        });
        SwitchTreeBuilder tree = new SwitchTreeBuilder();
        List<String> hosts = new ArrayList<>();
        neighbours.forEach((node, others) -> {
            if (bridges.contains(node) || others.size() > 1) {
                tree.addSwitch(node);
            } else {
                hosts.add(node);
            }
        });
        neighbours.forEach((node, others) -> {
            for (String other : others.stream().sorted().toList()) {
                if (node.compareTo(other) < 0 && !hosts.contains(node) && !hosts.contains(other)) {
                    tree.addCable(node, other, between(node, other));
                }
            }
        });
        for (String host : hosts) {
            String at = neighbours.getOrDefault(host, Set.of()).stream().findFirst().orElse("");
            if (at.isEmpty()) {
                throw new IllegalArgumentException(host + " has no neighbour");
            }
            tree.addHost(host, at, between(host, at));
        }
        return tree.build();
    }

    /** What both ends know of; either may know less. */
    private long between(String one, String other) {
        return Math.max(sum(one, other), sum(other, one));
    }

    private long sum(String from, String to) {
        return cables.getOrDefault(from, Map.of()).getOrDefault(to, Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
