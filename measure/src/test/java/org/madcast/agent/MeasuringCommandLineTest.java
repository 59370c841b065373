package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line with the commands that measure, as the launcher has it. */
class MeasuringCommandLineTest extends EveryCommand {

    @TempDir private Path directory = Path.of("");

    @Test
    void theHelpNamesThemBesideTheOthers() {
        assertThat(Outcome.of("--help").out())
                .containsSubsequence("demo", "topology", "bench", "simulate", "bench-leases")
                .containsSubsequence("bench-leases", "loggp", "help", "completion", "man");
    }

    /** Only the command that is named is made then. */
    @ParameterizedTest
    @ValueSource(strings = {"push", "loggp"})
    void aCommandIsFoundByItsName(String name) {
        String[] arguments = {name, "--help"};
        assertThat(Main.commandLine(arguments).getSubcommands()).containsOnlyKeys(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench --hosts 1",
                "bench --hosts 4,65",
                "bench --hosts 4,x",
                "bench --hosts 4,8 --roots 4",
                "bench --skew -1",
                "bench --mode overlap --collective pingpong",
                "bench --collective gossip",
                "bench --collective barrier/ring",
                "bench --collective scan/tree",
                "bench --mode isolated --calls 5",
                "bench --clock own --calls 5",
                "bench --nodes @all",
                "bench --nodes h[1-",
                "bench --nodes h1 --clock shared",
                "bench --nodes h1 --topology nets",
                "bench --nodes h1 --loss 1",
                "bench --sizes 4x",
                "bench --sizes 2GiB",
                "bench --algorithms fastest",
                "bench --launches 0",
                "bench --repetitions 0",
                "loggp",
                "loggp --ranks 1 h1",
                "loggp --largest 10 h1",
                "loggp --largest 1000000 h1"
            })
    void wrongArgumentsAreOneLineAndTheUsageCode(String words) {
        Outcome refused = run(words);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE.code());
        assertOneLine(refused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench --json", "bench-leases --output"})
    void aResultThatCannotBeWrittenIsSaidBeforeMeasuring(String words) {
        Path file = directory.resolve("missing").resolve("result.json");
        Outcome refused = run(words, file.toString());
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertOneLine(refused);
        assertThat(Files.exists(file)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "switch s;host a s;rank 0 a;rank 1 a | the ranks 0 and 1 are both on a, but a lab has",
                "switch s;host a[0-64] s             | a lab has 1 to 64 hosts, not 65",
                "switch s[0-16];cable s0 s[1-16];host a[0-19] s0 | a lab has 1 to 16 switches, not 17",
                "switch s;host a[0-1] s;cable a0 a1  | net.topology, line 3: the host a0 has a cable to s",
            })
    void benchRefusesWhatNoLabCanBe(String text, String complaint) throws IOException {
        Path file = Files.writeString(directory.resolve("net.topology"), text.replace(';', '\n'));
        Outcome refused = Outcome.of("bench", "--topology", file.toString());
        assertThat(refused.code()).isIn(ExitCode.NO_INPUT.code(), ExitCode.USAGE.code());
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains(complaint);
    }
}
