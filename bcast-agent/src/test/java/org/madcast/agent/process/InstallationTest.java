package org.madcast.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
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

    /** The JVM would take recorded classes for those that the program brings. */
    @Test
    void aRecordedStartIsNotForAProgramThatBringsTheLibraryItself() throws IOException {
        write("rank.aot", 3000);
        String recorded = "-XX:AOTCache=" + home.resolve("rank.aot");
        String jar = home.resolve("mpi.jar").toString();
        for (String path : List.of("app", jar, jar + ":app")) {
            assertThat(RankJvm.addTo(List.of("java", "-cp", path, "Hello"), false, true))
                    .as(path)
                    .contains(recorded);
        }
        Path own = home.resolve("own");
        Files.createDirectories(own.resolve("org/madcast/client"));
        Files.createFile(own.resolve("org/madcast/client/Communicator.class"));
        for (String option : List.of("-cp", "-classpath", "--class-path")) {
            assertThat(
                            RankJvm.addTo(
                                    List.of("java", option, own + ":" + jar, "Hello"), false, true))
                    .as(option)
                    .doesNotContain(recorded);
        }
    }

    @Test
    void theArchiveOfTheMpiApisIsFound() {
        assertThat(Installation.mpiJar()).contains(home.resolve("mpi.jar"));
        System.clearProperty(Installation.HOME_PROPERTY);
        assertThat(Installation.mpiJar()).isEmpty();
    }
}
