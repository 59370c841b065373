package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The chart and its documented sets of values, without a cluster. */
class ChartTest {

    private static final Path EXAMPLES = Project.path("helm/examples");
    private static final Path GOLDEN = Project.path("packaging/src/test/resources/golden/chart");
    private static final boolean WRITE = Boolean.getBoolean("madcast.write");
    private static final Path DASHBOARD = Chart.DIRECTORY.resolve("dashboards/madcast.json");
    private static final Pattern DASHBOARD_TEXT =
            Pattern.compile("^(  madcast\\.json: \\|\\n)(?: {4}.*\\n)+", Pattern.MULTILINE);

    static Stream<String> valueSets() {
        return Stream.of("minimal", "production", "agent-only", "everything");
    }

    @Test
    void itsImagesHaveTheProjectsVersion() throws IOException {
        String pom = Files.readString(Project.path("pom.xml"));
        String version = pom.replaceFirst("(?s).*?\n  <version>([^<]+)</version>.*", "$1");
        assertThat(Files.readString(Chart.DIRECTORY.resolve("Chart.yaml")))
                .contains("\nappVersion: " + version + "\n");
        assertThat(Files.readString(Project.path("docs/OPERATIONS.md")))
                .contains("docker/build --tag " + version + " ");
    }

    @Test
    void everyExampleIsTestedHere() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(valueSets(), Stream.of("indexed-job")).toList());
        }
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void isWithoutFindingsInAStrictLint(String set) throws IOException {
        Path copy = withValues(set);
        LintResult result = new Helm(copy).lint().strict().call();
        assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
        assertThat(result.getMessages())
                .noneMatch(it -> it.contains("[WARNING]") || it.contains("[ERROR]"));
    }

    /** Lint takes no file of values, so the chart gets the set as its defaults. */
    private static Path withValues(String set) throws IOException {
        Path copy = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "lint");
        copy = Files.createDirectories(copy.resolve("madcast"));
        try (Stream<Path> files = Files.walk(Chart.DIRECTORY)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = copy.resolve(Chart.DIRECTORY.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
        Path values = copy.resolve("values.yaml");
        Map<String, Object> merged = new Yaml().load(Files.readString(values));
        merge(merged, new Yaml().load(Files.readString(EXAMPLES.resolve(set + ".yaml"))));
        Files.writeString(values, new Yaml().dump(merged));
        return copy;
    }

    @SuppressWarnings("unchecked")
    private static void merge(Map<String, Object> into, Map<String, Object> from) {
        from.forEach((key, value) -> {
            if (value instanceof Map<?, ?> map && into.get(key) instanceof Map<?, ?> old) {
                merge((Map<String, Object>) old, (Map<String, Object>) map);
            } else {
                into.put(key, value);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void rendersValidManifests(String set) throws IOException {
        List<JsonObject> manifests = Chart.objects(Chart.render(EXAMPLES.resolve(set + ".yaml")));
        assertThat(manifests).hasSizeGreaterThanOrEqualTo(2);
        TreeSet<String> names = new TreeSet<>();
        for (JsonObject manifest : manifests) {
            Manifests.validate(manifest);
            String name = manifest.getAsJsonObject("metadata").get("name").getAsString();
            assertThat(names.add(Manifests.kind(manifest) + " " + name)).as(name).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void rendersWhatWasReviewed(String set) throws IOException {
        Path golden = GOLDEN.resolve(set + ".yaml");
        // The dashboard is compared by a test of its own, and changes without the chart.
        String rendered =
                DASHBOARD_TEXT
                        .matcher(Chart.render(EXAMPLES.resolve(set + ".yaml")))
                        .replaceAll("$1    (dashboards/madcast.json)\n");
        if (WRITE) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, rendered);
        }
        assertThat(rendered)
                .as("%s; %s", golden, GeneratedSection.ADVICE)
                .isEqualTo(Files.readString(golden));
    }

    @ParameterizedTest
    @MethodSource("valueSets")
    void podsMayDoNothingThatTheyNeedNot(String set) {
        List<JsonObject> pods =
                Chart.objects(Chart.render(EXAMPLES.resolve(set + ".yaml"))).stream()
                        .filter(it -> Manifests.kind(it).startsWith("apps/v1 "))
                        .map(it -> it.getAsJsonObject("spec").getAsJsonObject("template"))
                        .map(it -> it.getAsJsonObject("spec"))
                        .toList();
        assertThat(pods).isNotEmpty();
        for (JsonObject pod : pods) {
            assertThat(pod.get("automountServiceAccountToken").getAsBoolean()).isFalse();
            assertThat(pod.getAsJsonObject("securityContext").get("runAsNonRoot").getAsBoolean())
                    .isTrue();
            for (JsonElement container : pod.getAsJsonArray("containers")) {
                JsonObject it = container.getAsJsonObject();
                JsonObject security = it.getAsJsonObject("securityContext");
                assertThat(security.get("readOnlyRootFilesystem").getAsBoolean()).isTrue();
                assertThat(security.get("allowPrivilegeEscalation").getAsBoolean()).isFalse();
                assertThat(it.getAsJsonObject("resources").getAsJsonObject("limits").has("memory"))
                        .isTrue();
            }
        }
    }

    @Test
    void theIndexedJobIsValidAndItsRanksFindEachOther() throws IOException {
        JsonObject job =
                Chart.objects(Project.read(EXAMPLES.resolve("indexed-job.yaml"))).getFirst();
        Manifests.validate(job);
        JsonObject spec = job.getAsJsonObject("spec");
        assertThat(spec.get("completionMode").getAsString()).isEqualTo("Indexed");
        assertThat(spec.get("parallelism").getAsInt())
                .isEqualTo(spec.get("completions").getAsInt());
        Map<String, String> environment =
                environment(spec).collect(Collectors.toMap(Variable::name, Variable::value));
        assertThat(environment).containsKeys("MADCAST_SIZE", "MADCAST_JOB_ID", "MADCAST_SERVICE");
        assertThat(environment)
                .containsEntry("MADCAST_SIZE", spec.get("completions").getAsString());
    }

    private record Variable(String name, String value) {}

    private static Stream<Variable> environment(JsonObject job) {
        JsonArray containers =
                job.getAsJsonObject("template")
                        .getAsJsonObject("spec")
                        .getAsJsonArray("containers");
        return containers.get(0).getAsJsonObject().getAsJsonArray("env").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .map(it ->
                        new Variable(
                                it.get("name").getAsString(),
                                it.has("value") ? it.get("value").getAsString() : ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "service.replicas=0",
                "service.replcias=2",
                "service.type=Ingress",
                "service.database.url=postgresql://db/madcast",
                "service.database.existingSecret=",
                "service.port=80",
                "agent.enabled=true",
                "agent.runAsUser=0",
                "nodeSelector.rack=a"
            })
    void valuesThatCannotWorkAreRefused(String assignment) {
        String[] parts = assignment.split("=", 2);
        assertThatThrownBy(() ->
                        Chart.renderWith(
                                "service.database.url",
                                "jdbc:postgresql://db/madcast",
                                "service.database.existingSecret",
                                "secret",
                                parts[0],
                                parts[1]))
                .hasMessageContaining("schema");
    }

    @Test
    void withoutADatabaseNothingIsRendered() {
        assertThatThrownBy(() -> Chart.renderWith()).hasMessageContaining("database");
    }

    @Test
    void unknownFieldsInManifestsAreNoticed() {
        String rendered = Chart.render(EXAMPLES.resolve("production.yaml"));
        for (JsonObject manifest : Chart.objects(rendered)) {
            if (manifest.has("spec")) {
                manifest.getAsJsonObject("spec").addProperty("replcias", 1);
                assertThatThrownBy(() -> Manifests.validate(manifest))
                        .hasMessageContaining("replcias");
            }
        }
    }

    @Test
    void theDashboardIsTheOneOfTheService() throws IOException {
        Path original = Project.path("docker/grafana/madcast.json");
        if (WRITE) {
            Files.copy(original, DASHBOARD, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(DASHBOARD)
                .as("a chart cannot read files outside of it; %s", GeneratedSection.ADVICE)
                .hasSameTextualContentAs(original);
        List<JsonObject> dashboards =
                Chart.objects(Chart.render(EXAMPLES.resolve("production.yaml"))).stream()
                        .filter(it -> it.has("data"))
                        .map(it -> it.getAsJsonObject("data"))
                        .filter(it -> it.has("madcast.json"))
                        .toList();
        assertThat(dashboards).hasSize(1);
        assertThat(dashboards.getFirst().get("madcast.json").getAsString().strip())
                .isEqualTo(Files.readString(DASHBOARD).strip());
    }
}
