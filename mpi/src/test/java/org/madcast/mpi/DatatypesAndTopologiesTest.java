package org.madcast.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.BetweenGroups;
import org.madcast.mpi.programs.Datatypes;
import org.madcast.mpi.programs.FilteredObjects;
import org.madcast.mpi.programs.Operations;
import org.madcast.mpi.programs.Reordered;
import org.madcast.mpi.programs.Topologies;

/** Derived datatypes, and communicators whose ranks have neighbours. */
final class DatatypesAndTopologiesTest {

    @Test
    void datatypes() {
        Job.of(Datatypes.class).passes(1);
    }

    @Test
    void operations() {
        Job.of(Operations.class).passes(1);
    }

    @Test
    void objectsOfTheJdkThatAreNoValuesAreRefused() {
        Job.of(FilteredObjects.class, "java.util.UUID").passes(1);
    }

    @Test
    void theProcesssFilterDecidesFirst() {
        Job.of(FilteredObjects.class, "java.net.URL")
                .option("-Djdk.serialFilter=java.net.URL;!java.util.UUID")
                .passes(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {3})
    void betweenTwoGroups(int ranks) {
        Job.of(BetweenGroups.class).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void betweenTwoGroupsWithOtherNumbersOfRanks(int ranks) {
        betweenTwoGroups(ranks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void topologies(int ranks) {
        Job.of(Topologies.class).passes(ranks);
    }

    /** Four ranks on two switches. */
    @Test
    void ranksAreReorderedWhereTheSwitchesAreKnown(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("net.topology");
        Files.writeString(
                file,
                """
                switch s[0-1]
                cable  s0 s1 100mbit
                host   n[0-1] s0
                host   n[2-3] s1
                rank   0 n0
                rank   1 n2
                rank   2 n1
                rank   3 n3
                """);
        Job.of(Reordered.class).variable("MADCAST_TOPOLOGY", file.toString()).passes(4);
    }

    @Test
    void ranksKeepTheirOrderWhereTheSwitchesAreUnknown() {
        Job.of(Reordered.class, "unknown").passes(4);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 5})
    void topologiesWithOtherNumbersOfRanks(int ranks) {
        topologies(ranks);
    }
}
