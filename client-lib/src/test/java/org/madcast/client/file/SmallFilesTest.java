package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files made by the system's own calls are as the JDK would have made them. */
@EnabledOnOs(
        value = OS.LINUX,
        architectures = {"amd64", "aarch64"})
class SmallFilesTest {

    private static final long TIME_NS = 1_234_567_890_123_456_789L;

    @TempDir private Path directory = Path.of("");
    private SmallFiles small;

    @BeforeEach
    void open() {
        small = SmallFiles.create().orElseThrow();
    }

    @AfterEach
    void close() {
        small.close();
    }

    private boolean write(Path where, String name, String content, int mode) {
        byte[] bytes = (content + " and more").getBytes(StandardCharsets.UTF_8);
        return small.write(where, name, bytes, content.length(), mode, TIME_NS);
    }

    @Test
    void aFileHasItsContentPermissionsAndTime() throws IOException {
        for (int mode : new int[] {0644, 0600, 0777, 0400, 0666}) {
            String name = "f" + Integer.toOctalString(mode);
            assertThat(write(directory, name, "content", mode)).isTrue();
            Path file = directory.resolve(name);
            assertThat(file).hasContent("content");
            assertThat(Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS)).isEqualTo(TIME_NS);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo(PosixFilePermissions.toString(Permissions.of(mode)));
        }
        assertThat(write(directory, "empty", "", 0644)).isTrue();
        assertThat(directory.resolve("empty")).isEmptyFile();
    }

    @Test
    void filesOfSeveralDirectoriesTakeTurns() throws IOException {
        Path other = Files.createDirectory(directory.resolve("other"));
        for (int i = 0; i < 4; i++) {
            Path where = i % 2 == 0 ? directory : other;
            assertThat(write(where, "part" + i, "content " + i, 0644)).isTrue();
            assertThat(small.rename(where, "part" + i, "file" + i)).isTrue();
            assertThat(where.resolve("file" + i)).hasContent("content " + i);
            assertThat(where.resolve("part" + i)).doesNotExist();
        }
        assertThat(write(directory, "again", "new", 0644)).isTrue();
        assertThat(small.rename(directory, "again", "file0")).isTrue();
        assertThat(directory.resolve("file0")).hasContent("new");
    }

    @Test
    void whatCannotBeDoneIsLeftAlone() throws IOException {
        Files.writeString(directory.resolve("there"), "old");
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("elsewhere"));
        assertThat(write(directory, "there", "new", 0644)).isFalse();
        assertThat(write(directory, "link", "new", 0644)).isFalse();
        assertThat(write(directory, "a/b", "new", 0644)).isFalse();
        assertThat(write(directory, "\u00e4", "new", 0644)).isFalse();
        assertThat(write(directory.resolve("nowhere"), "x", "new", 0644)).isFalse();
        assertThat(write(directory, "x".repeat(2000), "new", 0644)).isFalse();
        assertThat(small.rename(directory, "nothing", "x")).isFalse();
        Files.createDirectories(directory.resolve("full").resolve("inner"));
        assertThat(small.rename(directory, "there", "full")).isFalse();
        assertThat(directory.resolve("there")).hasContent("old");
        assertThat(directory.resolve("elsewhere")).doesNotExist();
        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(3);
        }
    }
}
