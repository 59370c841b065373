package org.madcast.allocator;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A service in a process of its own, which can be killed. */
final class ServiceInProcess implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(3);

    /** The directory of the launcher, if it has packaged this very service before the tests. */
    private static final String PACKAGED = "madcast.packaged.home";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final int port;
    private final Path dataDir;
    private final List<String> more;
    private Process process;

    private ServiceInProcess(int port, Path dataDir, List<String> more, Map<String, String> world)
            throws IOException {
        this.port = port;
        this.dataDir = dataDir;
        this.more = more;
        this.process = launch(world);
    }

    /** Starts one on an embedded database, and waits until it is ready. */
    static ServiceInProcess start(Path dataDir, String... more) throws IOException {
        return start(dataDir, Map.of(), more);
    }

    /** The same, with these variables in its environment. */
    static ServiceInProcess start(Path dataDir, Map<String, String> world, String... more)
            throws IOException {
        ServiceInProcess service =
                new ServiceInProcess(FreePort.tcp(), dataDir, List.of(more), world);
        service.awaitReady();
        return service;
    }

    Rest rest() {
        return new Rest(Integer.toString(port));
    }

    /** The process's number. */
    long pid() {
        return process.pid();
    }

    /** Ends the service as if the computer had no mercy; its database runs on. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends the database's server the same way. */
    void killDatabase() throws IOException {
        String pid =
                Files.readAllLines(dataDir.resolve("postgres/postmaster.pid")).getFirst().trim();
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** What the service keeps in its heap, in bytes, once all garbage is collected. */
    long heapAfterCollection() throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        String pid = String.valueOf(process.pid());
        new ProcessBuilder(jcmd, pid, "GC.run").start().waitFor();
        Process info = new ProcessBuilder(jcmd, pid, "GC.heap_info").start();
        String text = new String(info.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Pattern.compile("(?m)^ *(?:DefNew|Tenured) .* used (\\d+)K")
                        .matcher(text)
                        .results()
                        .mapToLong(it -> Long.parseLong(it.group(1)))
                        .sum()
                << 10;
    }

    /** Tells the service to end, and waits until it has. */
    void terminate() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    /** Starts it again after {@link #kill} or {@link #terminate}. */
    void restart() throws IOException {
        process = launch(Map.of());
        awaitReady();
    }

    void awaitReady() {
        await().atMost(LONG)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    if (!process.isAlive()) {
                        throw new IllegalStateException(
                                "the service ended: " + Files.readString(log()));
                    }
                    return isReady();
                });
    }

    private boolean isReady() {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(rest().origin() + "/v1/scopes"))
                        .timeout(Duration.ofSeconds(5))
                        .build();
        try {
            return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Path log() {
        return dataDir.resolve("service.log");
    }

    private Process launch(Map<String, String> world) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-XX:TieredStopAtLevel=1"));
        command.addAll(program());
        command.add("--server.port=" + port);
        command.add("--madcast.data-dir=" + dataDir);
        command.add("--madcast.programs-dir=" + RunningService.programs());
        command.add("--madcast.madcap.enabled=false");
        command.add("--madcast.access.from-loopback=operator");
        command.addAll(more);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        builder.environment().putAll(world);
        return builder.start();
    }

    /**
     * The archive and the record of its start where both were made before the tests, which halves
     * what a start costs; else the classes of this JVM.
     */
    private static List<String> program() {
        String home = System.getProperty(PACKAGED);
        if (home == null) {
            String classPath = System.getProperty("java.class.path");
            return List.of("-cp", classPath, AllocatorApplication.class.getName());
        }
        // With the options that the launcher recorded with, or the JVM starts without the record.
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTAdapterCaching",
                "-XX:AOTCache=" + Path.of(home, "target/madcast/service.aot"),
                "-Xlog:aot=off",
                "-Xlog:cds=off",
                "-jar",
                Path.of(home, "allocator-service/target/app/allocator-service.jar").toString());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
