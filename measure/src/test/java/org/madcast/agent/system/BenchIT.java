package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;

/** {@code madcast bench}: the contract of its JSON. */
class BenchIT {

    /** What scripts and the side-by-side runs against other systems read. */
    private static final List<String> FIELDS =
            List.of(
                    "system",
                    "algorithm",
                    "ranks",
                    "sizeBytes",
                    "rate",
                    "lossPercent",
                    "launches",
                    "repetitions",
                    "calls",
                    "lastMedianUs",
                    "lastP95Us",
                    "lastMaxUs",
                    "meanMedianUs",
                    "skewMedianUs",
                    "floorLastMedianUs",
                    "rootTxBytes",
                    "repairs",
                    "repairP99Us",
                    "corrupt");

    @TempDir private Path directory = Path.of("");
    private String printed = "";

    @BeforeEach
    void lab() {
        NeedsLab.assumeAvailable();
    }

    /** The JSON of a run that is as short as can be, after nothing is left of it. */
    private JsonObject result(String options) throws Exception {
        Path file = directory.resolve("result.json");
        List<String> words = new ArrayList<>(List.of("bench", "--json", file.toString()));
        words.addAll(List.of("--warm-ups", "1"));
        words.addAll(List.of(options.split(" ")));
        Path run = Files.createDirectory(directory.resolve("run"));
        try (Program bench = Program.start(run, words.toArray(String[]::new))) {
            int code = bench.await();
            assertThat(code).as(bench.err()).isEqualTo(ExitCode.OK.code());
            printed = bench.out();
            bench.assertNothingIsLeft();
        }
        return JsonParser.object().from(Files.readString(file));
    }

    private static List<JsonObject> rows(JsonObject result) {
        return result.getArray("rows").stream().map(JsonObject.class::cast).toList();
    }

    @Test
    void writesARowForEachSizeAndAlgorithm() throws Exception {
        JsonObject result =
                result(
                        "--hosts 3 --sizes 16,64KiB --algorithms once,binomial --launches 2"
                                + " --repetitions 3 --floor");
        assertThat(result.getObject("machine")).isNotEmpty();
        assertThat(rows(result)).hasSize(4).allSatisfy(BenchIT::assertRow);
        assertThat(printed).contains("algorithm", "once", "binomial", "64 KiB");
    }

    /** Every second rank is behind a slow trunk, which a chain by number crosses three times. */
    @Test
    void aChainThatFollowsTheCablesIsFasterThanOneByRank() throws Exception {
        Path tree =
                Files.writeString(
                        directory.resolve("net.topology"),
                        """
                        switch s[0-1]
                        cable s0 s1 5mbit
                        host a[0-2] s0 100mbit
                        host b[0-2] s1 100mbit
                        rank 0 a0
                        rank 1 b0
                        rank 2 a1
                        rank 3 b1
                        rank 4 a2
                        rank 5 b2
                        """);
        List<JsonObject> rows =
                rows(
                        result(
                                "--sizes 128KiB --algorithms chain,chain_by_rank --launches 1"
                                        + " --repetitions 3 --topology "
                                        + tree));
        double ordered = rows.get(0).getDouble("lastMedianUs");
        assertThat(rows.get(1).getDouble("lastMedianUs")).isGreaterThan(1.5 * ordered);
    }

    @Test
    void measuresOtherCallsThanBroadcasts() throws Exception {
        String calls =
                "alltoall,reduce_scatter,barrier/multicast,allreduce/ring,bcast_turns,ibcast,pingpong";
        List<JsonObject> rows =
                rows(
                        result(
                                "--hosts 3 --sizes 1KiB --launches 1 --repetitions 2 --calls 5"
                                        + " --collective "
                                        + calls));
        assertThat(rows)
                .extracting(row -> row.getString("algorithm"))
                .containsExactly(calls.split(","));
        assertThat(rows)
                .allSatisfy(row -> {
                    assertThat(row.getLong("corrupt")).isZero();
                    assertThat(row.getInt("calls")).isEqualTo(5);
                    assertThat(row.getString("mode")).isEqualTo("pipelined");
                    assertThat(row.getDouble("lastMedianUs")).isPositive();
                });
    }

    /** Its hosts share a clock, so that the error of synchronised ones is known. */
    @Test
    void synchronisedClocksAreAsGoodAsTheySay() throws Exception {
        JsonObject result =
                result(
                        "--hosts 2,3 --roots 0,1 --skew 1 --per-rank --clock synchronised"
                                + " --sizes 1KiB --algorithms once --launches 1 --repetitions 3");
        assertThat(rows(result))
                .extracting(row -> row.getInt("ranks") + " from " + row.getInt("root"))
                .containsExactly("2 from 0", "2 from 1", "3 from 0", "3 from 1");
        assertThat(rows(result))
                .allSatisfy(row -> {
                    assertThat(row.getArray("byRank")).hasSize(row.getInt("ranks"));
                    assertThat(row.getLong("corrupt")).isZero();
                });
        JsonObject clock = result.getObject("clock");
        assertThat(clock.getDouble("trueErrorMedianUs"))
                .isLessThanOrEqualTo(clock.getDouble("boundUs"));
        assertThat(printed.lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void saysWhatAComputationHides() throws Exception {
        List<JsonObject> rows =
                rows(
                        result(
                                "--hosts 2 --sizes 64KiB --collective ibcast,allreduce --mode overlap"
                                        + " --launches 1 --repetitions 2"));
        assertThat(rows).hasSize(2);
        assertThat(rows)
                .allSatisfy(row -> {
                    assertThat(row.getString("mode")).isEqualTo("overlap");
                    assertThat(row.getDouble("aloneUs")).isPositive();
                    assertThat(row.getDouble("wholeUs"))
                            .isGreaterThanOrEqualTo(row.getDouble("heldUs"));
                    assertThat(row.getDouble("hidden")).isLessThan(1);
                });
        assertThat(printed).contains("held up", "hidden");
    }

    private static void assertRow(JsonObject row) {
        assertThat(row.keySet()).containsAll(FIELDS);
        assertThat(row.getString("system")).isEqualTo("madcast");
        assertThat(row.getInt("ranks")).isEqualTo(3);
        assertThat(row.getString("rate")).isEqualTo("100mbit");
        assertThat(row.getInt("launches")).isEqualTo(2);
        assertThat(row.getInt("repetitions")).isEqualTo(3);
        assertThat(row.getLong("corrupt")).isZero();
        assertThat(row.getDouble("lastMedianUs")).isPositive();
        assertThat(row.getDouble("lastMaxUs")).isGreaterThanOrEqualTo(row.getDouble("lastP95Us"));
        assertThat(row.getDouble("meanMedianUs")).isLessThanOrEqualTo(row.getDouble("lastMaxUs"));
        assertThat(row.getDouble("floorLastMedianUs")).isPositive();
        assertThat(row.getDouble("rootTxBytes")).isGreaterThan(row.getInt("sizeBytes"));
    }

    @Test
    void interruptedItTakesTheLabDown() throws Exception {
        Path run = Files.createDirectory(directory.resolve("run"));
        try (Program bench =
                Program.start(
                        run, "bench", "--hosts", "2", "--sizes", "1MiB", "--launches", "50")) {
            bench.await("ranks", () -> bench.descendants("MadcastRank").size() >= 2);
            bench.interrupt();
            assertThat(bench.await()).isEqualTo(ExitCode.INTERRUPTED.code());
            bench.assertNothingIsLeft();
        }
    }
}
