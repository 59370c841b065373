package org.madcast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.benchmarks.report.Measurement.Origin;
import org.w3c.dom.Document;

/** From the files of results to tables and charts. */
class ReportTest {

    @TempDir private Path directory = Path.of("");

    private void file(String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String row(
            String system, String algorithm, int sizeBytes, double lastUs, String floorUs) {
        return """
        {"system":"%s","algorithm":"%s","ranks":16,"sizeBytes":%d,"rate":"100mbit",
         "lossPercent":0.0,"lastMedianUs":%s,"lastP95Us":%s,"floorLastMedianUs":%s}\
        """
                .formatted(system, algorithm, sizeBytes, lastUs, lastUs + 10, floorUs);
    }

    private static String rows(String date, String... rows) {
        return "{\"machine\":{\"processor\":\"P\",\"cores\":2,\"system\":\"S\",\"measuredAt\":\""
                + date
                + "T10:00:00Z\"},\"rows\":["
                + String.join(",", rows)
                + "]}";
    }

    private static String record(String date, String values) {
        return """
        {"area":"pushes","command":"push","date":"%s","records":[{"claim":"Big","metric":"share",
         "unit":"%%","values":[%s],"bar":95,"direction":"at least"}]}\
        """
                .formatted(date, values);
    }

    private String section(String name) throws Exception {
        return new Sections(Results.read(directory)).section(name);
    }

    @Test
    void applicationsAreBarsOfBothForms() throws Exception {
        assertThat(section("applications")).isEqualTo("Not measured.\n");
        file(
                "cg.json",
                """
                {"area":"applications","command":"example","date":"2026-01-01T10:00","records":[
                 {"claim":"cg, 4 ranks","metric":"time, blocking","unit":"s","values":[2]},
                 {"claim":"cg, 4 ranks","metric":"time, overlapped","unit":"s","values":[1.5]},
                 {"claim":"cg, 4 ranks","metric":"communication, blocking","unit":"s","values":[1]},
                 {"claim":"cg, 4 ranks","metric":"communication, overlapped","unit":"s","values":[0.5]}
                ]}\
                """);
        Sections sections = new Sections(Results.read(directory));
        assertThat(sections.section("applications")).contains("../images/applications.svg");
        String svg = sections.charts().getOrDefault("applications.svg", "");
        // The blocking bar has 560 in all: a half computing, a half communication.
        assertThat(svg)
                .contains("blocking 2.00 s", "overlapped 1.50 s")
                .contains("<rect x=\"400.0\" y=\"70\" width=\"280.0\"")
                .contains("<rect x=\"400.0\" y=\"92\" width=\"140.0\"");
        assertThat(
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(
                                        new ByteArrayInputStream(
                                                svg.getBytes(StandardCharsets.UTF_8))))
                .isNotNull();
    }

    /** At most 10, and at least 10 of the same distance on the other side. */
    @ParameterizedTest
    @CsvSource({
        "9, true, held",
        "10, true, held",
        "11, true, **not held**: misses by 1",
        "9 11 11, true, held within the launches",
        "10.5 11 12, true, **not held**: misses by 1",
        "9 11, true, held",
        "11, false, held",
        "9 9 11, false, held within the launches",
        "8 9 9.5, false, **not held**: misses by 1",
    })
    void aBarIsHeldWithinWhatTheLaunchesDifferBy(String values, boolean atMost, String verdict) {
        List<Double> launches = Arrays.stream(values.split(" ")).map(Double::valueOf).toList();
        Origin origin = new Origin("f.json", "", "", "", "");
        Measurement measurement =
                new Measurement("a", "c", "m", "ms", launches, 10, atMost, "", origin);
        assertThat(measurement.verdict()).isEqualTo(verdict);
    }

    @Test
    void theLatestMeasurementOfAClaimCounts() throws Exception {
        file("b-old.json", record("2026-11-23", "80"));
        file("a-new.json", record("2026-11-24", "96, 95.5"));
        assertThat(section("bars"))
                .contains(
                        "**1 of 1 bars are held.**",
                        "| **95.75** % (96, 95.5) | &ge; 95 % | held |")
                .doesNotContain("80");
        assertThat(section("measured pushes")).contains("`push`", "a-new.json");
    }

    @Test
    void twoOfOneDateAreRefused() throws Exception {
        file("a.json", record("2026-11-24", "80"));
        file("b.json", record("2026-11-24", "81"));
        assertThatThrownBy(() -> section("bars"))
                .hasMessageContaining("a.json and b.json have 'Big' of one date");
    }

    /** Each file of the latest day is a launch. */
    @Test
    void aBarOfBroadcastsTakesItsValuesFromTheLatestRuns() throws Exception {
        file("old.json", rows("2026-11-22", row("madcast", "once", 16, 900, "200")));
        file("run1.json", rows("2026-11-24", row("madcast", "once", 16, 390, "200")));
        file("run2.json", rows("2026-11-24", row("madcast", "once", 16, 410, "200")));
        file(
                "bars.json",
                """
                {"area":"broadcast","records":[{"claim":"16 B","metric":"times the floor",
                 "unit":"","bar":2,"direction":"at most","run":{"algorithm":"once","ranks":16,
                 "rate":"100mbit","lossPercent":0,"sizeBytes":16}}]}\
                """);
        assertThat(section("bars")).contains("| **2** (1.95, 2.05) | &le; 2 | held | [run1.json]");
        assertThat(section("broadcast runs")).contains("0.390").doesNotContain("0.900");
        Files.delete(directory.resolve("old.json"));
        Files.delete(directory.resolve("run1.json"));
        Files.delete(directory.resolve("run2.json"));
        assertThatThrownBy(() -> section("bars")).hasMessageContaining("no run has them");
    }

    @Test
    void aTrendHasAChartFromThreePointsOn() throws Exception {
        String[] three = {
            row("madcast", "once", 16, 400, "200"),
            row("madcast", "once", 4096, 500, "300"),
            row("madcast", "once", 1 << 20, 86_000, "85000")
        };
        file("two.json", rows("2026-11-24", three[0], three[1]));
        assertThat(section("broadcast runs")).doesNotContain(".svg");
        file("two.json", rows("2026-11-24", three));
        Sections sections = new Sections(Results.read(directory));
        assertThat(sections.section("broadcast runs")).contains("measured-size.svg");
        Document svg = parse(sections.charts().getOrDefault("measured-size.svg", ""));
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(6);
        assertThat(sections.section("broadcast summary"))
                .contains("| 1 MiB | 86.0 ms | 85.0 ms | 1.01 |");
    }

    @Test
    void putsTheSystemsSideBySide() throws Exception {
        file("comparison/ours.json", rows("2026-11-22", row("madcast", "once", 16, 400, "200")));
        file(
                "comparison/theirs.json",
                rows(
                        "2026-11-22",
                        row("openmpi", "default", 16, 1500, "500"),
                        row("openmpi", "pipeline/8KiB", 16, 300, "500")));
        Sections sections = new Sections(Results.read(directory));
        assertThat(sections.section("comparison"))
                .contains("| madcast once | 0.400 (0.410) |")
                .contains("| openmpi default | 1.50 (1.51) |")
                .contains("| openmpi pipeline | 0.300 (0.310) 8KiB |")
                .contains("| openmpi default | 3.75 (default) |")
                .contains("| openmpi best | **0.75** (pipeline/8KiB) |");
        Document svg = parse(sections.charts().getOrDefault("comparison.svg", ""));
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(3);
    }

    /** A busy rival slows the floor beside it down, which must not lower its own line. */
    @Test
    void theComparisonDividesByTheFastestFloor() throws Exception {
        file("comparison/ours.json", rows("2026-11-22", row("madcast", "once", 16, 400, "200")));
        file("comparison/theirs.json", rows("2026-11-22", row("aeron", "x", 16, 400, "800")));
        List<Run> runs = Results.read(directory).comparison();
        Comparison comparison = new Comparison(runs);
        assertThat(runs)
                .hasSize(2)
                .allSatisfy(it -> assertThat(comparison.timesFloor(it)).isEqualTo(2));
    }

    @Test
    void refusesWhatCannotBeReadOrCompared() throws Exception {
        file("comparison/a.json", rows("2026-11-22", row("madcast", "once", 16, 400, "null")));
        assertThatThrownBy(() -> section("comparison")).hasMessageContaining("--floor");
        file("garbage.json", "{\n\"a\": nothing}");
        assertThatThrownBy(() -> section("bars"))
                .hasMessageContaining("garbage.json: line 2: expected a value");
    }

    @Test
    void readsJson() {
        Map<String, Object> read =
                Json.object(
                        " {\"a\": [1, -2.5e1], \"b\": {\"c\": \"x\\n\\u00e9\\\"\"}, \"d\": null, \"e\": true} ");
        assertThat(read)
                .isEqualTo(
                        Map.of(
                                "a",
                                List.of(1.0, -25.0),
                                "b",
                                Map.of("c", "x\n\u00e9\""),
                                "e",
                                true));
        assertThatThrownBy(() -> Json.object("{} x")).hasMessageContaining("the end");
        assertThatThrownBy(() -> Json.object("{\"a\": 1")).hasMessageContaining("expected ,");
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void collectivesStandBesideOpenMpisChoiceAndBest() throws Exception {
        file(
                "collectives/madcast.json",
                rows("2026-11-25", row("madcast", "scan", 8, 600, "null")));
        file(
                "collectives/module.json",
                rows("2026-11-25", row("madcast-mpi", "scan", 8, 675, "null")));
        file(
                "collectives/openmpi.json",
                rows(
                        "2026-11-25",
                        row("openmpi", "scan", 8, 900, "null"),
                        row("openmpi", "scan/linear", 8, 750, "null"),
                        row("openmpi", "scan/ring", 16, 10, "null"),
                        row("openmpi", "gather", 8, 10, "null")));
        file(
                "bars.json",
                """
                {"area":"collectives","command":"c","date":"2026-11-25","records":[{"claim":"Scan",
                 "metric":"times Open MPI's best","bar":1,"direction":"at most","run":{
                 "algorithm":"scan","ranks":16,"rate":"100mbit","lossPercent":0,"sizeBytes":8}},
                 {"claim":"Scan of a program","metric":"by `mpi`, times Open MPI's best","bar":1.05,
                 "direction":"at most","run":{
                 "algorithm":"scan","ranks":16,"rate":"100mbit","lossPercent":0,"sizeBytes":8}}]}\
                """);

        assertThat(section("collectives"))
                .contains("| scan | 8 B | 0.600 | 0.610 | 0.675 | 0.900 | 0.750 | linear | 0.80 |");
        assertThat(section("bars"))
                .contains("0.8 | &le; 1 | held")
                .contains("0.9 | &le; 1.05 | held");
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000", "0.001, 0.001", "0.5, 0.5", "20, 20", "2.5, 2.5"})
    void aMarkOfAScaleHasNoExponent(double mark, String text) {
        assertThat(LineChart.plain(mark)).isEqualTo(text);
    }
}
