package org.madcast.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.madcast.mpi.programs.Connected;
import org.madcast.mpi.programs.Spawned;

/** Processes that are started by others, and jobs that connect. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DynamicProcessesTest {

    private static String name() {
        return "test " + ProcessHandle.current().pid() + "/" + System.nanoTime();
    }

    @Test
    void parentsAndChildren() {
        Job.of(Spawned.class).passes(3);
    }

    @Test
    void aProcessThatNoLauncherStartedSpawnsToo() {
        Job.of(Spawned.class).alone().passes(1);
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

    @ParameterizedTest
    @CsvSource({"1, 2", "3, 1"})
    void jobsConnect(int accepting, int connecting) {
        String name = name();
        CompletableFuture<Void> accept =
                CompletableFuture.runAsync(() ->
                        Job.of(Connected.class, "accept", name).passes(accepting));
        Job.of(Connected.class, "connect", name).passes(connecting);
        accept.join();
    }

    @Test
    void wrongPortsAndNames() {
        Job.of(Connected.class, "wrong", name()).passes(2);
    }
}
