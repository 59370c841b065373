package org.madcast.allocator;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the OpenAPI document promises of each operation, and whether an answer keeps that. */
final class OpenApiContract {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete");
    private static final String PROBLEM = "application/problem+json";
    private static final String URN = "urn:madcast:problem:";

    private final JsonNode document;
    private final ObjectNode strict;
    private final SchemaRegistry registry =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private final Map<String, Schema> schemas = new LinkedHashMap<>();

    OpenApiContract(JsonNode document) {
        this.document = document;
        this.strict = (ObjectNode) document.path("components").deepCopy();
        for (Map.Entry<String, JsonNode> each : strict.path("schemas").properties()) {
            boolean closed = each.getValue().has("properties") && !each.getKey().equals("Problem");
            if (closed) {
                // A field that is answered and not described is a mistake of the document.
                ((ObjectNode) each.getValue()).put("additionalProperties", false);
            }
        }
    }

    /** An operation of the document. */
    record Operation(String method, String path, JsonNode description) {

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> each : path.getValue().properties()) {
                if (METHODS.contains(each.getKey())) {
                    String method = each.getKey().toUpperCase(Locale.ROOT);
                    all.add(new Operation(method, path.getKey(), each.getValue()));
                }
            }
        }
        return all;
    }

    /** A schema, by its name in a reference, or as it stands. */
    JsonNode resolved(JsonNode schema) {
        if (schema.has("anyOf")) {
            return resolved(schema.path("anyOf").path(0));
        }
        String name = name(schema);
        return name.isEmpty() ? schema : document.path("components").path("schemas").path(name);
    }

    /** The name of the schema that this refers to; empty when it stands here. */
    static String name(JsonNode schema) {
        return schema.path("$ref").asString("").replace("#/components/schemas/", "");
    }

    /** What is wrong with an answer; nothing when it is as the document says. */
    List<String> faults(Operation operation, Rest.Answer answer) {
        JsonNode response = operation.description().path("responses").path("" + answer.status());
        if (answer.status() >= 500) {
            return List.of("the service failed");
        }
        if (response.isMissingNode()) {
            return List.of("its status is not documented");
        }
        JsonNode content = response.path("content");
        String type = answer.response().headers().firstValue("Content-Type").orElse("");
        int end = type.indexOf(';');
        String media = end < 0 ? type : type.substring(0, end);
        if (content.isEmpty()) {
            return answer.text().isEmpty() ? List.of() : List.of("it has an undocumented body");
        }
        if (!content.has(media)) {
            return List.of("its media type '" + type + "' is not documented");
        }
        JsonNode body = json(answer.text(), media);
        if (answer.status() >= 400) {
            String problem = answer.problem();
            boolean known = content.path(PROBLEM).path("examples").has(problem);
            if (!media.equals(PROBLEM) || !known || !answer.string("type").startsWith(URN)) {
                return List.of("its problem is not documented: " + problem);
            }
        }
        return faults(content.path(media).path("schema"), body);
    }

    /** What of a JSON text is not as a schema says. */
    List<String> faults(JsonNode schema, @Nullable JsonNode body) {
        if (body == null) {
            return List.of("it is no JSON");
        }
        Schema compiled =
                schemas.computeIfAbsent(
                        schema.toString(),
                        text -> {
                            ObjectNode whole = (ObjectNode) schema.deepCopy();
                            whole.set("components", strict);
                            return registry.getSchema(whole);
                        });
        return compiled.validate(body).stream().map(Error::toString).toList();
    }

    private static @Nullable JsonNode json(String text, String media) {
        JsonMapper mapper = JsonMapper.shared();
        try {
            return media.endsWith("json") && !media.endsWith("x-ndjson")
                    ? mapper.readTree(text)
                    : mapper.getNodeFactory().stringNode(text);
        } catch (JacksonException broken) {
            return null;
        }
    }
}
