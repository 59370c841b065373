package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What must be on the disk before files get their names. */
class CommitTest {

    @TempDir private Path directory = Path.of("");

    @Test
    @EnabledOnOs(OS.LINUX)
    void everyFileSystemThatHoldsOneOfTheDirectoriesIsMeant() throws IOException {
        Path below = Files.createDirectory(directory.resolve("below"));
        Path elsewhere = Path.of("/proc");
        assertThat(Commit.onePerFileSystem(List.of(directory, below, directory))).hasSize(1);
        assertThat(Commit.onePerFileSystem(List.of(directory, elsewhere, below)))
                .hasSize(2)
                .contains(elsewhere);
    }
}
