package org.madcast.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The setting is read as the kernel writes it. */
class CongestionControlTest {

    @TempDir private Path directory = Path.of("");

    @Test
    void itIsTheFilesLine() throws Exception {
        Path setting = Files.writeString(directory.resolve("setting"), "bbr\n");
        assertThat(CongestionControl.read(setting)).isEqualTo("bbr");
    }

    @Test
    void itIsUnknownWhereTheFileCannotBeRead() {
        assertThat(CongestionControl.read(directory.resolve("none"))).isEmpty();
        assertThat(CongestionControl.read(directory)).isEmpty();
    }
}
