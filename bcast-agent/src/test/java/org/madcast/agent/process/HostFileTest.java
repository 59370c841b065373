package org.madcast.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms of host lists that other launchers read. */
class HostFileTest {

    @TempDir private Path directory = Path.of("");

    private List<String> hosts(String text) throws IOException {
        return HostFile.read(Files.writeString(directory.resolve("hosts"), text));
    }

    @Test
    void everyFormIsRead() throws IOException {
        assertThat(hosts("# all\n\nn1\nn2:2 # MPJ\nn3 slots=2\nn4 slots = 1 max_slots=4\n"))
                .containsExactly("n1", "n2", "n2", "n3", "n3", "n4");
        assertThat(hosts("user@n1:2\r\nfd00::1\n"))
                .containsExactly("user@n1", "user@n1", "fd00::1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# none\n", "n1 slots=0", "n1:0", "n1:x", "n1 n2", "n1 slots=2 n2"})
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> hosts(text)).isInstanceOf(IOException.class);
    }
}
