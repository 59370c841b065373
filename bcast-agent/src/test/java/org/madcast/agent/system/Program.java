package org.madcast.agent.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.madcast.agent.node.FreePort;
import org.madcast.lab.LabHost;

/**
 * The packaged command line as a process, started as the launcher starts it, with a temporary
 * directory of its own. All that descends from it is found by a variable in its environment.
 */
final class Program implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Path HOME = Path.of(System.getProperty("madcast.home"));
    private static final String TAG = "MADCAST_SYSTEM_TEST";

    private final Process process;
    private final Path directory;
    private final Path temporary;
    private final String tag = UUID.randomUUID().toString();

    private Program(Path directory, List<String> wrapper, List<String> arguments)
            throws IOException {
        this(directory, command(directory, wrapper, arguments), Map.of());
    }

    private Program(Path directory, List<String> command, Map<String, String> environment)
            throws IOException {
        this(directory, command, environment, ProcessBuilder.Redirect.PIPE);
    }

    private Program(
            Path directory,
            List<String> command,
            Map<String, String> environment,
            ProcessBuilder.Redirect input)
            throws IOException {
        this.directory = directory;
        this.temporary = Files.createDirectory(directory.resolve("tmp"));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectInput(input)
                        .redirectOutput(directory.resolve("out").toFile())
                        .redirectError(directory.resolve("err").toFile());
        builder.environment().put(TAG, tag);
        // Ranks start slowly where other tests keep all processors busy.
        builder.environment().put("MADCAST_JOIN_TIMEOUT", "100s");
        // What another test left, or has beside this one, leases nothing to this one's ranks.
        builder.environment().put("MADCAST_MADCAP", "off");
        builder.environment()
                .put("CLASSPATH", HOME.resolve("bcast-agent/target/test-classes").toString());
        builder.environment().putAll(environment);
        process = builder.start();
    }

    private static List<String> command(
            Path directory, List<String> wrapper, List<String> arguments) {
        List<String> command = new ArrayList<>(wrapper);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        heap(arguments.getFirst()),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dmadcast.home=" + HOME,
                        "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                        "-cp",
                        classPath(arguments.getFirst()),
                        "org.madcast.agent.Main"));
        command.addAll(arguments);
        return command;
    }

    /** The launcher's: the daemon does without the archives that measure. */
    private static String classPath(String command) {
        String agent =
                HOME + "/bcast-agent/target/bcast-agent.jar:" + HOME + "/bcast-agent/target/lib/*";
        String measure = HOME + "/measure/target/measure.jar:" + HOME + "/measure/target/lib/*";
        return command.equals("agent") ? agent : agent + ":" + measure;
    }

    /** The launcher's. */
    private static String heap(String command) {
        return Set.of("agent", "push").contains(command)
                ? "-Xmx96m"
                : Set.of("simulate", "reproduce").contains(command) ? "-Xmx2g" : "-Xmx256m";
    }

    /** Starts a command; what it says goes to files of the directory, which must be empty. */
    static Program start(Path directory, String... arguments) throws IOException {
        // Whoever runs the tests in the background may have Ctrl-C ignored in all that descends.
        return new Program(directory, List.of("env", "--default-signal=INT"), List.of(arguments));
    }

    /** Starts a command with further variables in its environment. */
    static Program startWith(
            Path directory, Map<String, String> environment, List<String> arguments)
            throws IOException {
        return new Program(directory, command(directory, List.of(), arguments), environment);
    }

    /** Starts a command with this file as its standard input. */
    static Program startWithInput(Path directory, Path input, List<String> arguments)
            throws IOException {
        ProcessBuilder.Redirect from = ProcessBuilder.Redirect.from(input.toFile());
        return new Program(directory, command(directory, List.of(), arguments), Map.of(), from);
    }

    /**
     * Starts a command by the launcher of Debian's packages, installed in a directory that exists.
     */
    static Program startInstalled(Path directory, Path installed, String... arguments)
            throws IOException {
        Path bin = Files.createDirectory(installed.resolve("bin"));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path started =
                Files.writeString(bin.resolve("java"), "#!/bin/sh\nexec '" + java + "' \"$@\"\n");
        Files.setPosixFilePermissions(started, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(HOME.resolve("packaging/jvm-options"), bin.resolve("jvm-options"));
        Path archives = Files.createDirectory(installed.resolve("agent"));
        Path built = HOME.resolve("bcast-agent/target");
        try (Stream<Path> libraries = Files.list(built.resolve("lib"))) {
            List<Path> all = new ArrayList<>(libraries.toList());
            all.add(built.resolve("bcast-agent.jar"));
            for (Path archive : all) {
                Files.copy(archive, archives.resolve(archive.getFileName()));
            }
        }
        List<String> command = new ArrayList<>();
        command.addAll(List.of("sh", HOME.resolve("packaging/systemd/madcast").toString()));
        command.addAll(List.of(arguments));
        return new Program(directory, command, Map.of("MADCAST_LIB", installed.toString()));
    }

    /** Starts a command without root's capabilities: root in name only. */
    static Program startUnprivileged(Path directory, String... arguments) throws IOException {
        return new Program(
                directory,
                List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"),
                List.of(arguments));
    }

    /** Starts a command on a host of a lab. */
    static Program startOn(LabHost host, Path directory, List<String> arguments)
            throws IOException {
        return startOn(host, directory, List.of(), arguments);
    }

    /** The same with further variables, such as {@code NAME=value}. */
    static Program startOn(
            LabHost host, Path directory, List<String> environment, List<String> arguments)
            throws IOException {
        List<String> wrapper = new ArrayList<>(List.of("env"));
        wrapper.addAll(environment);
        return new Program(directory, host.command(wrapper), arguments);
    }

    /** As {@link #startOn}, where what is on the disk is seen at the mount point. */
    static Program startWithDisk(
            LabHost host, Path directory, Path disk, Path mountPoint, List<String> arguments)
            throws IOException {
        List<String> wrapper =
                List.of(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        "mount --bind '" + disk + "' '" + mountPoint + "' && exec \"$@\"",
                        "sh");
        return new Program(directory, host.command(wrapper), arguments);
    }

    /** A port of the loopback address that was free a moment ago. */
    static int freePort() throws IOException {
        return FreePort.onLoopback().getPort();
    }

    String out() {
        return read("out");
    }

    String err() {
        return read("err");
    }

    private String read(String name) {
        try {
            return new String(Files.readAllBytes(directory.resolve(name)), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "unreadable: " + e;
        }
    }

    /** What it printed as one JSON object. */
    JsonObject json() {
        try {
            return JsonParser.object().from(out());
        } catch (JsonParserException e) {
            return fail("no JSON object: " + out() + err(), e);
        }
    }

    /** Waits until it says this on either output. */
    void awaitSaid(String text) {
        await(
                "'" + text + "'",
                () -> err().contains(text) || out().contains(text) || !process.isAlive());
        assertThat(out() + err()).contains(text);
    }

    /** Waits until something is so. */
    void await(String what, BooleanSupplier condition) {
        await(what, LONGEST, condition);
    }

    /** The same, so long at most. */
    void await(String what, Duration longest, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                fail("not within " + longest + ": " + what + "; said: " + out() + err() + state());
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    /** Waits until it ends, and returns what with. */
    int await() throws InterruptedException {
        if (!process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
            fail("it does not end; said: " + out() + err() + state());
        }
        return process.exitValue();
    }

    /** The machine's load, and what its processes have had of the processors. */
    private String state() {
        StringBuilder text = new StringBuilder("\nload: ");
        try {
            text.append(Files.readString(Path.of("/proc/loadavg")));
        } catch (IOException unreadable) {
            text.append(unreadable).append('\n');
        }
        for (ProcessHandle each : descendants("")) {
            text.append(each.pid()).append(' ').append(each.info()).append('\n');
        }
        return text.toString();
    }

    /** What Ctrl-C sends. */
    void interrupt() throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    }

    /** Asks it to end, as service managers do. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Ends it as a failing computer does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Whether it runs. */
    boolean isAlive() {
        return process.isAlive();
    }

    /** Its process id. */
    long pid() {
        return process.pid();
    }

    /** The processes that descend from it and whose command line contains this text. */
    List<ProcessHandle> descendants(String text) {
        return ProcessHandle.allProcesses()
                .filter(other -> other.pid() != process.pid())
                .filter(other -> contains(other, "environ", TAG + "=" + tag))
                .filter(other -> contains(other, "cmdline", text))
                .toList();
    }

    private static boolean contains(ProcessHandle process, String file, String text) {
        try {
            Path path = Path.of("/proc", Long.toString(process.pid()), file);
            return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException _) {
            return false; // it has ended
        }
    }

    /** What it has in its temporary directory. */
    List<Path> temporaryFiles() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.toList();
        }
    }

    /** The most memory that it has had resident; 0 when it has ended. */
    long mostResidentBytes() {
        return status("VmHWM:");
    }

    /** The memory that it has resident; 0 when it has ended. */
    long residentBytes() {
        return status("VmRSS:");
    }

    private long status(String name) {
        try (Stream<String> lines =
                Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException _) {
            return 0; // it has ended
        }
    }

    /** Asserts that no process, namespace or file outlives it. */
    void assertNothingIsLeft() throws IOException {
        // Those who were killed need a moment to vanish.
        await("no process is left", () -> descendants("").isEmpty());
        assertThat(temporaryFiles()).isEmpty();
        String labs = "l" + Long.toString(process.pid(), 36) + "x";
        for (Path place : List.of(Path.of("/run/netns"), Path.of("/run/madcast/lab"))) {
            if (Files.isDirectory(place)) {
                try (Stream<Path> names = Files.list(place)) {
                    assertThat(names.map(name -> name.getFileName().toString()))
                            .noneMatch(name -> name.startsWith(labs));
                }
            }
        }
    }

    @Override
    public void close() {
        descendants("").forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
