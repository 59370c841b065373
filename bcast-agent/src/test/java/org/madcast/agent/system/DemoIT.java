package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.madcast.agent.ExitCode;

/** {@code madcast demo} as a user runs it: real processes, a real service, real multicast. */
class DemoIT {

    @TempDir private Path directory = Path.of("");

    private Path file(int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return Files.write(directory.resolve("file of " + bytes), content);
    }

    private Program demo(String... options) throws IOException {
        return Program.start(Files.createDirectory(directory.resolve("run")), options);
    }

    private static String port() throws IOException {
        return Integer.toString(Program.freePort());
    }

    @Test
    void lossInTheLabIsRepairedAndNothingIsLeft() throws Exception {
        NeedsLab.assumeAvailable();
        String file = file(2 << 20).toString();
        try (Program demo =
                demo("demo", "--ranks", "4", "--loss", "1", "--json", "--port", port(), file)) {
            int code = demo.await();
            assertThat(code).as(demo.err()).isEqualTo(ExitCode.OK.code());
            JsonObject result = demo.json();
            assertThat(result.getBoolean("checksumsAgree")).isTrue();
            assertThat(result.getString("groupSource")).isEqualTo("LEASED");
            assertThat(result.getString("scope")).startsWith("239.192.");
            assertThat(result.getBoolean("leaseReleased")).isTrue();
            assertThat(result.getLong("bytes")).isEqualTo(2 << 20);
            assertThat(total(result, "fragmentsLost")).isPositive();
            assertThat(total(result, "repairsReceived")).isPositive();
            demo.assertNothingIsLeft();
        }
    }

    private static long total(JsonObject result, String field) {
        return IntStream.range(0, result.getArray("ranks").size())
                .mapToLong(rank -> result.getArray("ranks").getObject(rank).getLong(field))
                .sum();
    }

    @Test
    void withoutRootRightsItUsesTheLoopbackInterfaceAndSaysSo() throws Exception {
        Path run = Files.createDirectory(directory.resolve("run"));
        String file = file(0).toString();
        try (Program demo =
                Program.startUnprivileged(run, "demo", "--ranks", "2", "--port", port(), file)) {
            int code = demo.await();
            assertThat(code).as(demo.err()).isEqualTo(ExitCode.OK.code());
            assertThat(demo.err()).contains("no lab here").contains("loopback interface");
            assertThat(demo.out())
                    .contains("0 B to 2 ranks")
                    .contains("all checksums agree")
                    .contains("lease released")
                    .contains("dashboard");
            assertThat(demo.out().lines()).allMatch(line -> line.length() <= 80 || !fixed(line));
            demo.assertNothingIsLeft();
        }
    }

    /** Whether a line's length is ours to decide, not that of the file's name. */
    private static boolean fixed(String line) {
        return !line.startsWith("file ");
    }

    @Test
    void interruptedItLeavesNothing() throws Exception {
        interruptedAtAnyMomentItLeavesNothing("ok allocation service");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"", "ranks met"})
    void interruptedAtAnyMomentItLeavesNothing(String moment) throws Exception {
        try (Program demo =
                demo("demo", "--ranks", "4", "--port", port(), file(1 << 25).toString())) {
            if (moment.isEmpty()) {
                demo.await("a database", () -> !demo.descendants("postgres").isEmpty());
            } else {
                demo.awaitSaid(moment);
            }
            demo.interrupt();
            assertThat(demo.await()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(demo.err()).contains("madcast: interrupted, cleaning up");
            demo.assertNothingIsLeft();
        }
    }

    @Tag("slow")
    @Test
    void theRanksFinishWhenTheServiceDies() throws Exception {
        try (Program demo =
                demo(
                        "demo",
                        "--ranks",
                        "3",
                        "--rate",
                        "20mbit",
                        "--port",
                        port(),
                        file(1 << 22).toString())) {
            demo.awaitSaid("ranks met");
            demo.descendants("allocator-service").forEach(ProcessHandle::destroyForcibly);
            assertThat(demo.await()).as(demo.err()).isEqualTo(ExitCode.SERVICE.code());
            assertThat(demo.out()).contains("all checksums agree");
            assertThat(demo.err().lines().filter(line -> line.startsWith("madcast: ")))
                    .singleElement()
                    .asString()
                    .contains("lease could not be released")
                    .containsPattern("expires at \\d{4}-\\d\\d-\\d\\dT");
            demo.assertNothingIsLeft();
        }
    }

    @Test
    void aPortInUseIsNamedWithItsHolder() throws Exception {
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Program demo = demo("demo", "--port", Integer.toString(holder.getLocalPort()))) {
            assertThat(demo.await()).isEqualTo(ExitCode.PORT_IN_USE.code());
            assertThat(demo.err().lines())
                    .singleElement()
                    .asString()
                    .contains("port " + holder.getLocalPort())
                    .contains("pid " + ProcessHandle.current().pid())
                    .contains("--port");
            demo.assertNothingIsLeft();
        }
    }
}
