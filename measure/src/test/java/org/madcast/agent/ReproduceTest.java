package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code madcast reproduce}, but for its being interrupted. */
class ReproduceTest {

    private static final Path HOME = Path.of(System.getProperty("madcast.home", ".."));

    @TempDir private Path directory;

    private static Outcome reproduce(String... options) {
        List<String> arguments = new ArrayList<>(List.of("reproduce"));
        arguments.addAll(List.of(options));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    /** What a figure found, by what it tells. */
    private Map<String, JsonObject> found(String figure) throws Exception {
        Outcome outcome = reproduce(figure, "--results", directory.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        JsonObject result =
                JsonParser.object().from(Files.readString(directory.resolve(figure + ".json")));
        JsonArray points = result.getArray("points");
        Map<String, JsonObject> found = new TreeMap<>();
        points.forEach(it -> found.put(((JsonObject) it).getString("what"), (JsonObject) it));
        return found;
    }

    private static JsonObject point(Map<String, JsonObject> found, String what) {
        return Objects.requireNonNull(found.get(what), what);
    }

    @Test
    void withoutAFigureItListsThem() {
        Outcome outcome = reproduce();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("000-18 ", "000-table-1 ", "001-table-3 ", "003-7 ", "004-II.16 ");
    }

    @Test
    void anUnknownFigureIsRefusedWithTheKnownOnes() {
        Outcome outcome = reproduce("000-99");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("no figure '000-99'; there are 000-10, 000-18");
    }

    @Test
    void publishedNumbersAreBesideThoseFound() {
        Outcome outcome = reproduce("004-II.16");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .anyMatch(line -> line.matches("what +published +here +factor"))
                .anyMatch(line -> line.matches("binomial: .* 79\\.4 % +7\\d\\.\\d % .* near"));
    }

    /** The thesis has 4.896; that much more is what was found when this was written. */
    @Test
    void broadcastsTo342NodesGainAtLeastWhatTheyDid() throws Exception {
        Map<String, JsonObject> found = found("000-18");
        assertThat(point(found, "8 KiB, 342 ranks: binomial over once").getDouble("found"))
                .isGreaterThan(7.5);
        assertThat(point(found, "8 KiB, 342 ranks: binomial over ipmc").getDouble("found"))
                .isGreaterThan(5.3);
        assertThat(point(found, "8 KiB, 342 ranks: binomial over ipmc").getString("verdict"))
                .isEqualTo("reached");
        assertThat(point(found, "8 KiB, 342 ranks: once").isNull("published")).isTrue();
    }

    @Test
    void moreChannelsAreQuicker() throws Exception {
        Map<String, JsonObject> found = found("003-7");
        assertThat(point(found, "2 channels").getDouble("found"))
                .isGreaterThan(2 * point(found, "16 channels").getDouble("found"));
        assertThat(point(found, "2 channels less 16 channels").getString("verdict"))
                .isEqualTo("reached");
    }

    /** The second stage comes whether the first one did or not. */
    @Test
    void lossCostsOnceMoreThanIpmc() throws Exception {
        Map<String, JsonObject> found = found("000-loss");
        double once = point(found, "once, 5 % lost").getDouble("found");
        double ipmc = point(found, "ipmc, 5 % lost").getDouble("found");
        assertThat(once).isBetween(1.005, 1.2);
        assertThat(ipmc).isBetween(1.0, once);
        assertThat(point(found, "chain, 5 % lost").getDouble("found")).isBetween(1.0, 1.5);
    }

    /** The tree of whole messages is behind in each panel, also where handing on costs nothing. */
    @Test
    void ranksOfHplAreInBroadcastsForLessTimeWithMulticast() throws Exception {
        Map<String, JsonObject> found = found("000-21");
        double once = point(found, "in broadcasts: once").getDouble("found");
        double ipmc = point(found, "in broadcasts: ipmc").getDouble("found");
        double tree = point(found, "in broadcasts: original").getDouble("found");
        double ring = point(found, "in broadcasts: 1 ring").getDouble("found");
        // 1530 MiB at 100 Mbit/s take 128 s, and as much as this more with headers
        assertThat(once).isBetween(128.0, ipmc);
        assertThat(tree).isGreaterThan(1.02 * ipmc);
        assertThat(ring).isGreaterThan(1.02 * ipmc);
    }

    @Test
    void moreWaysThanOneMakeABarrierQuicker() throws Exception {
        Map<String, JsonObject> found = found("004-II.14");
        assertThat(point(found, "64 processes: the best n-way over n = 1").getString("verdict"))
                .isEqualTo("reached");
        assertThat(point(found, "64 processes: tree over n = 3").getDouble("found"))
                .isGreaterThan(1);
    }

    /** It shows what the repository's records say. */
    @Test
    void whatWasMeasuredIsShownAsItWasRecorded() throws Exception {
        Map<String, JsonObject> found = found("004-IV.6");
        JsonArray rows =
                JsonParser.object()
                        .from(
                                Files.readString(
                                        HOME.resolve(
                                                "benchmarks/results/collectives/overlap-long.json")))
                        .getArray("rows");
        JsonObject last = rows.getObject(rows.size() - 1);
        assertThat(last.getString("algorithm")).isEqualTo("alltoall");
        assertThat(last.getInt("sizeBytes")).isEqualTo(1 << 20);
        assertThat(point(found, "alltoall: at 1 MiB").getDouble("found"))
                .isCloseTo(100 * last.getDouble("hidden"), within(0.001));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "000-10",
                "000-20",
                "000-table-1",
                "001-5",
                "001-table-3",
                "003-8",
                "004-II.4"
            })
    void eachFigureHasNumbersThatAreCompared(String figure) throws Exception {
        assertThat(found(figure).values())
                .isNotEmpty()
                .anyMatch(point -> !point.isNull("published") && point.getDouble("found") > 0);
    }

    @Test
    void thePageAndTheChartsComeFromTheResults() throws Exception {
        assertThat(found("001-table-3")).isNotEmpty();
        Path docs = Files.createDirectory(directory.resolve("docs"));
        Outcome outcome = reproduce("--results", directory.toString(), "--docs", docs.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(Files.readString(docs.resolve("REPRODUCTION.md")))
                .contains(
                        "### 001-table-3: ", "| sizes that agree, of 18 | 18.0 | ", "Not run yet.")
                .contains("(images/reproduce-001-table-3.svg)");
        Path chart = docs.resolve("images/reproduce-001-table-3.svg");
        assertThat(
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(chart.toFile())
                                .getElementsByTagName("polyline")
                                .getLength())
                .isEqualTo(2);
    }

    /** Whoever changes a figure's words, or a result, has to write the page again. */
    @Test
    void theRepositorysPageIsUpToDate() throws Exception {
        Outcome outcome =
                reproduce(
                        "--results",
                        HOME.resolve("benchmarks/results/reproduction").toString(),
                        "--docs",
                        directory.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(HOME.resolve("docs/REPRODUCTION.md"))
                .hasSameTextualContentAs(directory.resolve("REPRODUCTION.md"));
        try (Stream<Path> charts = Files.list(directory.resolve("images"))) {
            assertThat(charts)
                    .isNotEmpty()
                    .allSatisfy(chart ->
                            assertThat(HOME.resolve("docs/images").resolve(chart.getFileName()))
                                    .hasSameTextualContentAs(chart));
        }
    }

    @Test
    void whatCannotBeWrittenIsRefusedBeforehand() throws Exception {
        assertThat(reproduce("001-table-3", "--results", "/nowhere/x").code()).isEqualTo(3);
        assertThat(reproduce("--docs", directory.toString()).err()).contains("--docs needs");
        Files.writeString(directory.resolve("broken.json"), "[");
        Outcome broken =
                reproduce("--results", directory.toString(), "--docs", directory.toString());
        assertThat(broken.code()).isEqualTo(3);
        assertThat(broken.err()).contains("broken.json");
    }
}
