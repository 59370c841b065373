package org.madcast.measure.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.madcast.client.Algorithm;
import org.madcast.lab.LabSpec;

class BenchReportTest {

    private static Row row(String algorithm, int ranks, int root, List<Row.Overlap> overlap) {
        return new Row(
                new Cell(algorithm, 262_144, root),
                ranks,
                1_704_123.4,
                9_990.4,
                99_990.4,
                999_990.4,
                12_345_678.9,
                99_990.4,
                0,
                123_456_789,
                21_149,
                1_234_567,
                0,
                Collections.nCopies(ranks, new Row.OfRank(1_704_123.4, 9_990.4, 99_990.4)),
                overlap);
    }

    private static BenchOptions options(Method method) {
        return new BenchOptions(
                "madcast",
                LabSpec.builder().hosts(2).build(),
                List.of(2, 16),
                List.of(),
                new Amount(1, 7, 2, 10, 1),
                Compilers.FIRST,
                method,
                1);
    }

    private static List<String> printed(Method method, List<Row> rows) {
        StringWriter out = new StringWriter();
        BenchResult result = BenchResult.ofLab(rows);
        new BenchReport(options(method), result).print(new PrintWriter(out, true));
        return out.toString().lines().toList();
    }

    @Test
    void theTableFitsIntoEightyColumns() {
        Algorithm[] algorithms = Algorithm.values();
        List<Row> rows =
                Arrays.stream(algorithms)
                        .map(algorithm -> row(algorithm.label(), 2, 0, List.of()))
                        .toList();
        List<String> lines = printed(Method.PLAIN, rows);
        assertThat(lines).allMatch(line -> line.length() <= 80);
        assertThat(lines.get(1)).contains("algorithm").doesNotContain("ranks", "root ");
        assertThat(lines).filteredOn(line -> line.contains("scatter_allgather")).hasSize(2);
    }

    @Test
    void numbersOfRanksAndRootsThatDifferHaveColumns() {
        List<Row> rows =
                List.of(
                        row("scatter_allgather", 2, 0, List.of()),
                        row("scatter_allgather", 16, 1, List.of()));
        Method method = new Method(Mode.ISOLATED, Optional.empty(), 2_000_000, false, true);
        List<String> lines = printed(method, rows);
        assertThat(lines).allMatch(line -> line.length() <= 80);
        assertThat(lines.get(1)).contains("ranks  root");
        assertThat(lines).filteredOn(line -> line.startsWith("256 KiB")).hasSize(2 + 18 + 2);
        assertThat(lines).anyMatch(line -> line.contains("skew 2.0 ms"));
    }

    @Test
    void whatWasOverlappedIsShownAsWhatWasHidden() throws Exception {
        List<Row> rows =
                List.of(row("allgather", 2, 0, List.of(new Row.Overlap(1000, 250, 1300, 0.75))));
        Method method = new Method(Mode.OVERLAP, Optional.empty(), 0, true, false);
        assertThat(printed(method, rows).get(2)).endsWith("1.000    0.250   1.300    75 %");

        String json = new BenchReport(options(method), BenchResult.ofLab(rows)).json();
        JsonObject row = JsonParser.object().from(json).getArray("rows").getObject(0);
        assertThat(row.getString("mode")).isEqualTo("overlap");
        assertThat(row.getString("computing")).isEqualTo("idle");
        assertThat(row.getDouble("hidden")).isEqualTo(0.75);
        assertThat(row).doesNotContainKey("byRank");
    }
}
