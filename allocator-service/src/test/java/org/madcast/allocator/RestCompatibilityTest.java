package org.madcast.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.madcast.allocator.Rest.Answer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests as clients of version 0.1 send them are answered as those clients expect: with the same
 * status and, at least, the same fields of the same kinds. The exchanges are files, one after the
 * other; {@code -Dmadcast.write=true} writes the answers into files that have none yet, and changes
 * none.
 */
class RestCompatibilityTest {

    private static final Path FILES = Path.of("src/test/resources/golden/rest-0.1");
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Rest rest = RunningService.shared().rest();
    private final Map<String, String> known = new HashMap<>();

    @Test
    void clientsOfTheVersionBeforeAreAnsweredAsEver() throws IOException {
        known.put("job", "golden-" + UUID.randomUUID());
        List<Path> files;
        try (Stream<Path> found = Files.list(FILES)) {
            files = found.sorted().toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(20);
        for (Path file : files) {
            exchange(file);
        }
    }

    private void exchange(Path file) throws IOException {
        JsonNode golden = JSON.readTree(Files.readString(file));
        Answer answer = send(golden);
        String name = file.getFileName().toString();
        assertThat(answer.status())
                .as("%s: %s", name, answer.text())
                .isEqualTo(golden.path("status").asInt());
        golden.path("keep")
                .properties()
                .forEach(it -> known.put(it.getKey(), answer.string(it.getValue().asString())));
        if (answer.text().isEmpty()) {
            return;
        }
        if (golden.has("answer")) {
            requireSameKinds(name, golden.path("answer"), answer.json());
        } else {
            assertThat(Boolean.getBoolean("madcast.write")).as("%s has no answer", name).isTrue();
            ((ObjectNode) golden).set("answer", answer.json());
            Files.writeString(file, JSON.writeValueAsString(golden) + "\n");
        }
    }

    private Answer send(JsonNode golden) {
        String path = filled(golden.path("path").asString());
        List<String> headers = new ArrayList<>();
        golden.path("headers")
                .properties()
                .forEach(it -> {
                    headers.add(it.getKey());
                    headers.add(filled(it.getValue().asString()));
                });
        String[] all = headers.toArray(String[]::new);
        @Nullable String body = golden.has("body") ? filled(golden.path("body").toString()) : null;
        return switch (golden.path("method").asString()) {
            case "GET" -> rest.get(path, all);
            case "DELETE" -> rest.delete(path, all);
            case "PUT" -> rest.put(path, String.valueOf(body), all);
            case "POST" -> rest.post(path, body == null ? "{}" : body, all);
            default -> throw new IllegalArgumentException(golden.toString());
        };
    }

    private String filled(String text) {
        String filled = text.replace("\"golden\"", "\"" + known.get("job") + "\"");
        filled = filled.replace("job=golden", "job=" + known.get("job"));
        for (Map.Entry<String, String> each : known.entrySet()) {
            filled = filled.replace("{" + each.getKey() + "}", each.getValue());
        }
        return filled;
    }

    private static void requireSameKinds(String where, JsonNode golden, JsonNode now) {
        assertThat(now.getNodeType()).as("%s: %s", where, now).isEqualTo(golden.getNodeType());
        golden.properties()
                .forEach(it -> {
                    String field = where + " " + it.getKey();
                    assertThat(now.has(it.getKey())).as("%s is there", field).isTrue();
                    requireSameKinds(field, it.getValue(), now.path(it.getKey()));
                });
        if (golden.isArray() && !golden.isEmpty()) {
            assertThat(now.isEmpty()).as("%s has something", where).isFalse();
            requireSameKinds(where + "[0]", golden.path(0), now.path(0));
        }
        boolean isWord = golden.isString() && golden.asString().matches("[A-Z_]+|urn:.*");
        if (isWord) {
            assertThat(now.asString()).as(where).isEqualTo(golden.asString());
        }
    }
}
