package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.madcast.client.internal.LoopbackRanks.onEveryRank;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.madcast.client.BroadcastParameters;
import org.madcast.client.CollectiveAlgorithm;
import org.madcast.client.CollectiveOperation;
import org.madcast.client.CollectiveSelection;
import org.madcast.client.Communicator;
import org.madcast.client.JoinFailedException;
import org.madcast.client.collective.SelectionTable;

/** Which algorithm serves a collective operation, and that each of them does what it must. */
@Timeout(180)
class CollectiveSelectionTest {

    private static final long[] SIZES = {0, 1, 256, 257, 8192, 8193, 65536, 65537, 1L << 40};

    @TempDir private Path directory;

    private static BroadcastParameters with(Path table) {
        return BroadcastParameters.builder().selectionFile(table).partMulticastBytes(0).build();
    }

    @ParameterizedTest
    @EnumSource(CollectiveOperation.class)
    void ourTableHasALineForEachCase(CollectiveOperation operation) {
        SelectionTable table = SelectionTables.of(BroadcastParameters.defaults());
        for (int ranks = 1; ranks <= 1025; ranks++) {
            for (long bytes : SIZES) {
                for (CollectiveAlgorithm only : operation.algorithms()) {
                    CollectiveSelection without =
                            table.select(operation, false, ranks, bytes, _ -> true);
                    assertThat(operation.algorithms()).contains(without.algorithm());
                    assertThat(without.algorithm()).isNotEqualTo(CollectiveAlgorithm.MULTICAST);
                    assertThat(without.reason()).doesNotContain("no row");
                    CollectiveSelection limited =
                            table.select(operation, true, ranks, bytes, it -> it != only);
                    assertThat(limited.algorithm() == only)
                            .as("%s is what is left when no line fits", only)
                            .isEqualTo(limited.reason().startsWith("no row"));
                }
            }
        }
    }

    @Test
    void aUsersLineCountsBeforeOurs() throws IOException {
        Path file = directory.resolve("mine.table");
        Files.writeString(file, "allreduce any 4 1KiB- ring  as I say\nyes any any chain  so\n");
        SelectionTable table = SelectionTables.of(with(file));
        CollectiveOperation allreduce = CollectiveOperation.ALLREDUCE;
        assertThat(table.select(allreduce, false, 4, 1024, _ -> true))
                .isEqualTo(new CollectiveSelection(CollectiveAlgorithm.RING, "as I say"));
        assertThat(table.select(allreduce, false, 4, 1023, _ -> true).algorithm())
                .isEqualTo(CollectiveAlgorithm.DOUBLING);
        assertThat(table.select(allreduce, false, 5, 1024, _ -> true).algorithm())
                .isEqualTo(CollectiveAlgorithm.DOUBLING);
    }

    /** Otherwise each would wait for what the other's algorithm does not send. */
    @Test
    void ranksWithDifferentLinesForCollectivesDoNotJoin() throws IOException {
        Path ring =
                Files.writeString(
                        directory.resolve("ring.table"), "allreduce any any any ring a\n");
        Path halving =
                Files.writeString(
                        directory.resolve("halving.table"), "allreduce any any any halving a\n");
        AtomicInteger next = new AtomicInteger();
        assertThatThrownBy(() ->
                        onEveryRank(
                                2,
                                config ->
                                        config.parameters(
                                                BroadcastParameters.builder()
                                                        .deathTimeout(Duration.ofMillis(300))
                                                        .selectionFile(
                                                                next.getAndIncrement() == 0
                                                                        ? ring
                                                                        : halving)
                                                        .build()),
                                Communicator::rank))
                .rootCause()
                .isInstanceOf(JoinFailedException.class)
                .hasMessageContaining(
                        "Or have they another selection table than this rank, which read " + ring);
    }

    @Test
    void reasonsAndLinesForBroadcastsMayDiffer() throws IOException {
        Path one = Files.writeString(directory.resolve("one.table"), "gather any 4 any tree so\n");
        Path other =
                Files.writeString(
                        directory.resolve("other.table"),
                        "any any any chain mine\ngather any 4 any tree because\n");
        long digest = SelectionTables.of(with(one)).digest();
        assertThat(digest).isEqualTo(SelectionTables.of(with(other)).digest()).isNotZero();
        assertThat(SelectionTables.of(BroadcastParameters.defaults()).digest()).isZero();
    }

    /** In one run each operation has its first algorithm, in the next its second, and so on. */
    @ParameterizedTest
    @CsvSource({
        "1, 1", "1, 3", "1, 5", "1, 8", "2, 1", "2, 2", "2, 5", "2, 8", "3, 2", "3, 3", "3, 8",
        "4, 3", "4, 4", "4, 6"
    })
    void eachAlgorithmDoesWhatItsOperationPromises(int place, int ranks) throws Exception {
        BroadcastParameters parameters = with(table(place));
        AtomicInteger entered = new AtomicInteger();
        onEveryRank(
                ranks,
                config -> config.parameters(parameters),
                world -> {
                    for (CollectiveOperation each : CollectiveOperation.values()) {
                        assertThat(world.selection(each, 5000).algorithm())
                                .isEqualTo(algorithm(each, place));
                    }
                    for (int bytes : new int[] {0, 1, 1000, 50_000}) {
                        LoopbackSchedulesTest.movesBytes(world, bytes);
                        LoopbackSchedulesTest.reduces(world, bytes);
                    }
                    passesBarriers(world, entered);
                    return 0;
                });
    }

    private static void passesBarriers(Communicator world, AtomicInteger entered) {
        for (int run = 1; run <= 3; run++) {
            entered.incrementAndGet();
            switch (run) {
                case 1 -> world.barrier();
                case 2 -> world.ibarrier().join();
                default -> world.barrierInit().run();
            }
            assertThat(entered).hasValueGreaterThanOrEqualTo(run * world.size());
            world.barrier();
        }
    }

    private static CollectiveAlgorithm algorithm(CollectiveOperation operation, int place) {
        List<CollectiveAlgorithm> algorithms = operation.algorithms();
        return algorithms.get(Math.min(place, algorithms.size()) - 1);
    }

    private Path table(int place) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (CollectiveOperation each : CollectiveOperation.values()) {
            CollectiveAlgorithm algorithm = algorithm(each, place);
            String multicast = algorithm == CollectiveAlgorithm.MULTICAST ? "yes" : "any";
            lines.append(each.label() + " " + multicast + " any any " + algorithm.label())
                    .append(" for the test\n");
        }
        return Files.writeString(directory.resolve("all.table"), lines);
    }
}
