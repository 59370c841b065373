package org.madcast.agent.service;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Scopes as text, and as what changes them. */
final class ScopeText {

    /** What the service tells of its rules but does not read. */
    private static final List<String> ONLY_TOLD = List.of("closedAt");

    private ScopeText() {}

    static String path(String name) {
        return "/v1/scopes/" + ServiceOptions.encoded(name);
    }

    static boolean isClosed(JsonObject scope) {
        return scope.getObject("rules", new JsonObject()).getBoolean("closed");
    }

    /** What would make this scope again. */
    static JsonObject properties(JsonObject scope) {
        JsonObject properties = new JsonObject();
        for (String field : new String[] {"description", "ranges", "ttl"}) {
            properties.put(field, scope.get(field));
        }
        scope.getObject("rules", new JsonObject())
                .forEach((name, value) -> {
                    if (!ONLY_TOLD.contains(name)) {
                        properties.put(name, value);
                    }
                });
        return properties;
    }

    /** A line for each property. */
    static List<String> lines(JsonObject scope) {
        List<String> lines = new ArrayList<>();
        scope.forEach((name, value) -> {
            if (value instanceof JsonObject rules) {
                rules.forEach((rule, is) -> lines.add(line(rule, is)));
            } else {
                lines.add(line(name, value));
            }
        });
        return lines;
    }

    private static String line(String name, Object value) {
        String text =
                switch (value) {
                    case JsonArray list -> Listing.joined(list);
                    case JsonObject parts -> parts(parts);
                    default -> String.valueOf(value);
                };
        return "%-20s %s".formatted(name, text).stripTrailing();
    }

    private static String parts(JsonObject parts) {
        List<String> texts = new ArrayList<>();
        parts.forEach((name, value) -> texts.add(name + " " + value));
        return texts.isEmpty() ? "-" : String.join(", ", texts);
    }
}
