package org.madcast.packaging;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The packaged allocation service with its embedded database, on a free port. */
final class RunningService implements AutoCloseable {

    private static final Path ARCHIVE =
            Project.path("allocator-service/target/app/allocator-service.jar");

    private final Process process;
    private final Service service;

    /** Starts one below the directory and returns when it is ready. */
    RunningService(Path directory) throws Exception {
        this.service = new Service(FreePorts.next());
        this.process =
                new Program()
                        .start(
                                Files.createDirectories(directory).resolve("service.log"),
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin/java")
                                                .toString(),
                                        "-Xmx384m",
                                        "-XX:+UseSerialGC",
                                        "-XX:TieredStopAtLevel=1",
                                        "-jar",
                                        ARCHIVE.toString(),
                                        "--server.port=" + service.port(),
                                        "--madcast.access.from-loopback=job",
                                        "--madcast.data-dir=" + directory.resolve("data")));
        Waiting.until("the service's start", Duration.ofMinutes(2), service::isReady);
    }

    Service service() {
        return service;
    }

    @Override
    public void close() {
        Daemons.end(process, Duration.ofSeconds(20));
    }
}
