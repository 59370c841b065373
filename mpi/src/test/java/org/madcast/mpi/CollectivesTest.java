package org.madcast.mpi;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.MpiJavaCollectives;
import org.madcast.mpi.programs.OpenMpiCollectives;

/** Collective calls. */
final class CollectivesTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void openMpi(int ranks) {
        Job.of(OpenMpiCollectives.class).passes(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void mpiJava(int ranks) {
        Job.of(MpiJavaCollectives.class).passes(ranks);
    }
}
