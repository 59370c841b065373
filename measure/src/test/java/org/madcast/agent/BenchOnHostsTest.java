package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code madcast bench --hostfile}, with a script in the place of ssh that runs everything here.
 */
@Timeout(300)
class BenchOnHostsTest {

    @TempDir private Path directory = Path.of("");

    private Outcome bench(String hosts, String... more) throws IOException {
        return benchBy("#!/bin/sh\nshift; exec sh -c \"$*\"", hosts, more);
    }

    private Outcome benchBy(String script, String hosts, String... more) throws IOException {
        Path ssh = Files.writeString(directory.resolve("ssh"), script);
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        Path file = Files.writeString(directory.resolve("hosts"), hosts);
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "bench",
                                "--hostfile",
                                file.toString(),
                                "--ssh",
                                ssh.toString(),
                                "--sizes",
                                "64",
                                "--algorithms",
                                "chain",
                                "--launches",
                                "1",
                                "--repetitions",
                                "3",
                                "--warm-ups",
                                "1"));
        words.addAll(List.of(more));
        return Outcome.of(words.toArray(String[]::new));
    }

    private static JsonObject json(Outcome ran) throws Exception {
        assertThat(ran.code()).as(ran.err()).isZero();
        return JsonParser.object().from(ran.out());
    }

    /** Addresses of the loopback network stand for hosts, whose clocks are not known to be one. */
    @Test
    void clocksOfHostsAreSynchronisedAndHowWellIsSaid() throws Exception {
        JsonObject result =
                json(
                        bench(
                                "127.0.0.2\n127.0.0.3\n127.0.0.4\n",
                                "--roots",
                                "1",
                                "--skew",
                                "0.5",
                                "--per-rank",
                                "--json",
                                "-"));
        JsonObject clock = result.getObject("clock");
        assertThat(clock.getString("kind")).isEqualTo("synchronised");
        assertThat(clock.getInt("comparisons")).isGreaterThanOrEqualTo(2);
        assertThat(clock.getDouble("boundUs")).isPositive();
        assertThat(clock.getDouble("errorMedianUs")).isNotNegative();
        JsonObject row = result.getArray("rows").getObject(0);
        assertThat(row.getInt("ranks")).isEqualTo(3);
        assertThat(row.getInt("root")).isEqualTo(1);
        assertThat(row.getLong("corrupt")).isZero();
        assertThat(row.getDouble("lastMedianUs")).isPositive();
        assertThat(row.getArray("byRank")).hasSize(3);
    }

    /** This machine alone needs no ssh, and no clock: the root times answers. */
    @Test
    void withoutACommonClockTheRootTimesAnswers() throws Exception {
        Outcome ran = bench("localhost slots=2\n", "--clock", "own");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("chain", "2 ranks on 2 processes", "clock: each rank's own");
        assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void aHostThatCannotBeReachedIsNamed() throws Exception {
        Outcome failed = benchBy("#!/bin/sh\nexit 255", "nowhere.invalid\nlocalhost\n");
        assertThat(failed.code()).isEqualTo(ExitCode.RANK.code());
        assertThat(failed.err()).contains("rank 0 on nowhere.invalid");
    }

    @Test
    void aListThatIsMissingIsOneLine() {
        Outcome refused =
                Outcome.of("bench", "--hostfile", directory.resolve("missing").toString());
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(refused.err().lines()).hasSize(1);
    }
}
