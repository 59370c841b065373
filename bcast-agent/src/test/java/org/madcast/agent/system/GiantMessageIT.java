package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages far beyond the heap, between processes on loopback: the heap is 256 MB. */
class GiantMessageIT {

    private static final int RANKS = 2;
    private static final long LONGEST_MINUTES = 15;

    @TempDir private Path directory = Path.of("");
    private final List<Process> ranks = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process rank : ranks) {
            rank.destroyForcibly().waitFor();
        }
    }

    @Test
    void aMessageLargerThanTheHeapArrives() throws Exception {
        broadcast(384L << 20);
    }

    @Test
    @Tag("slow")
    void tenGigabytesArrive() throws Exception {
        broadcast(10_000_000_000L);
    }

    private void broadcast(long bytes) throws IOException, InterruptedException {
        int port = Program.freePort();
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(start(rank, port, bytes));
        }
        for (int rank = 0; rank < RANKS; rank++) {
            boolean ended = ranks.get(rank).waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
            String said = Files.readString(directory.resolve("said" + rank));
            assertThat(ended).as(said).isTrue();
            assertThat(ranks.get(rank).exitValue()).as(said).isZero();
            assertThat(said).contains("wrong at -1,");
        }
    }

    private Process start(int rank, int port, long bytes) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                GiantRank.class.getName(),
                                directory.resolve("message" + rank).toString(),
                                Long.toString(bytes))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("said" + rank).toFile());
        builder.environment()
                .putAll(
                        Map.of(
                                "MADCAST_RANK",
                                Integer.toString(rank),
                                "MADCAST_SIZE",
                                Integer.toString(RANKS),
                                "MADCAST_JOB_ID",
                                "giant-" + port,
                                "MADCAST_ROOT",
                                "127.0.0.1:" + port,
                                "MADCAST_INTERFACE",
                                "lo",
                                "MADCAST_MADCAP",
                                "off"));
        return builder.start();
    }
}
