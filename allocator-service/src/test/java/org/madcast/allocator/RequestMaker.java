package org.madcast.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes values from schemas, within their limits, at them and beyond, and spoils bodies. */
final class RequestMaker {

    private static final List<String> TEXTS =
            List.of(
                    "",
                    " ",
                    "x",
                    "null",
                    "-1",
                    "0",
                    "ä€𝄞",
                    "a\u0000b",
                    "line\nbreak",
                    "\u007f",
                    "\ud800",
                    "%00",
                    "..",
                    "../../etc",
                    "'; drop table lease; --",
                    "${7*7}",
                    "239.255.0.1",
                    "ff18::1",
                    "239.192.0.0/14",
                    "true",
                    "[]",
                    "2999-01-01T00:00:00Z",
                    "+1000000-01-01T00:00:00Z",
                    "00000000-0000-0000-0000-000000000000",
                    "1e400",
                    "x".repeat(64),
                    "x".repeat(256),
                    "é".repeat(1001));
    private static final List<String> NUMBERS =
            List.of(
                    "-1",
                    "0",
                    "1",
                    "2",
                    "64",
                    "65",
                    "255",
                    "256",
                    "65535",
                    "65536",
                    "2147483647",
                    "2147483648",
                    "-2147483649",
                    "9007199254740993",
                    "9223372036854775807",
                    "9223372036854775808",
                    "1.5",
                    "-0.0",
                    "1e3",
                    "1e400");

    private final OpenApiContract contract;
    private final Random random;

    RequestMaker(OpenApiContract contract, Random random) {
        this.contract = contract;
        this.random = random;
    }

    boolean chance(double share) {
        return random.nextDouble() < share;
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** A value for a parameter, as text: often one that its schema allows. */
    String parameter(JsonNode schema) {
        if (chance(0.4)) {
            return chance(0.5) ? oneOf(TEXTS) : oneOf(NUMBERS);
        }
        JsonNode value = value(schema, 0);
        return value.isValueNode() ? value.asString("") : value.toString();
    }

    /** A body that differs from this one in some places; the schema says what could be there. */
    String spoiled(JsonNode body, JsonNode schema) {
        if (chance(0.05)) {
            return oneOf(List.of("", "{", "[]", "null", "\"text\"", "{}{}", "[".repeat(2000)));
        }
        JsonNode changed = body.deepCopy();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            change(changed, schema, 0);
        }
        return changed.toString();
    }

    private void change(JsonNode node, JsonNode schema, int depth) {
        JsonNode known = contract.resolved(schema);
        if (node instanceof ObjectNode object) {
            changeObject(object, known, depth);
        } else if (node instanceof ArrayNode list) {
            JsonNode items = known.path("items");
            if (!list.isEmpty() && chance(0.6)) {
                int at = random.nextInt(list.size());
                if (list.get(at).isContainer()) {
                    change(list.get(at), items, depth + 1);
                } else {
                    list.set(at, value(items, depth));
                }
            } else {
                list.add(value(items, depth));
            }
        }
    }

    private void changeObject(ObjectNode object, JsonNode schema, int depth) {
        List<String> names = new ArrayList<>(schema.path("properties").propertyNames());
        if (names.isEmpty() || chance(0.1)) {
            object.set(oneOf(TEXTS), value(schema.path("additionalProperties"), depth));
            return;
        }
        String name = oneOf(names);
        JsonNode there = object.path(name);
        if (there.isContainer() && chance(0.6)) {
            change(there, schema.path("properties").path(name), depth + 1);
        } else if (chance(0.2)) {
            object.remove(name);
        } else {
            object.set(name, value(schema.path("properties").path(name), depth));
        }
    }

    /** A value that the schema allows, or one of another kind or beyond its limits. */
    private JsonNode value(JsonNode schema, int depth) {
        JsonNode known = contract.resolved(schema);
        JsonMapper json = JsonMapper.shared();
        if (chance(0.15)) {
            return json.readTree(
                    oneOf(List.of("null", "true", "{}", "[]", "[null]", "\"x\"", "7")));
        }
        if (known.has("enum")) {
            return known.path("enum").get(random.nextInt(known.path("enum").size()));
        }
        JsonNode type = known.path("type");
        return switch ((type.isArray() ? type.path(0) : type).asString("")) {
            case "integer", "number" -> json.readTree(number(known));
            case "boolean" -> json.getNodeFactory().booleanNode(chance(0.5));
            case "array" -> list(known, depth);
            case "object" -> object(known, depth);
            default -> json.getNodeFactory().stringNode(text(known));
        };
    }

    private String number(JsonNode schema) {
        if (chance(0.5)) {
            return oneOf(NUMBERS);
        }
        String limit = chance(0.5) ? "minimum" : "maximum";
        long at = schema.path(limit).asLong(random.nextInt(100));
        return Long.toString(chance(0.3) ? at + (limit.equals("minimum") ? -1 : 1) : at);
    }

    private String text(JsonNode schema) {
        int most = schema.path("maxLength").asInt(0);
        if (most > 0 && chance(0.3)) {
            return "x".repeat(chance(0.5) ? most : most + 1);
        }
        return switch (schema.path("format").asString("")) {
            case "uuid" -> chance(0.7) ? new java.util.UUID(7, random.nextLong()).toString() : "7";
            case "date-time" ->
                    oneOf(List.of("2031-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "today"));
            default -> oneOf(TEXTS);
        };
    }

    private ArrayNode list(JsonNode schema, int depth) {
        ArrayNode list = JsonMapper.shared().createArrayNode();
        int many = depth > 2 ? 0 : chance(0.05) ? 300 : random.nextInt(4);
        for (int i = 0; i < many; i++) {
            list.add(value(schema.path("items"), depth + 1));
        }
        return list;
    }

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode object = JsonMapper.shared().createObjectNode();
        if (depth > 3) {
            return object;
        }
        for (Map.Entry<String, JsonNode> each : schema.path("properties").properties()) {
            if (chance(0.7)) {
                object.set(each.getKey(), value(each.getValue(), depth + 1));
            }
        }
        if (schema.has("additionalProperties")) {
            object.set(oneOf(TEXTS), value(schema.path("additionalProperties"), depth + 1));
        }
        return object;
    }
}
