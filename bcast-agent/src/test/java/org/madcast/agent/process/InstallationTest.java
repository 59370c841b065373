package org.madcast.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of an installation is used. */
class InstallationTest {

    private final @Nullable String before = System.getProperty(Installation.HOME_PROPERTY);

    @TempDir private Path home = Path.of("");

    @BeforeEach
    void install() throws IOException {
        System.setProperty(Installation.HOME_PROPERTY, home.toString());
        write("mpi.jar", 2000);
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(Installation.HOME_PROPERTY);
        } else {
            System.setProperty(Installation.HOME_PROPERTY, before);
        }
    }

    private void write(String name, long second) throws IOException {
        Path file = Files.writeString(home.resolve(name), "");
        Files.setLastModifiedTime(file, FileTime.fromMillis(second * 1000));
    }

    /** The JVM would take classes of the old archive for those of the new one. */
    @Test
    void aStartRecordedOfAnOlderArchiveIsNotUsed() throws IOException {
        assertThat(Installation.recorded("rank.aot")).isEmpty();
        write("rank.aot", 3000);
        assertThat(Installation.recorded("rank.aot"))
                .contains("-XX:AOTCache=" + home.resolve("rank.aot"));
        write("rank.aot", 1000);
        assertThat(Installation.recorded("rank.aot")).isEmpty();
    }

    @Test
    void theArchiveOfTheMpiApisIsFound() {
        assertThat(Installation.mpiJar()).contains(home.resolve("mpi.jar"));
        System.clearProperty(Installation.HOME_PROPERTY);
        assertThat(Installation.mpiJar()).isEmpty();
    }
}
