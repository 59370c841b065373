package org.madcast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pushes between a sender and an agent in this process. */
@Timeout(300)
class PushOverLoopbackTest {

    private static final Pattern ADDRESS = Pattern.compile("\"address\":\"([^\"]*)\"");
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    @TempDir private Path directory = Path.of("");
    private Path token = Path.of("");
    private Path destination = Path.of("");
    private Path source = Path.of("");

    @BeforeEach
    void prepare() throws IOException {
        token = directory.resolve("token");
        destination = Files.createDirectory(directory.resolve("destination"));
        source = Files.writeString(directory.resolve("a.img"), "content");
        Outcome made = Outcome.of("agent", "--make-token", "--token-file", token.toString());
        assertThat(made.code()).isZero();
    }

    private Path key(String name, String digit) throws IOException {
        Path file = Files.writeString(directory.resolve(name), digit.repeat(64) + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** Starts an agent and returns where it listens. */
    private String agent(String... options) {
        StringWriter log = new StringWriter();
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "agent",
                                "--listen",
                                "127.0.0.1:0",
                                "--http",
                                "off",
                                "--no-rehearsal",
                                "--interface",
                                "lo",
                                "--token-file",
                                token.toString(),
                                "--allow",
                                destination.toString()));
        arguments.addAll(List.of(options));
        Thread _ =
                Thread.ofPlatform()
                        .daemon()
                        .start(() ->
                                Main.commandLine()
                                        .setErr(new PrintWriter(log, true))
                                        .execute(arguments.toArray(String[]::new)));
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < LONGEST_START.toNanos()) {
            Matcher started = ADDRESS.matcher(log.toString());
            if (started.find()) {
                return started.group(1);
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new AssertionError("the agent does not start: " + log);
    }

    private Outcome push(String agent, Path to, String... options) {
        return push(agent, to.toString(), options);
    }

    private Outcome push(String agent, String to, String... options) {
        List<String> arguments =
                new ArrayList<>(
                        List.of("push", "--interface", "lo", "--token-file", token.toString()));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(source.toString(), agent + ":" + to));
        return Outcome.of(arguments.toArray(String[]::new));
    }

    @Test
    void aFileGetsTheNameOfADestinationThatIsNoDirectory() throws Exception {
        String agent = agent();
        Outcome pushed = push(agent, destination.resolve("b.img"));
        assertThat(pushed.code()).as(pushed.err() + pushed.out()).isZero();
        assertThat(destination.resolve("b.img")).hasContent("content");

        Files.writeString(source, "changed");
        assertThat(push(agent, destination.resolve("b.img")).code()).isZero();
        assertThat(destination.resolve("b.img")).hasContent("changed");
        assertThat(destination.resolve("a.img")).doesNotExist();
    }

    @Test
    void aFileGoesBelowADirectoryAndBelowANameThatEndsInASlash() throws Exception {
        String agent = agent();
        assertThat(push(agent, destination).code()).isZero();
        assertThat(destination.resolve("a.img")).hasContent("content");
        assertThat(push(agent, destination + "/new/").code()).isZero();
        assertThat(destination.resolve("new/a.img")).hasContent("content");
    }

    @Test
    void aNewNameIsRefusedWhereTheDirectoryAboveItIsNotAllowed() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        Outcome refused = push(agent(), other.resolve("b.img"));
        assertThat(refused.code()).isEqualTo(ExitCode.NODE.code());
        assertThat(refused.out()).contains("not below a directory that the agent allows");
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void aPushIsSealedWithTheKeyThatBothHave() throws Exception {
        Path key = key("key", "a");
        String agent = agent("--key", key.toString());
        Outcome pushed = push(agent, destination, "--key", key.toString());
        assertThat(pushed.code()).as(pushed.err() + pushed.out()).isZero();
        assertThat(destination.resolve("a.img")).hasContent("content");
    }

    @Test
    void keysThatDifferAreRefusedWithTheReason() throws Exception {
        Path key = key("key", "a");
        String sealed = agent("--key", key.toString());
        String open = agent();
        assertThat(push(sealed, destination).out()).contains("takes sealed pushes only");
        assertThat(push(open, destination, "--key", key.toString()).out())
                .contains("this agent has no key");
        assertThat(push(sealed, destination, "--key", key("other", "b").toString()).out())
                .contains("this agent has another key");
        assertThat(destination).isEmptyDirectory();
    }

    @Test
    void aKeyThatEverybodyMayReadIsRefused() throws Exception {
        Path key = key("key", "a");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        Outcome refused = push("h1", destination, "--key", key.toString());
        assertThat(refused.code()).isEqualTo(ExitCode.NO_INPUT.code());
        assertThat(refused.err()).contains("chmod 600");
    }
}
