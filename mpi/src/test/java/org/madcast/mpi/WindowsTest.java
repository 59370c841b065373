package org.madcast.mpi;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.Windows;

/** One-sided communication between real ranks. */
final class WindowsTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void accessesAndSynchronisations(int ranks) {
        Job.of(Windows.class).passes(ranks);
    }
}
