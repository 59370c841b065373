package org.madcast.mpi;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.mpi.programs.FileAccesses;

/** Files, between real ranks. */
final class FilesTest {

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(ints = {4})
    void accessesViewsAndPointers(int ranks) {
        Job.of(FileAccesses.class, directory.toString()).passes(ranks);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void accessesViewsAndPointersWithOtherNumbersOfRanks(int ranks) {
        accessesViewsAndPointers(ranks);
    }
}
