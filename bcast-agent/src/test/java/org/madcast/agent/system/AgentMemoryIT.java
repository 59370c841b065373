package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;
import org.madcast.agent.node.NodeToken;

/** How much memory an agent keeps that waits, with the JVM's options that are packaged. */
class AgentMemoryIT {

    /** Of the design. */
    private static final long MOST_BYTES = 100_000_000;

    private static final int PUSHES = 12;

    @TempDir private Path directory = Path.of("");

    @Tag("slow")
    @Test
    void whatPushesNeededIsGivenBack() throws Exception {
        Path token = directory.resolve("token");
        NodeToken.make(token);
        Path allowed = Files.createDirectory(directory.resolve("allowed"));
        Path source = Files.write(directory.resolve("pushed"), new byte[5_000]);
        String address = "127.0.0.1:" + Program.freePort();
        try (Program agent =
                Program.startInstalled(
                        Files.createDirectory(directory.resolve("agent")),
                        Files.createDirectory(directory.resolve("installed")),
                        "agent",
                        "--token-file",
                        token.toString(),
                        "--listen",
                        address,
                        "--http",
                        "off",
                        "--interface",
                        "lo",
                        "--allow",
                        allowed.toString())) {
            agent.awaitSaid("MA-004");
            for (int i = 0; i < PUSHES; i++) {
                push(i, token, source, address + ":" + allowed);
            }
            long busy = agent.residentBytes();
            agent.await(
                    "less than %,d bytes resident, of %,d after the last push"
                            .formatted(MOST_BYTES, busy),
                    Duration.ofSeconds(30),
                    () -> agent.residentBytes() < MOST_BYTES);
            assertThat(agent.isAlive()).isTrue();
        }
    }

    private void push(int number, Path token, Path source, String destination) throws Exception {
        Path own = Files.createDirectory(directory.resolve("push" + number));
        try (Program push =
                Program.start(
                        own,
                        "push",
                        "--token-file",
                        token.toString(),
                        "--interface",
                        "lo",
                        source.toString(),
                        destination)) {
            assertThat(push.await()).as(push.err()).isEqualTo(ExitCode.OK.code());
        }
    }
}
