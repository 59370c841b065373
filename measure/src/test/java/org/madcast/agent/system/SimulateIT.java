package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;

/** {@code madcast simulate} as a process. */
class SimulateIT {

    @TempDir private Path directory;

    /** The second size takes its time; what was done before it is printed. */
    @Test
    void interruptedItPrintsWhatIsDone() throws Exception {
        Path run = Files.createDirectory(directory.resolve("run"));
        try (Program simulate =
                Program.start(
                        run,
                        "simulate",
                        "--ranks",
                        "512",
                        "--window",
                        "64",
                        "--sizes",
                        "4KiB,64MiB",
                        "--algorithms",
                        "once")) {
            simulate.await("the first row", () -> simulate.err().contains("once, 4 KiB"));
            simulate.interrupt();
            assertThat(simulate.await()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(simulate.err()).contains("interrupted; this is done so far");
            assertThat(simulate.out()).contains("4 KiB  once").contains("simulated: 512 ranks");
            assertThat(simulate.out()).doesNotContain("64 MiB");
            simulate.assertNothingIsLeft();
        }
    }
}
