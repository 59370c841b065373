package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The images, built by docker/build and run by podman beside a PostgreSQL. */
@Tag("slow")
@Tag("container")
class ImagesIT {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMinutes(2);
    private static final String TAG = "test";
    private static final String SERVICE = "localhost/madcast/allocator-service:" + TAG;
    private static final String AGENT = "localhost/madcast/agent:" + TAG;
    private static final String POSTGRES = "docker.io/library/postgres:15";

    /** Names containers and the network of this run. */
    private static final String RUN = "madcast-" + UUID.randomUUID().toString().substring(0, 8);

    private static final Program PROGRAM =
            new Program()
                    .with("CONTAINERS_CONF", Project.path("docker/containers.conf").toString())
                    .with("JAVA_HOME", System.getProperty("java.home"));

    @BeforeAll
    static void build() throws Exception {
        assumeTrue(
                Program.exists("buildah") && Program.exists("podman"), "no buildah or no podman");
        String script = Project.path("docker/build").toString();
        PROGRAM.run(LONG, script, "--no-build", "--tag", TAG).orFail();
        if (PROGRAM.run(SHORT, "podman", "image", "exists", POSTGRES).code() != 0
                && PROGRAM.run(SHORT, "podman", "pull", POSTGRES).code() != 0) {
            PROGRAM.run(LONG, Project.path("docker/build-postgres").toString()).orFail();
        }
        podman("network", "create", RUN);
    }

    @AfterAll
    static void remove() throws Exception {
        if (Program.exists("podman")) {
            for (String name : List.of("agent", "service", "database")) {
                PROGRAM.run(
                        SHORT,
                        "podman",
                        "rm",
                        "--force",
                        "--volumes",
                        "--ignore",
                        RUN + "-" + name);
            }
            PROGRAM.run(SHORT, "podman", "network", "rm", "--force", RUN);
        }
    }

    @Test
    void theImagesAreSmallAndNeitherRootNorShellIsInThem() throws Exception {
        assertThat(inspect(SERVICE).get("Size").getAsLong()).isLessThan(250_000_000L);
        assertThat(inspect(AGENT).get("Size").getAsLong()).isLessThan(150_000_000L);
        for (String image : List.of(SERVICE, AGENT)) {
            JsonObject configuration = inspect(image).getAsJsonObject("Config");
            assertThat(configuration.get("User").getAsString()).isEqualTo("10001:10001");
            assertThat(inspect(image).getAsJsonObject("Healthcheck").get("Test").toString())
                    .contains("HealthProbe");
            assertThat(configuration.getAsJsonObject("Labels").keySet())
                    .contains(
                            "org.opencontainers.image.title",
                            "org.opencontainers.image.version",
                            "org.opencontainers.image.licenses");
            assertThat(
                            PROGRAM.run(
                                            SHORT,
                                            "podman",
                                            "run",
                                            "--rm",
                                            "--entrypoint",
                                            "/bin/sh",
                                            image,
                                            "-c",
                                            "true")
                                    .code())
                    .isEqualTo(127);
        }
    }

    @Test
    void theAgentsImageIsTheCommandLine() throws Exception {
        // Podman may warn before that it has no systemd.
        assertThat(podman("run", "--rm", "--read-only", AGENT, "--version").lines())
                .last()
                .asString()
                .startsWith("madcast ");
    }

    @Test
    void theAgentIsWellOnAReadOnlyFileSystem(@TempDir Path configuration) throws Exception {
        Files.writeString(configuration.resolve("token"), "a token for this test\n");
        Files.setPosixFilePermissions(
                configuration.resolve("token"), PosixFilePermissions.fromString("r--r-----"));
        Files.setPosixFilePermissions(configuration, PosixFilePermissions.fromString("rwxr-xr-x"));
        PROGRAM.run(SHORT, "chgrp", "10001", configuration + "/token").orFail();
        podman(
                "run",
                "-d",
                "--name",
                RUN + "-agent",
                "--read-only",
                "--cap-drop",
                "all",
                "--network",
                RUN,
                "-v",
                configuration + ":/etc/madcast:ro",
                AGENT,
                "agent",
                "--allow",
                "/tmp",
                "--token-file",
                "/etc/madcast/token");
        Waiting.until(
                "health",
                SHORT,
                () ->
                        PROGRAM.run(SHORT, "podman", "healthcheck", "run", RUN + "-agent").code()
                                == 0);
        podman("stop", "--time", "20", RUN + "-agent");
        assertThat(PROGRAM.run(SHORT, "podman", "logs", RUN + "-agent").text())
                .contains("the agent listens")
                .contains("the agent ends");
    }

    @Test
    void theServiceLeasesOnAReadOnlyFileSystemInHalfAGibibyte() throws Exception {
        podman(
                "run",
                "-d",
                "--name",
                RUN + "-database",
                "--network",
                RUN,
                "-e",
                "POSTGRES_USER=madcast",
                "-e",
                "POSTGRES_PASSWORD=secret",
                POSTGRES);
        Waiting.until("PostgreSQL", SHORT, ImagesIT::databaseAnswers);
        Service service = new Service(FreePorts.next());
        podman(
                "run",
                "-d",
                "--name",
                RUN + "-service",
                "--network",
                RUN,
                "--read-only",
                "--memory",
                "512m",
                "--cap-drop",
                "all",
                "-p",
                "127.0.0.1:" + service.port() + ":8730",
                "-e",
                "SPRING_DATASOURCE_URL=jdbc:postgresql://" + RUN + "-database/madcast",
                "-e",
                "SPRING_DATASOURCE_USERNAME=madcast",
                "-e",
                "SPRING_DATASOURCE_PASSWORD=secret",
                "-e",
                "MADCAST_ACCESS_FROMELSEWHERE=job",
                SERVICE);
        Duration start = Waiting.until("ready", SHORT, service::isReady);
        Files.writeString(
                Project.path("packaging/target/image-start.txt"), "ready after " + start + "\n");
        assertThat(service.lease("image").get("state").getAsString()).isEqualTo("ACTIVE");
        podman("healthcheck", "run", RUN + "-service");
        assertThat(PROGRAM.run(SHORT, "podman", "logs", RUN + "-service").text())
                .as("the cache of the start fits")
                .contains("Ready: ")
                .doesNotContain("[aot]");
        long began = System.nanoTime();
        podman("stop", "--time", "20", RUN + "-service");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
    }

    /** By TCP: while the database is made, its server listens on a socket of its own only. */
    private static boolean databaseAnswers() throws Exception {
        return PROGRAM.run(
                                SHORT,
                                "podman",
                                "exec",
                                RUN + "-database",
                                "pg_isready",
                                "-q",
                                "-h",
                                "127.0.0.1",
                                "-U",
                                "madcast")
                        .code()
                == 0;
    }

    private static JsonObject inspect(String image) throws Exception {
        return JsonParser.parseString(podman("image", "inspect", image))
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject();
    }

    private static String podman(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("podman"));
        command.addAll(Arrays.asList(arguments));
        return PROGRAM.run(SHORT, command.toArray(String[]::new)).orFail();
    }
}
