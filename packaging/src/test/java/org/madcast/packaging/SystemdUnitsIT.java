package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units and the layout that packaging/systemd/install makes, below a directory. */
class SystemdUnitsIT {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Pattern EXEC_START =
            Pattern.compile("^ExecStart=((?:.*\\\\\\n)*.*)$", Pattern.MULTILINE);

    @TempDir static Path destination;

    private final Program program = new Program();

    @BeforeAll
    static void install() throws Exception {
        String script = Project.path("packaging/systemd/install").toString();
        new Program().run(MINUTE, script, "--destdir", destination.toString()).orFail();
    }

    @ParameterizedTest
    @ValueSource(strings = {"madcast-service", "madcast-agent"})
    void systemdFindsNothingWrong(String name) throws Exception {
        assertThat(verify(name, "").text()).isBlank();
        assertThat(verify(name, "").code()).isZero();
    }

    @Test
    void systemdWouldFindAMisspeltDirective() throws Exception {
        assertThat(verify("madcast-agent", "[Service]\nProtectHmoe=yes\n").text())
                .contains("ProtectHmoe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"madcast-service", "madcast-agent"})
    void unitsAreHardened(String name) throws Exception {
        assumeTrue(Program.exists("systemd-analyze"), "no systemd-analyze");
        // In tenths; systemd calls up to 2.0 "OK", a unit without directives has 9.6.
        program.run(
                        MINUTE,
                        "systemd-analyze",
                        "security",
                        "--offline=true",
                        "--threshold=20",
                        unit(name).toString())
                .orFail();
    }

    @Test
    void theInstalledCommandLineRuns() throws Exception {
        String version =
                program.with("MADCAST_LIB", destination + "/usr/lib/madcast")
                        .run(MINUTE, destination + "/usr/bin/madcast", "--version")
                        .orFail();
        assertThat(version).startsWith("madcast ");
    }

    /** In this mode the JVM does not start with a record that does not fit. */
    @Test
    void theInstalledAgentStartsFromItsRecord(@TempDir Path state) throws Exception {
        Path record = destination.resolve("usr/lib/madcast/agent.aot");
        program.with("MADCAST_LIB", destination + "/usr/lib/madcast");
        program.run(MINUTE, destination + "/usr/lib/madcast/bin/record-start").orFail();
        program.with("MADCAST_JAVA_OPTIONS", "-XX:AOTMode=on");
        program.run(MINUTE, makingToken(state.resolve("token"))).orFail();
        assertThat(state.resolve("token")).exists();

        Files.write(record, new byte[100]);
        assertThat(program.run(MINUTE, makingToken(state.resolve("other"))).code()).isNotZero();
        program.with("MADCAST_JAVA_OPTIONS", "");
        program.run(MINUTE, makingToken(state.resolve("other"))).orFail();
        Files.delete(record);
    }

    /** A compiled program and a source file: each has a record of its own. */
    @Test
    void theInstalledRanksStartFromTheirRecords(@TempDir Path directory) throws Exception {
        program.with("MADCAST_LIB", destination + "/usr/lib/madcast");
        program.run(MINUTE, destination + "/usr/lib/madcast/bin/record-start").orFail();
        Path source =
                Files.writeString(
                        directory.resolve("Alone.java"),
                        """
                        public class Alone {
                            public static void main(String[] arguments) {
                                org.madcast.client.Communicator.fromEnvironment().close();
                            }
                        }
                        """);
        Path log = directory.resolve("log");
        rank("javac", "-d", directory.toString(), source.toString());
        program.with("CLASSPATH", directory.toString());
        for (String what : List.of("Alone", source.toString())) {
            rank("java", "-Xlog:class+load:file=" + log, what);
            assertThat(Files.readString(log))
                    .as(what)
                    .containsPattern("madcast.client.Communicator source: shared objects file");
        }
    }

    private void rank(String... command) throws Exception {
        List<String> all = new ArrayList<>();
        all.addAll(List.of(destination + "/usr/bin/madcast", "run", "-n", "1", "--"));
        all.addAll(List.of(command));
        program.run(MINUTE, all.toArray(String[]::new)).orFail();
    }

    private static String[] makingToken(Path file) {
        return new String[] {
            destination + "/usr/bin/madcast",
            "agent",
            "--make-token",
            "--token-file",
            file.toString()
        };
    }

    @Test
    void aSecondInstallationKeepsTheOperatorsConfiguration() throws Exception {
        Path configuration = destination.resolve("etc/madcast/service.yaml");
        Files.writeString(configuration, "server.port: 9000\n");
        install();
        assertThat(configuration).hasContent("server.port: 9000");
    }

    @Test
    @Tag("slow")
    void theServiceRunsAsTheUnitSaysAndStopsInTime(@TempDir Path state) throws Exception {
        int port = FreePorts.next();
        Path output = state.resolve("output");
        Process process = new Program().start(output, execStart(state, port));
        try {
            Service service = new Service(port);
            Waiting.until("ready", Duration.ofMinutes(2), service::isReady);
            assertThat(service.lease("systemd").get("state").getAsString()).isEqualTo("ACTIVE");
            Path database = state.resolve("data/postgres/postmaster.pid");
            assertThat(database).exists();
            process.destroy();
            Duration stop = Waiting.until("end", Duration.ofSeconds(10), () -> !process.isAlive());
            assertThat(stop).isLessThan(Duration.ofSeconds(10));
            assertThat(process.exitValue()).isEqualTo(143);
            assertThat(database).doesNotExist();
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroyForcibly().waitFor();
        }
    }

    private static List<String> execStart(Path state, int port) {
        Matcher matcher = EXEC_START.matcher(Project.read(unit("madcast-service")));
        assertThat(matcher.find()).isTrue();
        List<String> command = new ArrayList<>();
        for (String word : matcher.group(1).replace("\\\n", " ").trim().split(" +", -1)) {
            if (word.startsWith("$")) {
                continue; // Without a value systemd passes nothing.
            }
            command.add(
                    word.replace("/usr/lib/madcast", destination + "/usr/lib/madcast")
                            .replace("/var/lib/madcast", state + "/data")
                            .replace("/etc/madcast", state + "/etc"));
        }
        command.add("--server.port=" + port);
        command.add("--madcast.access.from-loopback=job");
        return command;
    }

    /** Verifies a copy of the unit in which the programs are those of the destination. */
    private Program.Outcome verify(String name, String more) throws Exception {
        assumeTrue(Program.exists("systemd-analyze"), "no systemd-analyze");
        String text =
                Project.read(unit(name))
                        .replace("=/usr/lib/madcast", "=" + destination + "/usr/lib/madcast")
                        .replace("=/usr/bin", "=" + destination + "/usr/bin");
        Path copies = Files.createDirectories(destination.resolve("verify"));
        Path copy = Files.writeString(copies.resolve(name + ".service"), text + more);
        return program.run(MINUTE, "systemd-analyze", "verify", "--man=no", copy.toString());
    }

    private static Path unit(String name) {
        return destination.resolve("usr/lib/systemd/system/" + name + ".service");
    }
}
