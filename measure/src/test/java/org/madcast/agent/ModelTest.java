package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.collective.AlgorithmChoice;
import org.madcast.client.internal.SelectionTables;
import org.w3c.dom.Document;

/** {@code madcast model}. */
class ModelTest {

    private static final String MEASURED =
            """
            {"latencyNs": 60000, "overheadNs": 2000, "protocols": [
              {"fromBytes": 16, "toBytes": 1472, "gapNs": 5200, "gapPerByteNs": 80.3},
              {"fromBytes": 2048, "toBytes": 65000, "gapNs": 9000, "gapPerByteNs": 82.0}]}
            """;

    @TempDir private Path directory;

    private static Outcome model(String... options) {
        List<String> arguments = new ArrayList<>(List.of("model"));
        arguments.addAll(List.of(options));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    private Path measured() throws Exception {
        return Files.writeString(directory.resolve("network.json"), MEASURED);
    }

    @Test
    void itPrintsTheQuickestOfEachCell() {
        Outcome outcome = model();
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.matches(" +1 MiB +90\\.\\d+ a .* 90\\.\\d+ a"))
                .anyMatch("a  once"::equals);
    }

    @Test
    void allAlgorithmsAreListedTheQuickestFirst() {
        Outcome outcome = model("--all", "--no-multicast", "--ranks", "64", "--sizes", "1MiB");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        List<String> rows = outcome.out().lines().filter(line -> line.startsWith("   64")).toList();
        assertThat(rows).hasSize(6);
        assertThat(rows.getFirst()).matches(" +64 +1 MiB +chain +1\\d\\d +1\\.00");
        assertThat(rows.getLast()).contains("linear");
    }

    /** Measured in the lab with 16 ranks: 3.65 and 7.06 ms (docs/SIMULATION.md). */
    @Test
    void asTheLabABurstPassesAtOnceAndHostsTakeTurns() throws Exception {
        String[] options = {"--ranks", "16", "--sizes", "64KiB", "--json", "-"};
        assertThat(ms("once", options)).isBetween(5.6, 6.0);
        String[] asLab = {
            "--as-lab", "--processors", "2", "--ranks", "16", "--sizes", "64KiB", "--json", "-"
        };
        assertThat(ms("once", asLab)).isBetween(0.8 * 3.65, 1.2 * 3.65);
        assertThat(ms("chain", asLab)).isBetween(0.8 * 7.06, 1.2 * 7.06);
        assertThat(model("--as-lab", "--collective", "barrier").err())
                .contains("--as-lab is for --collective bcast");
        assertThat(model("--from", measured().toString(), "--as-lab").err())
                .contains("leave out --as-lab");
    }

    private static double ms(String algorithm, String... options) throws Exception {
        Outcome outcome = model(options);
        assertThat(outcome.code()).as(outcome.err()).isZero();
        JsonArray rows = JsonParser.object().from(outcome.out()).getArray("rows");
        return rows.stream()
                .map(JsonObject.class::cast)
                .filter(row -> row.getString("algorithm").equals(algorithm))
                .mapToDouble(row -> row.getDouble("lastUs") / 1e3)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "barrier",
                "gather",
                "scatter",
                "allgather",
                "alltoall",
                "reduce",
                "allreduce",
                "reduce_scatter",
                "scan"
            })
    void everyCollectiveHasAModel(String collective) throws Exception {
        Outcome outcome =
                model("--collective", collective, "--ranks", "2,7", "--sizes", "64", "--json", "-");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        JsonArray rows = JsonParser.object().from(outcome.out()).getArray("rows");
        assertThat(rows).isNotEmpty();
        assertThat(rows).allMatch(row -> ((JsonObject) row).getDouble("lastUs") > 40);
    }

    /** What a rank would choose with the table is what the model says is the quickest. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void theSelectionTableOfAMeasuredNetworkIsReadByTheLibrary(boolean multicast) throws Exception {
        Path table = directory.resolve("selection.table");
        Outcome outcome =
                model(
                        "--from",
                        measured().toString(),
                        "--ranks",
                        "2,8,32",
                        "--write-selection",
                        table.toString(),
                        "--json",
                        "-",
                        multicast ? "--all" : "--no-multicast");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        BroadcastParameters parameters = BroadcastParameters.builder().selectionFile(table).build();
        JsonArray rows = JsonParser.object().from(outcome.out()).getArray("rows");
        String before = "";
        for (int i = 0; i < rows.size(); i++) {
            JsonObject row = rows.getObject(i);
            String cell = row.getInt("ranks") + " " + row.getLong("sizeBytes");
            if (!cell.equals(before)) {
                AlgorithmChoice choice =
                        new AlgorithmChoice(
                                parameters, SelectionTables.of(parameters), row.getInt("ranks"));
                assertThat(
                                choice.byDefault(row.getLong("sizeBytes"), multicast)
                                        .algorithm()
                                        .label())
                        .as(cell)
                        .isEqualTo(row.getString("algorithm"));
            }
            before = cell;
        }
    }

    @Test
    void theMapIsAPictureWithACellForEachSizeAndRanks() throws Exception {
        Path map = directory.resolve("map.svg");
        Outcome outcome = model("--ranks", "2,16", "--sizes", "1KiB,1MiB", "--map", map.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        Document svg =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(map.toFile());
        assertThat(svg.getElementsByTagName("title").getLength()).isEqualTo(4);
        assertThat(svg.getElementsByTagName("title").item(1).getTextContent()).isEqualTo("once");
    }

    @ParameterizedTest
    @CsvSource({
        "--rate,fast,not a rate",
        "--rate,0bit,link rate outside",
        "--ranks,1,--ranks must be 2 to 65535",
        "--sizes,big,'is not a size'",
        "--collective,bcats,'--collective knows bcast, barrier'",
        "--algorithms,twice,unknown algorithm",
        "--gap,-1,--gap must be 0",
        "--gap-per-byte,NaN,--gap-per-byte must be"
    })
    void wrongOptionsAreNamed(String option, String value, String complaint) {
        Outcome outcome = model(option, value);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains(complaint);
    }

    @Test
    void aFileThatLoggpDidNotWriteIsRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("other.json"), "{\"latencyNs\": 3}");
        Outcome outcome = model("--from", file.toString());
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).contains("is not of madcast loggp --json", "protocols");
        assertThat(model("--from", "/nowhere/x").code()).isEqualTo(3);
        assertThat(model("--from", measured().toString(), "--rate", "1gbit").err())
                .contains("leave out --rate");
    }
}
