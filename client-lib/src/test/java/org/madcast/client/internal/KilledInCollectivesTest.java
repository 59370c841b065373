package org.madcast.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.madcast.client.FreePort;

/**
 * One of four processes is killed in the middle of every kind of collective call: the others all
 * learn of it in time, each from each kind.
 */
@Tag("slow")
@Timeout(300)
class KilledInCollectivesTest {

    private static final int VICTIM = 2;
    private static final Duration DEATH_TIMEOUT = Duration.ofSeconds(3);

    /** What noticing and telling may take beyond the time after which silence counts as death. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    private static final List<Process> PROCESSES = new ArrayList<>();
    private static final Map<String, Ending> ENDINGS = new ConcurrentHashMap<>();
    private static volatile long killedNs;

    /** How a kind of call ended at a rank, and how long after the death. */
    private record Ending(String how, Duration after) {}

    @BeforeAll
    static void killOne() throws Exception {
        int port = FreePort.tcp();
        CountDownLatch running = new CountDownLatch(CollectivesRank.RANKS);
        List<Thread> readers = new ArrayList<>();
        for (int rank = 0; rank < CollectivesRank.RANKS; rank++) {
            int number = rank;
            Process process = start(rank, port);
            PROCESSES.add(process);
            readers.add(Thread.ofVirtual().start(() -> read(number, process, running)));
        }
        assertThat(running.await(60, TimeUnit.SECONDS)).as("all are running").isTrue();
        killedNs = System.nanoTime();
        Process _ = PROCESSES.get(VICTIM).destroyForcibly();
        for (Thread reader : readers) {
            assertThat(reader.join(DEATH_TIMEOUT.plus(SLACK).plus(SLACK)))
                    .as("%s", ENDINGS)
                    .isTrue();
        }
    }

    @AfterAll
    static void endAll() {
        PROCESSES.forEach(Process::destroyForcibly);
    }

    private static Process start(int rank, int port) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CollectivesRank.class.getName());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MADCAST_"));
        environment.put("MADCAST_JOB_ID", "killed-" + ProcessHandle.current().pid());
        environment.put("MADCAST_RANK", Integer.toString(rank));
        environment.put("MADCAST_SIZE", Integer.toString(CollectivesRank.RANKS));
        environment.put("MADCAST_ROOT", "127.0.0.1:" + port);
        environment.put("MADCAST_INTERFACE", "lo");
        environment.put("MADCAST_DEATH_TIMEOUT", DEATH_TIMEOUT.toMillis() + "ms");
        return builder.start();
    }

    private static void read(int rank, Process process, CountDownLatch running) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("running")) {
                    running.countDown();
                } else {
                    String[] words = line.split(" ", 2);
                    Duration after = Duration.ofNanos(System.nanoTime() - killedNs);
                    ENDINGS.put(words[0] + " at rank " + rank, new Ending(words[1], after));
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static Stream<String> kinds() {
        return Stream.concat(CollectivesRank.kinds().keySet().stream(), Stream.of("multicast"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everySurvivorIsToldWhoIsLost(String kind) {
        for (int rank = 0; rank < CollectivesRank.RANKS; rank++) {
            if (rank != VICTIM) {
                Ending ending =
                        ENDINGS.getOrDefault(
                                kind + " at rank " + rank, new Ending("nothing", Duration.ZERO));
                assertThat(ending.how())
                        .as("%s at rank %d", kind, rank)
                        .isEqualTo("RankLostException " + VICTIM);
                assertThat(ending.after()).isLessThan(DEATH_TIMEOUT.plus(SLACK));
            }
        }
    }
}
