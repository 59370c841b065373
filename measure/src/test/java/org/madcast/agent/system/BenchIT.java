package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @BeforeEach
    void lab() {
        NeedsLab.assumeAvailable();
    }

    @Test
    void writesARowForEachSizeAndAlgorithm() throws Exception {
        Path file = directory.resolve("result.json");
        Path run = Files.createDirectory(directory.resolve("run"));
        try (Program bench =
                Program.start(
                        run,
                        "bench",
                        "--hosts",
                        "3",
                        "--sizes",
                        "16,64KiB",
                        "--algorithms",
                        "once,binomial",
                        "--launches",
                        "2",
                        "--repetitions",
                        "3",
                        "--warm-ups",
                        "1",
                        "--floor",
                        "--json",
                        file.toString())) {
            int code = bench.await();
            assertThat(code).as(bench.err()).isEqualTo(ExitCode.OK.code());
            JsonObject result = JsonParser.object().from(Files.readString(file));
            assertThat(result.getObject("machine")).isNotEmpty();
            JsonArray rows = result.getArray("rows");
            assertThat(rows).hasSize(4);
            for (int i = 0; i < rows.size(); i++) {
                assertRow(rows.getObject(i));
            }
            assertThat(bench.out()).contains("algorithm", "once", "binomial", "64 KiB");
            bench.assertNothingIsLeft();
        }
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
        Path file = directory.resolve("result.json");
        Path run = Files.createDirectory(directory.resolve("run"));
        try (Program bench =
                Program.start(
                        run,
                        "bench",
                        "--topology",
                        tree.toString(),
                        "--sizes",
                        "128KiB",
                        "--algorithms",
                        "chain,chain_by_rank",
                        "--launches",
                        "1",
                        "--repetitions",
                        "3",
                        "--warm-ups",
                        "1",
                        "--json",
                        file.toString())) {
            int code = bench.await();
            assertThat(code).as(bench.err()).isEqualTo(ExitCode.OK.code());
            JsonArray rows = JsonParser.object().from(Files.readString(file)).getArray("rows");
            double ordered = rows.getObject(0).getDouble("lastMedianUs");
            double byRank = rows.getObject(1).getDouble("lastMedianUs");
            assertThat(byRank).isGreaterThan(1.5 * ordered);
            bench.assertNothingIsLeft();
        }
    }

    @Test
    void measuresOtherCallsThanBroadcasts() throws Exception {
        Path file = directory.resolve("result.json");
        Path run = Files.createDirectory(directory.resolve("run"));
        try (Program bench =
                Program.start(
                        run,
                        "bench",
                        "--hosts",
                        "3",
                        "--sizes",
                        "1KiB",
                        "--collective",
                        "alltoall,reduce_scatter,bcast_turns,ibcast,pingpong",
                        "--launches",
                        "1",
                        "--repetitions",
                        "2",
                        "--calls",
                        "5",
                        "--warm-ups",
                        "1",
                        "--json",
                        file.toString())) {
            int code = bench.await();
            assertThat(code).as(bench.err()).isEqualTo(ExitCode.OK.code());
            JsonArray rows = JsonParser.object().from(Files.readString(file)).getArray("rows");
            assertThat(rows)
                    .extracting(row -> ((JsonObject) row).getString("algorithm"))
                    .containsExactly(
                            "alltoall", "reduce_scatter", "bcast_turns", "ibcast", "pingpong");
            for (int i = 0; i < rows.size(); i++) {
                assertThat(rows.getObject(i).getLong("corrupt")).isZero();
                assertThat(rows.getObject(i).getInt("calls")).isEqualTo(5);
                assertThat(rows.getObject(i).getDouble("lastMedianUs")).isPositive();
            }
            bench.assertNothingIsLeft();
        }
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
