package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manual page and the completion say what the help says, and the tools take them. */
class ManualTest {

    @TempDir private Path directory = Path.of("");

    private String run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("MANWIDTH", "80");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void theManualPageHasEveryCommandOptionAndExitCode() {
        Outcome page = Outcome.of("man");
        assertThat(page.code()).isZero();
        assertThat(page.out())
                .startsWith(".TH MADCAST 1")
                .contains(".SH MADCAST PUSH", ".SS madcast lease grant")
                .contains("\\fB\\-\\-drop\\-slow\\fR", "\\fB\\-\\-rate=RATE\\fR")
                .contains("a node did not get everything")
                .doesNotContain("${", "@|");
    }

    @Test
    void manReadsThePageWithoutComplaint() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")), "groff is not installed");
        Path page = write("madcast.1", Outcome.of("man").out());
        String text = run(List.of("groff", "-man", "-Tascii", "-ww", "-P-c", page.toString()));
        assertThat(text)
                .contains("Send files and trees to many nodes")
                .doesNotContain("warning", "error:");
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
        Path script = write("completion", Outcome.of("completion").out());
        assertThat(complete(script, "prob")).isEqualTo("probe");
        assertThat(complete(script, "push", "--drop")).isEqualTo("--drop-slow");
        assertThat(complete(script, "lease", "gr")).isEqualTo("grant");
        assertThat(complete(script, "push", "--mode", "o")).isEqualTo("overwrite");
    }

    /** Where there is nothing to complete, bash offers files, unless it was told not to. */
    @Test
    void bashOffersFilesAndProgramsWhereTheyAreArguments() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not installed");
        Path script = write("completion", Outcome.of("completion").out());
        assertThat(complete(script, "push", "/tmp/fi")).isEqualTo("files");
        assertThat(complete(script, "push", "--rate", "fi")).isEmpty();
        assertThat(complete(script, "run", "-n", "4", "--", "tru")).contains("true");
        assertThat(complete(script, "run", "-n", "4", "--", "cat", "--fi")).isEqualTo("files");
        assertThat(complete(script, "run", "fi")).isEmpty();
        assertThat(complete(script, "lab", "down", "fi")).isEmpty();
        assertThat(complete(script, "help", "fi")).isEmpty();
    }

    private String complete(Path script, String... words) throws Exception {
        String line =
                """
                source %s
                COMP_WORDS=(madcast %s)
                COMP_CWORD=%d
                files=files
                compopt() { [[ "$1 $2" == '-o default' ]] && files=files || files=; }
                _complete_madcast madcast
                echo "${COMPREPLY[*]:-$files}"
                """
                        .formatted(script, String.join(" ", words), words.length);
        return run(List.of("bash", "-c", line)).strip();
    }
}
