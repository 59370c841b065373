package org.madcast.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent writes below what it allows, and nowhere else. */
class AllowedDirectoriesTest {

    @TempDir private Path directory = Path.of("");
    private Path allowed = Path.of("");
    private Path outside = Path.of("");

    @BeforeEach
    void make() throws IOException {
        Path real = directory.toRealPath();
        allowed = Files.createDirectory(real.resolve("allowed"));
        outside = Files.createDirectory(real.resolve("allowed-not"));
    }

    private Path resolve(String wanted) throws IOException {
        return AllowedDirectories.of(List.of(allowed)).resolve(wanted);
    }

    private void assertRefused(String wanted) {
        assertThatThrownBy(() -> resolve(wanted)).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsBelowIsAllowedWhetherItIsThereOrNot() throws IOException {
        assertThat(resolve(allowed.toString())).isEqualTo(allowed);
        assertThat(resolve(allowed + "/new/deep")).isEqualTo(allowed.resolve("new/deep"));
        Files.createSymbolicLink(outside.resolve("in"), allowed);
        assertThat(resolve(outside + "/in/x")).isEqualTo(allowed.resolve("x"));
    }

    @Test
    void whatIsElsewhereIsNot() throws IOException {
        assertRefused(outside.toString());
        assertRefused(allowed + "/../allowed-not");
        assertRefused(allowed + "/x/../../allowed-not");
        assertRefused("relative");
        assertRefused("/");
        assertRefused("");
        assertRefused("nul\0");
        Files.createSymbolicLink(allowed.resolve("out"), outside);
        assertRefused(allowed + "/out");
        assertRefused(allowed + "/out/x");
        Files.createSymbolicLink(allowed.resolve("dangling"), outside.resolve("none"));
        assertRefused(allowed + "/dangling");
        assertRefused(allowed + "/dangling/x");
    }

    @Test
    void whatIsMissingCannotBeAllowed() {
        assertThatThrownBy(() -> AllowedDirectories.of(List.of(allowed.resolve("none"))))
                .isInstanceOf(IOException.class);
    }
}
