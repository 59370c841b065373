package org.madcast.agent.push;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.madcast.agent.CommandFailure;
import org.madcast.agent.ExitCode;
import org.madcast.agent.node.NodeName;
import org.madcast.agent.service.ServiceAccess;
import org.madcast.agent.service.ServiceClient;
import org.madcast.agent.service.ServiceOptions;

/**
 * The nodes that a user names, and those of which the service knows: {@code @all} are those whose
 * agents tell it that they are there, {@code @rack1-*} those of them with such a name. For one
 * thread.
 */
public final class NodeList {

    private static final String ALL = "@all";

    /** How many nodes the service lists at once, and how many such pages are read at most. */
    private static final int PAGE = 1000;

    private static final int MOST_PAGES = 1000;

    private final List<NodeName> named;
    private final List<String> wanted;

    private NodeList(List<NodeName> named, List<String> wanted) {
        this.named = named;
        this.wanted = wanted;
    }

    /**
     * Reads a list like {@code h[1-8],@all}.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static NodeList parse(String text) {
        List<String> named = new ArrayList<>();
        List<String> wanted = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            (item.strip().startsWith("@") ? wanted : named).add(item.strip());
        }
        for (String item : wanted) {
            if (item.length() < 2) {
                throw new IllegalArgumentException("'@' must be followed by 'all' or a name");
            }
        }
        return new NodeList(
                named.isEmpty() ? List.of() : NodeName.parse(String.join(",", named)), wanted);
    }

    boolean asksService() {
        return !wanted.isEmpty();
    }

    /**
     * All of these nodes, each once.
     *
     * @throws IllegalArgumentException when a service must be asked and none is named
     */
    public List<NodeName> all(ServiceAccess service) throws InterruptedException {
        if (!asksService()) {
            return named;
        }
        return resolve(
                service.client()
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "names with @ come from the service; name it with"
                                                + " --service")));
    }

    /**
     * The nodes that were named, and those that the service knows, by name; each once.
     *
     * @throws CommandFailure when the service does not answer, or knows none that was wanted
     */
    List<NodeName> resolve(ServiceClient service) throws InterruptedException {
        Map<String, NodeName> nodes = new LinkedHashMap<>();
        for (NodeName node : named) {
            nodes.put(node.text(), node);
        }
        List<JsonObject> known = known(service);
        for (String item : wanted) {
            Predicate<String> matches = pattern(item).asMatchPredicate();
            List<NodeName> found =
                    known.stream()
                            .filter(node -> !node.getBoolean("silent", true))
                            .map(NodeList::heartbeat)
                            .filter(beat -> matches.test(beat.getString("name", "")))
                            .flatMap(NodeList::node)
                            .toList();
            if (found.isEmpty()) {
                throw new CommandFailure(
                        ExitCode.NODE,
                        "the service knows no agent for '"
                                + item
                                + "'; start them with 'madcast agent --service URI'");
            }
            found.forEach(node -> nodes.putIfAbsent(node.text(), node));
        }
        return List.copyOf(nodes.values());
    }

    /** All that the service knows, page by page. */
    private static List<JsonObject> known(ServiceClient service) throws InterruptedException {
        List<JsonObject> known = new ArrayList<>();
        String after = "";
        for (int page = 0; page < MOST_PAGES; page++) {
            String from = ServiceOptions.encoded(after);
            List<JsonObject> items =
                    service
                            .get("/v1/nodes?after=" + from)
                            .getArray("items", new JsonArray())
                            .stream()
                            .filter(JsonObject.class::isInstance)
                            .map(JsonObject.class::cast)
                            .toList();
            known.addAll(items);
            if (items.size() < PAGE) {
                break;
            }
            after = heartbeat(items.getLast()).getString("name", "");
        }
        return known;
    }

    private static JsonObject heartbeat(JsonObject node) {
        return node.getObject("heartbeat", new JsonObject());
    }

    private static Pattern pattern(String item) {
        if (item.equals(ALL)) {
            return Pattern.compile(".+");
        }
        String regex =
                Arrays.stream(item.substring(1).split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
        return Pattern.compile(regex);
    }

    /** None for an agent that takes no pushes. */
    private static Stream<NodeName> node(JsonObject heartbeat) {
        String address = heartbeat.getString("address", "");
        return address.isEmpty()
                ? Stream.empty()
                : NodeName.parse(address).stream()
                        .map(at -> new NodeName(heartbeat.getString("name"), at.address()));
    }
}
