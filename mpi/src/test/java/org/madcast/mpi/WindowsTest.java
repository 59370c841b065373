package org.madcast.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.DeadLockHolder;
import org.madcast.mpi.programs.Windows;

/** One-sided communication between real ranks. */
final class WindowsTest {

    @Test
    void aDeadRanksLockIsGivenBack() {
        List<Job.Rank> ended = Job.of(DeadLockHolder.class).run(3);
        assertThat(ended.get(0).exitCode()).as("%s", ended.get(0)).isZero();
        assertThat(ended.get(2).exitCode()).as("%s", ended.get(2)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {4})
    void accessesAndSynchronisations(int ranks) {
        Job.of(Windows.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void accessesAndSynchronisationsWithOtherNumbersOfRanks(int ranks) {
        accessesAndSynchronisations(ranks);
    }
}
