package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code madcast simulate}, but for its being interrupted. */
class SimulateTest {

    private static final int MOST_COLUMNS = 80;

    @TempDir private Path directory;

    private static Outcome simulate(String... options) {
        List<String> arguments = new ArrayList<>(List.of("simulate"));
        arguments.addAll(List.of(options));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    @Test
    void thinItPrintsTheTablesOfBench() {
        Outcome outcome =
                simulate(
                        "--ranks",
                        "16",
                        "--size",
                        "1m",
                        "--rate",
                        "100mbit",
                        "--algorithm",
                        "once",
                        "--floor");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .allMatch(line -> line.length() < MOST_COLUMNS)
                .anyMatch(line -> line.matches(" size +algorithm +last +p95 +max .* ratio"))
                .anyMatch(line -> line.matches("1 MiB +once +9\\d\\.\\d+ .* 1\\.0\\d"))
                .anyMatch(line -> line.startsWith("simulated: 16 ranks, 100mbit a link"));
    }

    @Test
    void theLongestLinesFitIntoEightyColumns() {
        Outcome outcome =
                simulate(
                        "--ranks",
                        "9",
                        "--switches",
                        "7",
                        "--trunk",
                        "10mbit",
                        "--sizes",
                        "1023,100KiB",
                        "--algorithms",
                        "scatter_allgather,split_binary,linear",
                        "--loss",
                        "12.5",
                        "--skew",
                        "0.25",
                        "--delay",
                        "123.456",
                        "--as-lab",
                        "--seed",
                        "-9223372036854775808",
                        "--repetitions",
                        "2");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines()).hasSizeGreaterThan(15);
        assertThat(outcome.out().lines()).allMatch(line -> line.length() <= MOST_COLUMNS);
    }

    @Test
    void otherCallsThanBroadcastsAreSimulatedToo() {
        Outcome outcome =
                simulate(
                        "--ranks",
                        "8",
                        "--rate",
                        "100mbit",
                        "--sizes",
                        "64KiB",
                        "--collective",
                        "barrier,allreduce,alltoall/bruck,allgather/multicast");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .allMatch(line -> line.length() <= MOST_COLUMNS)
                .anyMatch(line -> line.matches("64 KiB +barrier +0\\.\\d+ .*"))
                .anyMatch(line -> line.matches("64 KiB +allreduce +\\d+\\.\\d+ .*"))
                .anyMatch(line -> line.matches("64 KiB +alltoall/bruck +\\d+\\.\\d+ .*"))
                .anyMatch(line -> line.matches("64 KiB +allgather/multicast +4\\d\\.\\d+ .*"));
    }

    @Test
    void theSameOptionsPrintTheSameAndAnotherSeedOther() {
        String[] options = {
            "--ranks", "8", "--sizes", "64KiB", "--algorithms", "once", "--loss", "2", "--skew", "1"
        };
        String first = simulate(options).out();
        assertThat(simulate(options).out()).isEqualTo(first);
        List<String> other = new ArrayList<>(List.of(options));
        other.addAll(List.of("--seed", "2"));
        assertThat(simulate(other.toArray(String[]::new)).out().lines().skip(2).findFirst())
                .isNotEqualTo(first.lines().skip(2).findFirst());
    }

    @Test
    void theResultIsWrittenAsJsonWithTheMembersOfBench() throws Exception {
        Path file = directory.resolve("result.json");
        Outcome outcome =
                simulate(
                        "--ranks",
                        "4",
                        "--sizes",
                        "16,4KiB",
                        "--algorithms",
                        "once,chain",
                        "--json",
                        file.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        JsonObject result = JsonParser.object().from(Files.readString(file));
        assertThat(result.getBoolean("simulated")).isTrue();
        JsonArray rows = result.getArray("rows");
        assertThat(rows).hasSize(4);
        JsonObject row = rows.getObject(3);
        assertThat(row.getString("algorithm")).isEqualTo("chain");
        assertThat(row.getInt("sizeBytes")).isEqualTo(4096);
        assertThat(row.getInt("ranks")).isEqualTo(4);
        assertThat(row.getDouble("lastMedianUs")).isBetween(600.0, 1_300.0);
        assertThat(row.getDouble("rootTxBytes")).isGreaterThan(4096);
        assertThat(row.getInt("corrupt")).isZero();
    }

    @Test
    void jsonOnStandardOutputIsAlone() throws Exception {
        Outcome outcome = simulate("--ranks", "2", "--sizes", "16", "--json", "-");
        assertThat(JsonParser.object().from(outcome.out()).getArray("rows")).hasSize(5);
    }

    /** So many that the parameters' own limits of a lab do not hold. */
    @Test
    void aThousandRanks() {
        Outcome outcome =
                simulate("--ranks", "1000", "--sizes", "4KiB", "--algorithms", "once,binomial");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("simulated: 1000 ranks");
    }

    @Test
    void switchesHostsAndRatesComeFromAFile() throws Exception {
        Path file = directory.resolve("tree");
        Files.writeString(
                file,
                """
                switch s[0-1]
                cable s0 s1 10Mbit/s
                host a[0-2] s0 100Mbit/s
                host b[0-2] s1 100Mbit/s
                """);
        Outcome outcome =
                simulate(
                        "--topology",
                        file.toString(),
                        "--sizes",
                        "64KiB",
                        "--algorithms",
                        "once",
                        "--floor");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("simulated: 6 ranks").contains("topology tree");
        assertThat(outcome.out().lines().skip(2).findFirst().orElseThrow())
                .matches("64 KiB +once +5\\d\\.\\d+ .*");
        Outcome tooMany = simulate("--topology", file.toString(), "--ranks", "7");
        assertThat(tooMany.err()).contains(file + ": 7 ranks, but 6 hosts");
        Outcome both = simulate("--topology", file.toString(), "--rate", "1gbit");
        assertThat(both.err()).contains("leave out --rate");
    }

    @Test
    void aMeasurementIsSimulatedAndCompared() throws Exception {
        Path file = directory.resolve("measured.json");
        String row =
                "{'algorithm': '%s', 'ranks': %d, 'sizeBytes': 65536, 'rate': '20mbit',"
                        + " 'lossPercent': 0, 'lastMedianUs': 15800.0}";
        String rows = row.formatted("once", 4) + "," + row.formatted("chain", 4);
        String form = "{'machine': {'cores': 2}, 'rows': [%s]}";
        Files.writeString(file, form.formatted(rows).replace('\'', '"'));
        Outcome outcome = simulate("--measured", file.toString());
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .allMatch(line -> line.length() < MOST_COLUMNS)
                .anyMatch(line -> line.matches("64 KiB +once +15.800 +1\\d\\.\\d+ +-\\d+\\.\\d %"))
                .anyMatch(line -> line.matches("64 KiB +chain +15.800 .* %"))
                .anyMatch(line -> line.startsWith("simulated: 4 ranks, 20mbit a link"));
        assertThat(simulate("--measured", file.toString(), "--ranks", "3").err())
                .contains("leave out --ranks");
        Files.writeString(
                file, form.formatted(rows + "," + row.formatted("once", 5)).replace('\'', '"'));
        assertThat(simulate("--measured", file.toString()).err()).contains("row 3");
        Files.writeString(file, "{}");
        assertThat(simulate("--measured", file.toString()).err()).contains("has no rows");
        Path missing = directory.resolve("missing");
        for (String option : List.of("--measured", "--topology")) {
            Outcome none = simulate(option, missing.toString());
            assertThat(none.code()).isEqualTo(ExitCode.NO_INPUT.code());
            assertThat(none.err()).contains(missing + " cannot be read");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "switch s[0-2]; cable s0 s1; cable s1 s2; cable s2 s0|line 4: .*cycle.*",
                "switch s0; host a s0; host a s0|line 3: .*a.*",
                "switch s0; host a s0; cable s0 s9|line 3: .*s9.*",
                "switch s0; host a s0 0Mbit/s|line 2: .*rate.*",
                "switch s0; hosts a s0|line 2: .*hosts.*",
                "switch s0; host a s0; host b s0; rank 0 a; rank 1 c|line 5: .*c.*",
                "switch s0; host a s0; host b s0; rank 0 a; rank 2 b|the rank 1 is on no host.*",
            })
    void aFileThatCannotBeIsRefusedWithItsLine(String lines, String complaint) throws Exception {
        Path file = directory.resolve("tree");
        Files.writeString(file, lines.replace("; ", "\n"));
        Outcome outcome = simulate("--topology", file.toString());
        assertThat(outcome.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(outcome.err().lines()).as(outcome.err()).hasSize(1);
        assertThat(outcome.err()).containsPattern(complaint).doesNotContain("--help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "switch s0; host a s0; host b s0; rank 0 a; rank 1 a|2|several ranks are on a.*",
                "switch s0; host a s0; host b s0|3|3 ranks, but 2 hosts.*",
            })
    void moreRanksThanItHasHostsAreRefused(String lines, String ranks, String complaint)
            throws Exception {
        Path file = directory.resolve("tree");
        Files.writeString(file, lines.replace("; ", "\n"));
        Outcome outcome = simulate("--topology", file.toString(), "--ranks", ranks);
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(outcome.err().lines()).as(outcome.err()).hasSize(1);
        assertThat(outcome.err()).containsPattern(file + ": " + complaint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--rate|0|--rate",
                "--rate|fast|not a rate: 'fast'",
                "--trunk|0mbit|--trunk",
                "--ranks|1|--ranks must be 2 to 65535",
                "--ranks|65536|--ranks must be 2 to 65535",
                "--ranks|many|many",
                "--switches|17|--switches must be 1 to the number of ranks, 16, not 17",
                "--switches|0|--switches must be 1",
                "--loss|100|--loss must be 0 to less than 100",
                "--loss|-1|--loss must be 0",
                "--loss|NaN|--loss must be 0",
                "--delay|-1|--delay must be 0 or more",
                "--skew|1e300|--skew must be 0 or more",
                "--gap|NaN|--gap must be 0 or more",
                "--gap-per-byte|-1|--gap-per-byte must be 0",
                "--processors|0|--processors must be 1",
                "--wake|-1|--wake must be 0 or more",
                "--queue|much|'much' is not a size",
                "--window|48|a power of two from 2 to 2048",
                "--repetitions|0|--repetitions must be 1",
                "--sizes|2GiB|'2GiB' is more than 1GiB",
                "--algorithms|quick|quick",
                "--collective|pingpong|--collective simulates barrier, gather, scatter",
                "--collective|quick|--collective knows barrier",
                "--collective|gather/ring|gather has the algorithms linear, tree, not 'ring'",
                "--collective|alltoall --loss 1|leave out --loss",
                "--collective|alltoall --algorithms once|leave out --algorithms",
                "--seed|x|seed",
                "--json|/nowhere/result.json|/nowhere/result.json cannot be written",
            })
    void whatCannotBeIsRefusedInOneLine(String option, String value, String complaint) {
        List<String> options = new ArrayList<>(List.of(option));
        options.addAll(List.of(value.split(" ")));
        Outcome outcome = simulate(options.toArray(String[]::new));
        int code = option.equals("--json") ? ExitCode.NO_INPUT.code() : ExitCode.USAGE.code();
        assertThat(outcome.code()).isEqualTo(code);
        assertThat(outcome.err().lines()).as(outcome.err()).hasSize(1);
        assertThat(outcome.err()).startsWith("madcast: ").contains(complaint);
        assertThat(outcome.out()).isEmpty();
    }
}
