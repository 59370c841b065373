package org.madcast.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;
import org.madcast.lab.LabCapability;
import org.madcast.measure.bench.MeasuredCall;
import picocli.CommandLine;

/** Every system in a small lab: all bytes right, all fields there. Its numbers mean nothing. */
@Tag("slow")
class SideBySideTest {

    @TempDir private Path directory = Path.of("");

    @BeforeEach
    void lab() {
        assumeTrue(
                LabCapability.check() instanceof LabCapability.Available,
                "no lab can be made here");
    }

    @Test
    void aeronBroadcastsInEveryConfiguration() throws Exception {
        assertMeasures("aeron", List.of("default", "shared/100", "invoker/100"));
    }

    @Test
    void jGroupsBroadcastsInEveryConfiguration() throws Exception {
        assertMeasures("jgroups", List.of("default", "no-bundler/60KiB"));
    }

    @Test
    void openMpiForcesItsAlgorithms() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mpicc")), "libopenmpi-dev is missing");
        List<JsonObject> rows =
                measure("openmpi", "--segments", "8KiB", "--algorithms", "linear,pipeline");
        assertThat(rows).hasSize(2);
        // To each of two receivers, or to the next one only: so the root's link tells them apart.
        assertThat(rows.get(0).getDouble("rootTxBytes")).isGreaterThan(2 * 65536);
        assertThat(rows.get(1).getDouble("rootTxBytes")).isBetween(65536.0, 1.2 * 65536);
    }

    @Test
    void moduleMpiMakesEveryCall() throws Exception {
        String all =
                Stream.of(MeasuredCall.values())
                        .map(MeasuredCall::label)
                        .collect(Collectors.joining(","));
        List<JsonObject> rows = measure("madcast-mpi", "--collective", all);
        assertThat(rows).hasSize(MeasuredCall.values().length);
    }

    private void assertMeasures(String system, List<String> configurations) throws Exception {
        List<JsonObject> rows =
                measure(system, "--configurations", String.join(",", configurations));
        assertThat(rows)
                .extracting(row -> row.getString("algorithm"))
                .containsExactlyElementsOf(configurations);
        // Data cross the root's link once.
        assertThat(rows)
                .allSatisfy(row ->
                        assertThat(row.getDouble("rootTxBytes")).isBetween(65536.0, 1.2 * 65536));
    }

    private List<JsonObject> measure(String system, String... more) throws Exception {
        Path file = directory.resolve(system + ".json");
        StringWriter err = new StringWriter();
        CommandLine line = CompareCommand.commandLine();
        line.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
        String common =
                system
                        + " --hosts 3 --sizes 64KiB --launches 1 --repetitions 5 --floor --json "
                        + file;
        List<String> words = new ArrayList<>(List.of(common.split(" ", -1)));
        words.addAll(List.of(more));
        assertThat(line.execute(words.toArray(String[]::new)))
                .as(err.toString())
                .isEqualTo(ExitCode.OK.code());
        List<JsonObject> rows =
                JsonParser.object().from(Files.readString(file)).getArray("rows").stream()
                        .map(JsonObject.class::cast)
                        .toList();
        assertThat(rows)
                .allSatisfy(row -> {
                    assertThat(row.getString("system")).isEqualTo(system);
                    assertThat(row.getInt("corrupt")).isZero();
                    assertThat(row.getDouble("lastMedianUs")).isPositive();
                    assertThat(row.getDouble("floorLastMedianUs")).isPositive();
                });
        return rows;
    }
}
