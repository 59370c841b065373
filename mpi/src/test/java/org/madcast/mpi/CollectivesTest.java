package org.madcast.mpi;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.MpiJavaCollectives;
import org.madcast.mpi.programs.OpenMpiCollectives;

/** Collective calls. */
final class CollectivesTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void openMpi(int ranks) {
        Job.of(OpenMpiCollectives.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void openMpiWithOtherNumbersOfRanks(int ranks) {
        openMpi(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void mpiJava(int ranks) {
        Job.of(MpiJavaCollectives.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void mpiJavaWithOtherNumbersOfRanks(int ranks) {
        mpiJava(ranks);
    }
}
