package org.madcast.client.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No path escapes the destination. */
class DestinationTest {

    @TempDir private Path directory = Path.of("");
    private Path root = Path.of("");

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(directory.resolve("root")).toRealPath();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/etc/passwd",
                "..",
                "../x",
                "a/../../x",
                "a/..",
                "a//b",
                "a/",
                "./a",
                "a/./b",
                ".madcast-x.part",
                "a/.madcast-x.part",
                "nul\0byte"
            })
    void hostileNamesAreRefused(String path) {
        assertThatThrownBy(() -> new Destination(root).prepare(path))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not allowed");
        assertThat(directory.toFile().list()).containsExactly("root");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..a", "a..", "...", "a b", "ä", "-rf", "a\\b", ".hidden/x"})
    void harmlessNamesAreNot(String path) throws IOException {
        assertThat(new Destination(root).prepare(path)).isEqualTo(root.resolve(path));
    }

    @Test
    void aLinkIsNoDirectory() throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.createSymbolicLink(root.resolve("link"), outside);
        Destination destination = new Destination(root);
        assertThatThrownBy(() -> destination.prepare("link/x"))
                .hasMessageContaining("is not a directory");
        assertThatThrownBy(() -> destination.findDirectory("link/x"))
                .hasMessageContaining("is not a directory");
        assertThatThrownBy(() -> destination.prepare("link/y/x"))
                .hasMessageContaining("is not a directory");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void directoriesAreMadeOnlyToBePrepared() throws IOException {
        Destination destination = new Destination(root);
        assertThat(destination.findDirectory("a/b/c")).isNull();
        assertThat(root).isEmptyDirectory();
        assertThat(destination.prepare("a/b/c")).isEqualTo(root.resolve("a/b/c"));
        assertThat(root.resolve("a/b")).isDirectory();
        assertThat(destination.findDirectory("a/b/c")).isEqualTo(root.resolve("a/b"));
    }

    @ParameterizedTest
    @CsvSource({
        "link, file, true",
        "link, a/b, true",
        "a/link, ../file, true",
        "a/link, ../../file, false",
        "link, .., false",
        "link, /etc/passwd, false",
        "link, '', false",
        "a/b/link, ../../x/y, true",
        "a/b/link, .././..//x, true",
        "a/link, ../../root/x, false",
        "link, a/.., false",
        "link, a/../b, false",
        "a/b/link, ../../x/../y, false"
    })
    void aLinkMayLeadToPlacesBelowOnly(String path, String target, boolean allowed) {
        assertThat(Destination.staysBelow(path, target)).isEqualTo(allowed);
    }
}
