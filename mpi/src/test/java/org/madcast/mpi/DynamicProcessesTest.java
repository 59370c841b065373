package org.madcast.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.Connected;
import org.madcast.mpi.programs.Spawned;

/** Processes that are started by others, and jobs that connect. */
@Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DynamicProcessesTest {

    private static String name() {
        return "test " + ProcessHandle.current().pid() + "/" + System.nanoTime();
    }

    @Test
    void parentsAndChildren() {
        Job.of(Spawned.class, "parents").passes(2);
    }

    /** Nor is there a hint about processors, which the user of {@code spawn} cannot follow. */
    @Test
    void manyChildrenPrintNothingOfTheirOwn() {
        for (Job.Rank rank : Job.of(Spawned.class, "parents").run(3)) {
            assertThat(rank.exitCode()).as("%s", rank).isZero();
            assertThat(rank.errors()).isEmpty();
        }
    }

    @Test
    void aProcessThatNoLauncherStartedSpawnsToo() {
        Job.of(Spawned.class, "several").alone().passes(1);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void everything(int ranks) {
        Job.of(Spawned.class, "parents").within(300).passes(ranks);
        Job.of(Spawned.class, "grandparents").within(300).passes(ranks);
        Job.of(Spawned.class, "several").within(300).passes(ranks);
        Job.of(Spawned.class, "wrong").within(300).passes(ranks);
    }

    @Test
    void childrenEndWithTheirParents() {
        List<Job.Rank> ended = Job.of(Spawned.class, "deserting").run(1);
        assertThat(ended.getFirst().exitCode()).isEqualTo(9);
        assertThat(ended.getFirst().output()).isEqualTo("deserted\n");
        assertThat(ended.getFirst().errors())
                .contains("madcast: spawned rank 0 ends: a process that spawned it is gone")
                .contains("madcast: spawned rank 1 ends: a process that spawned it is gone");
    }

    @Test
    void jobsConnect() {
        connect(2, 1);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "3, 2"})
    void jobsOfOtherSizesConnect(int accepting, int connecting) {
        connect(accepting, connecting);
    }

    private static void connect(int accepting, int connecting) {
        String name = name();
        CompletableFuture<Void> accept =
                CompletableFuture.runAsync(
                        () -> Job.of(Connected.class, "accept", name).passes(accepting));
        Job.of(Connected.class, "connect", name).passes(connecting);
        accept.join();
    }

    @Test
    void wrongPortsAndNames() {
        Job.of(Connected.class, "wrong", name()).passes(2);
    }
}
