package org.madcast.client.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.Algorithm;
import org.madcast.client.AlgorithmSelection;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.internal.SelectionTables;

class AlgorithmChoiceTest {

    private static final List<Long> SIZES = List.of(0L, 1L, 1L << 20, (1L << 20) + 1, 1L << 33);

    private static AlgorithmChoice choice(BroadcastParameters parameters, int size) {
        return new AlgorithmChoice(parameters, SelectionTables.of(parameters), size);
    }

    private static BroadcastParameters with(Algorithm algorithm) {
        return BroadcastParameters.builder().algorithm(algorithm).build();
    }

    @Test
    void onceUnlessSomebodyWantsSomethingElse() {
        for (int ranks = 1; ranks <= 65; ranks++) {
            AlgorithmChoice choice = choice(BroadcastParameters.defaults(), ranks);
            for (long bytes : SIZES) {
                assertThat(choice.byDefault(bytes, true).algorithm()).isEqualTo(Algorithm.ONCE);
            }
        }
    }

    @Test
    void priorityZeroMeansNoMulticastUnlessItIsNamed() {
        BroadcastParameters noPriority = BroadcastParameters.builder().priority(0).build();
        AlgorithmChoice choice = choice(noPriority, 16);
        assertThat(choice.byDefault(1 << 20, true).algorithm()).isEqualTo(Algorithm.CHAIN);
        assertThat(choice.byDefault(1 << 20, true).reason()).contains("priority 0");
        assertThat(choice.possible(Algorithm.ONCE, 1, true).algorithm()).isEqualTo(Algorithm.ONCE);
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void whatIsNamedIsUsedUnlessItNeedsAMulticastThatDoesNotWork(Algorithm wanted) {
        AlgorithmChoice choice = choice(BroadcastParameters.defaults(), 16);
        assertThat(choice.possible(wanted, 1, true).algorithm()).isEqualTo(wanted);
        Algorithm without = choice.possible(wanted, 1, false).algorithm();
        assertThat(without.usesMulticast()).isFalse();
        assertThat(without == wanted).isEqualTo(!wanted.usesMulticast());
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void withoutMulticastNothingIsEverMulticast(Algorithm parameter) {
        for (int ranks = 1; ranks <= 65; ranks++) {
            AlgorithmChoice choice = choice(with(parameter), ranks);
            for (long bytes : SIZES) {
                assertThat(choice.byDefault(bytes, false).algorithm().usesMulticast()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1000000000, LINEAR, one receiver",
        "16, 0, BINOMIAL, few steps",
        "16, 16384, BINOMIAL, few steps",
        "16, 16385, CHAIN, streams"
    })
    void withoutMulticastTheTableDecides(int ranks, long bytes, Algorithm used, String why) {
        AlgorithmChoice choice = choice(BroadcastParameters.defaults(), ranks);
        assertThat(choice.byDefault(bytes, false).algorithm()).isEqualTo(used);
        assertThat(choice.byDefault(bytes, false).reason()).contains(why);
        AlgorithmSelection named = choice.possible(Algorithm.ONCE, bytes, false);
        assertThat(named.algorithm()).isEqualTo(used);
        assertThat(named.reason()).startsWith("once needs multicast").contains(why);
    }

    @Test
    void aUsersTableCountsBeforeOurs(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("mine.table");
        Files.writeString(file, "yes 8- 1MiB- scatter_allgather  because I say so\n");
        BroadcastParameters mine = BroadcastParameters.builder().selectionFile(file).build();
        AlgorithmChoice choice = choice(mine, 8);
        assertThat(choice.byDefault(1 << 20, true))
                .isEqualTo(new AlgorithmSelection(Algorithm.SCATTER_ALLGATHER, "because I say so"));
        assertThat(choice.byDefault((1 << 20) - 1, true).algorithm()).isEqualTo(Algorithm.ONCE);
        assertThat(choice.byDefault(1 << 20, false).algorithm()).isEqualTo(Algorithm.CHAIN);
        assertThat(choice.byDefault(1, false).algorithm()).isEqualTo(Algorithm.BINOMIAL);
    }

    @Test
    void aUsersLinesForOtherCallsLeaveBroadcastsAlone(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("mine.table");
        Files.writeString(file, "allreduce yes any any multicast because I say so\n");
        BroadcastParameters mine = BroadcastParameters.builder().selectionFile(file).build();
        assertThat(choice(mine, 8).byDefault(64, true).algorithm()).isEqualTo(Algorithm.ONCE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maybe any any chain why|multicast is yes, no or any, not",
                "no any any once why|once needs multicast",
                "any any any chain|five columns",
                "any 8-4 any chain why|the range 8-4 is empty",
                "any any 4KB chain why|is neither a number such as 16 or 64KiB",
                "any any -4 chain why|is neither a number",
                "any any any fastest why|unknown algorithm",
                "barrier|five columns are needed after barrier",
                "barrier any any any tree|five columns",
                "barrier any any any ring why|barrier has the algorithms tree, multicast, dissemination",
                "allreduce any any any multicast why|multicast needs multicast",
                "gossip any any any tree why|multicast is yes, no or any, not 'gossip'"
            })
    void aWrongLineOfATableIsNamed(String line, String message) {
        assertThatThrownBy(() -> SelectionTable.parse("t", "# a comment\n" + line, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("t, line 2: ")
                .hasMessageContaining(message);
    }

    @Test
    void aTableThatIsNotThereIsNamed() {
        Path nowhere = Path.of("nowhere.table");
        BroadcastParameters lost = BroadcastParameters.builder().selectionFile(nowhere).build();
        assertThatThrownBy(() -> choice(lost, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere.table");
    }

    /** Seed 000, section 3.5: first the size, then the number of ranks. */
    @ParameterizedTest
    @CsvSource({
        "3, 10, true, LINEAR",
        "3, 1048576, true, LINEAR",
        "3, 1048577, true, CHAIN",
        "3, 3000000, false, CHAIN",
        "4, 10, true, IPMC",
        "4, 1048576, true, IPMC",
        "4, 1048577, true, CHAIN",
        "4, 10, false, CHAIN",
        "3, 10, false, LINEAR"
    })
    void ipmcBringsSiebertsDecision(int ranks, long bytes, boolean multicastWorks, Algorithm used) {
        AlgorithmChoice choice = choice(with(Algorithm.IPMC), ranks);
        assertThat(choice.byDefault(bytes, multicastWorks).algorithm()).isEqualTo(used);
    }

    /** They are ipmc's own: another algorithm, or the table, does not look at them. */
    @Test
    void theCrossoversConcernIpmcOnly() {
        BroadcastParameters early =
                BroadcastParameters.builder().crossoverNodes(64).crossoverSizeBytes(1).build();
        AlgorithmChoice choice = choice(early, 16);
        assertThat(choice.byDefault(1 << 20, true).algorithm()).isEqualTo(Algorithm.ONCE);
        assertThat(choice.possible(Algorithm.IPMC, 1 << 20, true).algorithm())
                .as("a call that names it gets it")
                .isEqualTo(Algorithm.IPMC);
    }
}
