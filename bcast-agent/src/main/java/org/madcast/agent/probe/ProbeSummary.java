package org.madcast.agent.probe;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.List;
import java.util.UUID;

/** The part of a probe's report that the allocation service shows. */
final class ProbeSummary {

    private static final List<String> OF_ALL =
            List.of("group", "ttl", "seconds", "findings", "queries", "queriesAudible");
    private static final List<String> OF_A_NODE =
            List.of("node", "hears", "largestDatagramBytes", "bitsPerSecond", "lostShare");

    /** The service takes no longer line, and no more findings. */
    private static final int LONGEST_TEXT = 1000;

    private static final int MOST_FINDINGS = 64;

    private ProbeSummary() {}

    /**
     * Takes it from the report.
     *
     * @param report as scripts get it
     * @param here the report's name for the machine on which the probe was started
     * @param host the machine's host name
     */
    static JsonObject of(JsonObject report, String here, String host) {
        JsonObject summary = new JsonObject();
        OF_ALL.forEach(field -> summary.put(field, report.get(field)));
        JsonArray findings = report.getArray("findings");
        summary.put(
                "findings",
                new JsonArray(findings.subList(0, Math.min(findings.size(), MOST_FINDINGS))));
        JsonArray nodes = new JsonArray();
        for (Object each : report.getArray("nodes")) {
            JsonObject from = (JsonObject) each;
            JsonObject node = new JsonObject();
            OF_A_NODE.stream().filter(from::has).forEach(field -> node.put(field, from.get(field)));
            node.put("interfaceName", from.getString("interface"));
            nodes.add(node);
        }
        summary.put("nodes", nodes);
        JsonObject sent = named(summary, here, host);
        sent.put("id", UUID.randomUUID().toString());
        return sent;
    }

    private static JsonObject named(JsonObject object, String here, String host) {
        JsonObject named = new JsonObject();
        object.forEach((field, value) -> named.put(field, named(value, here, host)));
        return named;
    }

    private static Object named(Object value, String here, String host) {
        return switch (value) {
            case String text -> clipped(text.replace(here, host));
            case JsonObject object -> named(object, here, host);
            case List<?> list -> {
                JsonArray array = new JsonArray();
                list.forEach(it -> array.add(named(it, here, host)));
                yield array;
            }
            default -> value;
        };
    }

    private static String clipped(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 1) + "…";
    }
}
