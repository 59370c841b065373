package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;

/** What commands that run until they are stopped say when they are. */
class StoppedIT {

    @TempDir private Path directory = Path.of("");

    /** A terminal's Ctrl-C reaches the ranks too, which may end before the command knows why. */
    @Test
    void aRunThatIsInterruptedBlamesNoRank() throws Exception {
        String rank = "trap 'exit 130' INT; echo up; while :; do sleep 0.05; done";
        try (Program run =
                Program.start(directory, "run", "-n", "2", "--prefix", "sh", "-c", rank)) {
            run.awaitSaid("[0] up");
            run.awaitSaid("[1] up");
            List<String> kill = new ArrayList<>(List.of("kill", "-INT"));
            run.descendants("trap").forEach(it -> kill.add(Long.toString(it.pid())));
            kill.add(Long.toString(run.pid()));
            assertThat(new ProcessBuilder(kill).start().waitFor()).isZero();
            assertThat(run.await()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(run.err().strip()).isEqualTo("madcast: interrupted");
        }
    }

    @Test
    void aServiceThatIsStoppedMissesNobody() throws Exception {
        String port = Integer.toString(Program.freePort());
        String data = directory.resolve("data").toString();
        try (Program serve =
                Program.start(directory, "serve", "--port", port, "--data-dir", data)) {
            serve.awaitSaid("Ready");
            serve.terminate();
            serve.await();
            assertThat(serve.out() + serve.err()).doesNotContain("is gone");
        }
    }
}
