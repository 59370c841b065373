package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The service's properties: described, with their true defaults, and all in the reference. */
class ServicePropertiesReferenceTest {

    private static final Path SERVICE = Project.path("allocator-service");
    private static final Path METADATA =
            SERVICE.resolve("target/classes/META-INF/spring-configuration-metadata.json");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(madcast\\.[a-z0-9.-]+)");

    private final Map<String, JsonObject> properties = properties();

    @Test
    void theReferenceIsThatOfTheCode() throws IOException {
        StringBuilder table = new StringBuilder();
        table.append("| property | variable | default | meaning |\n| --- | --- | --- | --- |\n");
        properties.forEach((name, property) ->
                table.append(
                        "| `%s` | `%s` | %s | %s |\n"
                                .formatted(
                                        name,
                                        variable(name),
                                        defaultOf(property),
                                        meaning(property))));
        assertThat(new GeneratedSection("service properties").text(table.toString()))
                .as(GeneratedSection.ADVICE)
                .isEqualTo(table.toString());
    }

    @Test
    void everyPropertySaysWhatItMeans() {
        assertThat(properties).hasSizeGreaterThan(15);
        assertThat(properties.values()).allSatisfy(it -> assertThat(meaning(it)).isNotBlank());
    }

    @Test
    void everyPlaceholderOfTheSourcesIsDescribed() throws IOException {
        TreeSet<String> used = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(SERVICE.resolve("src/main"))) {
            for (Path source : sources.filter(it -> it.toString().endsWith(".java")).toList()) {
                Matcher matcher = PLACEHOLDER.matcher(Files.readString(source));
                while (matcher.find()) {
                    used.add(matcher.group(1));
                }
            }
        }
        assertThat(properties.keySet()).containsAll(used);
    }

    @Test
    void defaultsOfSpringsPropertiesAreThoseOfApplicationYaml() throws IOException {
        Map<String, String> set = new TreeMap<>();
        flatten(
                "",
                new Yaml()
                        .load(
                                Files.readString(
                                        SERVICE.resolve("src/main/resources/application.yaml"))),
                set);
        List<String> compared = new ArrayList<>();
        properties.forEach((name, property) -> {
            if (!name.startsWith("madcast.") && property.has("defaultValue")) {
                compared.add(name);
                assertThat(property.get("defaultValue").getAsString())
                        .as(name)
                        .isEqualTo(set.get(name));
            }
        });
        assertThat(compared).contains("server.address", "server.port");
    }

    private static void flatten(String prefix, Object node, Map<String, String> into) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) ->
                    flatten(prefix.isEmpty() ? "" + key : prefix + "." + key, value, into));
        } else {
            into.put(prefix, String.valueOf(node));
        }
    }

    private static Map<String, JsonObject> properties() {
        Map<String, JsonObject> found = new TreeMap<>();
        for (JsonElement it :
                JsonParser.parseString(Project.read(METADATA))
                        .getAsJsonObject()
                        .getAsJsonArray("properties")) {
            found.put(it.getAsJsonObject().get("name").getAsString(), it.getAsJsonObject());
        }
        return found;
    }

    private static String variable(String name) {
        return name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static String defaultOf(JsonObject property) {
        return property.has("defaultValue")
                ? "`" + property.get("defaultValue").getAsString() + "`"
                : "";
    }

    private static String meaning(JsonObject property) {
        if (!property.has("description")) {
            return "";
        }
        return Prose.sentence(property.get("description").getAsString());
    }
}
