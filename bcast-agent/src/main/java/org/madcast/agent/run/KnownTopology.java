package org.madcast.agent.run;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.service.ServiceOptions;
import org.madcast.agent.topology.PlacedTopology;
import org.madcast.agent.topology.TopologyJson;
import org.madcast.client.topology.Placement;
import org.madcast.client.topology.SwitchTree;

/**
 * A tree of switches that has certain hosts. Immutable.
 *
 * @param tree the switches and hosts
 * @param nodes the node of each of the hosts
 */
record KnownTopology(SwitchTree tree, List<Integer> nodes) {

    /**
     * The one that a file has.
     *
     * @param hosts the names by which each host is known
     * @throws CommandFailure if it is none, lacks a host, or puts ranks on hosts by itself
     */
    static KnownTopology read(Path file, List<List<String>> hosts) {
        SwitchTree tree = PlacedTopology.read(file).tree();
        if (!tree.ranks().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT,
                    file + " puts ranks on hosts by itself; --map needs one without 'rank' lines");
        }
        List<Integer> nodes = nodes(tree, hosts);
        int missing = nodes.indexOf(SwitchTree.NONE);
        if (missing >= 0) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, file + " has no host " + hosts.get(missing).getFirst());
        }
        return new KnownTopology(tree, nodes);
    }

    /** Of those that a service keeps and that have all hosts, the one that was pushed last. */
    static Optional<KnownTopology> find(ServiceClient service, List<List<String>> hosts)
            throws InterruptedException {
        JsonArray kept = service.get("/v1/topologies").getArray("items", new JsonArray());
        List<JsonObject> latestFirst = new ArrayList<>();
        kept.forEach(each -> latestFirst.add((JsonObject) each));
        latestFirst.sort(
                Comparator.comparing((JsonObject it) -> it.getString("madeAt", "")).reversed());
        for (JsonObject each : latestFirst) {
            String name = ServiceOptions.encoded(each.getString("name", ""));
            SwitchTree tree = TopologyJson.read(service.get("/v1/topologies/" + name));
            List<Integer> nodes = nodes(tree, hosts);
            if (!nodes.contains(SwitchTree.NONE)) {
                return Optional.of(new KnownTopology(tree, nodes));
            }
        }
        return Optional.empty();
    }

    /** How far its hosts are from each other. */
    Placement.Distance distance() {
        return Placement.distance(tree, nodes);
    }

    /** Whether two hosts are on one switch. */
    boolean areNeighbours(int host, int other) {
        return tree.switchOf(nodes.get(host)) == tree.switchOf(nodes.get(other));
    }

    private static List<Integer> nodes(SwitchTree tree, List<List<String>> hosts) {
        Map<String, Integer> known = new HashMap<>();
        for (int index = 0; index < tree.hosts(); index++) {
            int host = tree.host(index);
            known.putIfAbsent(tree.name(host), host);
            tree.addresses(host).forEach(address -> known.putIfAbsent(canonical(address), host));
        }
        return hosts.stream().map(names -> node(known, names)).toList();
    }

    private static int node(Map<String, Integer> known, List<String> names) {
        for (String name : names) {
            int dot = name.indexOf('.');
            Integer node = known.get(canonical(name));
            if (node == null && dot > 0) {
                node = known.get(name.substring(0, dot));
            }
            if (node != null) {
                return node;
            }
        }
        for (String name : names) {
            for (String address : addresses(name)) {
                if (known.containsKey(address)) {
                    return known.get(address);
                }
            }
        }
        return SwitchTree.NONE;
    }

    /** An address in the form that the JDK writes; other names as they are. */
    private static String canonical(String name) {
        try {
            return InetAddress.ofLiteral(name).getHostAddress();
        } catch (IllegalArgumentException _) {
            return name;
        }
    }

    private static List<String> addresses(String name) {
        List<String> addresses = new ArrayList<>();
        try {
            for (InetAddress address : InetAddress.getAllByName(name)) {
                addresses.add(address.getHostAddress());
            }
        } catch (UnknownHostException _) {
            // It is known by its name alone.
        }
        return addresses;
    }
}
