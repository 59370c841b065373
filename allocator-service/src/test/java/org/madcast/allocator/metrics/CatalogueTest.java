package org.madcast.allocator.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The catalogue, the code, the Grafana dashboard and the alert rules say the same. */
class CatalogueTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern NAME = Pattern.compile("madcast_[a-z_]+");
    private static final Pattern SELECTED = Pattern.compile("(madcast_[a-z_]+)\\{([a-z]+)");
    private static final Pattern BY = Pattern.compile("by \\(([a-z, ]+)\\)");

    @Test
    void theCatalogueIsWhatTheCodeSays() throws IOException {
        List<String> rows =
                Files.readAllLines(ROOT.resolve("docs/METRICS.md")).stream()
                        .filter(it -> it.startsWith("| `madcast_"))
                        .toList();
        assertThat(rows)
                .containsExactlyElementsOf(
                        Arrays.stream(Metric.values()).map(CatalogueTest::row).toList());
    }

    private static String row(Metric metric) {
        String labels =
                metric.labels().stream()
                        .map(it -> "`" + it + "`")
                        .collect(Collectors.joining(", "));
        return "| `%s` | %s | %s | %s | %s |"
                .formatted(
                        metric.prometheusName(),
                        metric.kind().name().toLowerCase(java.util.Locale.ROOT),
                        metric.unit(),
                        labels,
                        metric.description());
    }

    @Test
    void everyQueryNamesMetricsAndLabelsThatExist() throws IOException {
        List<String> queries = new ArrayList<>(grafana());
        int ofGrafana = queries.size();
        queries.addAll(rules());
        assertThat(ofGrafana).isGreaterThan(8);
        assertThat(queries.size() - ofGrafana).isGreaterThan(6);
        Map<String, Metric> byName =
                Arrays.stream(Metric.values())
                        .collect(Collectors.toMap(Metric::prometheusName, it -> it));
        for (String query : queries) {
            Set<String> labels = new TreeSet<>();
            Matcher names = NAME.matcher(query);
            assertThat(names.find()).as(query).isTrue();
            do {
                assertThat(byName).as(query).containsKey(base(names.group()));
                Metric metric = metric(byName, names.group());
                labels.addAll(metric.labels());
                if (metric.kind() == Metric.Kind.HISTOGRAM) {
                    labels.add("le");
                }
            } while (names.find());
            Matcher selected = SELECTED.matcher(query);
            while (selected.find()) {
                assertThat(metric(byName, selected.group(1)).labels())
                        .as(query)
                        .contains(selected.group(2));
            }
            Matcher by = BY.matcher(query);
            while (by.find()) {
                assertThat(labels).as(query).contains(by.group(1).split(", "));
            }
        }
    }

    /** The name of a histogram without what Prometheus adds. */
    private static String base(String name) {
        return name.replaceFirst("_seconds_(bucket|sum|count)$", "_seconds");
    }

    private static Metric metric(Map<String, Metric> byName, String name) {
        return Objects.requireNonNull(byName.get(base(name)), name);
    }

    @Test
    void everyMetricIsOnTheDashboardOrAlerted() throws IOException {
        String all = grafana() + " " + rules();
        for (Metric metric : Metric.values()) {
            if (metric != Metric.RENEWALS && metric != Metric.BROADCASTS) {
                assertThat(all).contains(metric.prometheusName());
            }
        }
    }

    private static List<String> grafana() throws IOException {
        JsonNode dashboard =
                JsonMapper.builder()
                        .build()
                        .readTree(Files.readString(ROOT.resolve("docker/grafana/madcast.json")));
        List<String> queries = new ArrayList<>();
        dashboard
                .path("panels")
                .forEach(panel ->
                        panel.path("targets")
                                .forEach(it -> queries.add(it.path("expr").asString())));
        return queries;
    }

    private static List<String> rules() throws IOException {
        JsonNode file =
                JsonMapper.builder()
                        .build()
                        .valueToTree(
                                new Yaml()
                                        .<Object>load(
                                                Files.readString(
                                                        ROOT.resolve(
                                                                "docker/prometheus/"
                                                                        + "madcast-alerts.yaml"))));
        List<String> queries = new ArrayList<>();
        file.path("groups")
                .path(0)
                .path("rules")
                .forEach(it -> queries.add(it.path("expr").asString()));
        return queries;
    }
}
