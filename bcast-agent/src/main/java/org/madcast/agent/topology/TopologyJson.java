package org.madcast.agent.topology;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.client.topology.SwitchTree;
import org.madcast.client.topology.SwitchTreeBuilder;

/** Trees of switches as the service reads and writes them. */
public final class TopologyJson {

    private TopologyJson() {}

    /** A tree without its ranks: the service knows those by their hosts. */
    static JsonObject write(SwitchTree tree) {
        JsonArray switches = new JsonArray();
        for (int node = 0; node < tree.switches(); node++) {
            switches.add(tree.name(node));
        }
        JsonArray cables = new JsonArray();
        Map<Integer, Long> rates = new LinkedHashMap<>();
        for (SwitchTree.Cable cable : tree.cables()) {
            if (tree.isHost(cable.one()) || tree.isHost(cable.other())) {
                rates.put(Math.max(cable.one(), cable.other()), cable.bitsPerSecond());
            } else {
                JsonObject trunk = new JsonObject();
                trunk.put("one", tree.name(cable.one()));
                trunk.put("other", tree.name(cable.other()));
                trunk.put("bitsPerSecond", cable.bitsPerSecond());
                cables.add(trunk);
            }
        }
        JsonObject json = new JsonObject();
        json.put("switches", switches);
        json.put("cables", cables);
        json.put("hosts", hosts(tree, rates));
        json.put("addresses", addresses(tree));
        return json;
    }

    /** Hosts that have switch and rate in common stand together: it is much shorter. */
    private static JsonArray hosts(SwitchTree tree, Map<Integer, Long> rates) {
        Map<String, JsonObject> groups = new LinkedHashMap<>();
        for (int index = 0; index < tree.hosts(); index++) {
            int host = tree.host(index);
            String at = tree.name(tree.switchOf(host));
            long rate = rates.getOrDefault(host, SwitchTreeBuilder.STANDARD_BITS_PER_SECOND);
            JsonObject group =
                    groups.computeIfAbsent(
                            rate + " " + at,
                            _ -> {
                                JsonObject fresh = new JsonObject();
                                fresh.put("at", at);
                                fresh.put("bitsPerSecond", rate);
                                fresh.put("names", new JsonArray());
                                return fresh;
                            });
            group.getArray("names").add(tree.name(host));
        }
        return new JsonArray(groups.values());
    }

    private static JsonObject addresses(SwitchTree tree) {
        JsonObject addresses = new JsonObject();
        for (int index = 0; index < tree.hosts(); index++) {
            int host = tree.host(index);
            if (!tree.addresses(host).isEmpty()) {
                addresses.put(tree.name(host), new JsonArray(tree.addresses(host)));
            }
        }
        return addresses;
    }

    /** The tree that the service wrote. */
    public static SwitchTree read(JsonObject json) {
        try {
            SwitchTreeBuilder tree = new SwitchTreeBuilder();
            json.getArray("switches", new JsonArray())
                    .forEach(name -> tree.addSwitch(String.valueOf(name)));
            for (Object each : json.getArray("cables", new JsonArray())) {
                JsonObject cable = (JsonObject) each;
                tree.addCable(
                        cable.getString("one", ""),
                        cable.getString("other", ""),
                        cable.getLong("bitsPerSecond"));
            }
            for (Object each : json.getArray("hosts", new JsonArray())) {
                JsonObject group = (JsonObject) each;
                for (Object name : group.getArray("names", new JsonArray())) {
                    tree.addHost(
                            String.valueOf(name),
                            group.getString("at", ""),
                            group.getLong("bitsPerSecond"));
                }
            }
            JsonObject addresses = json.getObject("addresses", new JsonObject());
            for (String host : addresses.keySet()) {
                addresses
                        .getArray(host, new JsonArray())
                        .forEach(it -> tree.addAddress(host, String.valueOf(it)));
            }
            return tree.build();
        } catch (IllegalArgumentException | ClassCastException wrong) {
            throw new CommandFailure(
                    ExitCode.SERVICE, "the service's topology is no tree: " + wrong, wrong);
        }
    }
}
