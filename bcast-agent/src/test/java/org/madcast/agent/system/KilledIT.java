package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.madcast.agent.ExitCode;

/** What commands that start a service leave when they end without a chance to clean up. */
class KilledIT {

    @TempDir private Path directory = Path.of("");

    private Program start(String... arguments) throws IOException {
        // Without a lab, which the killed command would leave on purpose.
        return Program.startUnprivileged(
                Files.createDirectory(directory.resolve("run")), arguments);
    }

    @Tag("slow")
    @Test
    void theDemosServiceAndItsDatabaseEndWithIt() throws Exception {
        int port = Program.freePort();
        String file = Files.write(directory.resolve("file"), new byte[1 << 20]).toString();
        try (Program demo = start("demo", "--ranks", "2", "--port", Integer.toString(port), file)) {
            demo.awaitSaid("ok allocation service");
            killAndAssertAllEnds(demo, port);
        }
    }

    @Test
    void theServiceOfServeAndItsDatabaseEndWithIt() throws Exception {
        int port = Program.freePort();
        String data = directory.resolve("data").toString();
        try (Program serve = start("serve", "--port", Integer.toString(port), "--data-dir", data)) {
            serve.awaitSaid("Ready");
            killAndAssertAllEnds(serve, port);
        }
    }

    private static void killAndAssertAllEnds(Program command, int port) throws Exception {
        assertThat(command.descendants("allocator-service")).isNotEmpty();
        assertThat(command.descendants("postgres")).isNotEmpty();
        command.kill();
        command.await("everything has ended", () -> command.descendants("").isEmpty());
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
        }
    }

    @Tag("slow")
    @Test
    void aServiceThatIsKeptOutlivesTheDemo() throws Exception {
        String port = Integer.toString(Program.freePort());
        String file = Files.write(directory.resolve("file"), new byte[1000]).toString();
        try (Program demo =
                start("demo", "--ranks", "2", "--keep", "--json", "--port", port, file)) {
            assertThat(demo.await()).as(demo.err()).isEqualTo(ExitCode.OK.code());
            long pid = demo.json().getLong("servicePid");
            List<ProcessHandle> services = demo.descendants("allocator-service");
            assertThat(services).extracting(ProcessHandle::pid).containsExactly(pid);
            services.forEach(ProcessHandle::destroy);
            demo.await("the service ends", () -> demo.descendants("").isEmpty());
            assertThat(serviceLog()).contains("Ready").doesNotContain("is gone");
        }
    }

    private String serviceLog() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("run"))) {
            return Files.readString(
                    files.filter(it -> it.endsWith("service.log")).findAny().orElseThrow());
        }
    }
}
