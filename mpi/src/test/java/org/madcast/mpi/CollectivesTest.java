package org.madcast.mpi;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.MpiJavaCollectives;
import org.madcast.mpi.programs.OpenMpiCollectives;
import org.madcast.mpi.programs.Truncation;

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

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void truncation(int ranks) {
        Job.of(Truncation.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void mpiJavaWithOtherNumbersOfRanks(int ranks) {
        mpiJava(ranks);
    }
}
