package org.madcast.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Maven project of somebody else, with the BOM and the client library from a repository of its
 * own, which has what {@code mvn install} puts there. Everything else comes from the repository of
 * this build, so that nothing is downloaded.
 */
@Timeout(300)
class PublishedLibraryTest {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final List<String> LIBRARIES = List.of("madcap", "native", "client-lib");
    private static final Pattern ARTIFACT =
            Pattern.compile("<artifactId>(madcast-[a-z]+)</artifactId>\\s*(<packaging>|<name>)");

    private final String parent = Project.read(Project.path("pom.xml"));
    private final String version = property(parent, "version");

    @TempDir private Path directory = Path.of("");

    private static String property(String pom, String name) {
        Matcher matcher = Pattern.compile("<" + name + ">([^<]+)</" + name + ">").matcher(pom);
        assertThat(matcher.find()).as(name).isTrue();
        return matcher.group(1);
    }

    @Test
    void anotherProjectBuildsAndRunsWithIt() throws Exception {
        assumeTrue(Program.exists("mvn"), "needs mvn");
        Path local = directory.resolve("local");
        Path own = directory.resolve("own");
        install(own, "madcast", Project.path("pom.xml"));
        install(own, "madcast-bom", Project.path("bom/pom.xml"));
        for (String library : LIBRARIES) {
            Path pom = Project.path(library + "/pom.xml");
            Matcher matcher = ARTIFACT.matcher(Project.read(pom));
            assertThat(matcher.find()).as(library).isTrue();
            Path folder = install(own, matcher.group(1), pom);
            jar(
                    Project.path(library + "/target/classes"),
                    folder.resolve(matcher.group(1) + "-" + version + ".jar"));
        }
        Path project = Files.createDirectories(directory.resolve("project/src/main/java"));
        Files.writeString(project.resolve("Hello.java"), PROGRAM);
        Path pom = directory.resolve("project/pom.xml");
        Files.writeString(
                pom,
                POM.replace("VERSION", version)
                        .replace("REPOSITORY", own.toUri().toString())
                        .replace("COMPILER", property(parent, "maven-compiler-plugin.version"))
                        .replace("RESOURCES", property(parent, "maven-resources-plugin.version"))
                        .replace(
                                "DEPENDENCY", property(parent, "maven-dependency-plugin.version")));
        Path settings = directory.resolve("settings.xml");
        String cache =
                System.getProperty(
                        "maven.repo.local", System.getProperty("user.home") + "/.m2/repository");
        Files.writeString(settings, SETTINGS.replace("CACHE", Path.of(cache).toUri().toString()));
        Program program = new Program().with("JAVA_HOME", System.getProperty("java.home", ""));
        String classPath = directory.resolve("classpath").toString();
        program.run(
                        LIMIT,
                        "mvn",
                        "-B",
                        "-ntp",
                        "-q",
                        "-s",
                        settings.toString(),
                        "-Dmaven.repo.local=" + local,
                        "-Dmdep.outputFile=" + classPath,
                        "-f",
                        pom.toString(),
                        "compile",
                        "dependency:build-classpath")
                .orFail();
        String said =
                program.run(
                                LIMIT,
                                Path.of(System.getProperty("java.home", ""), "bin", "java")
                                        .toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                directory.resolve("project/target/classes")
                                        + ":"
                                        + Files.readString(Path.of(classPath)),
                                "Hello")
                        .orFail();
        assertThat(said).endsWith("rank 0 of 1 has 2.5");
    }

    /** Puts a pom where a repository has it. */
    private Path install(Path repository, String artifact, Path pom) throws IOException {
        Path folder =
                Files.createDirectories(
                        repository.resolve("org/madcast").resolve(artifact).resolve(version));
        Files.copy(pom, folder.resolve(artifact + "-" + version + ".pom"));
        return folder;
    }

    private static void jar(Path classes, Path target) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(target));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }

    private static final String PROGRAM =
            """
            import org.madcast.client.Communicator;
            import org.madcast.client.CommunicatorConfig;

            public class Hello {
                public static void main(String[] arguments) {
                    CommunicatorConfig config =
                            CommunicatorConfig.builder("hello", 0, 1)
                                    .networkInterface("lo")
                                    .madcap(CommunicatorConfig.MADCAP_OFF)
                                    .build();
                    try (Communicator world = Communicator.join(config)) {
                        double[] weights = {1.5, 2.5};
                        world.bcast(weights, 1, 1, 0);
                        System.out.println(
                                "rank " + world.rank() + " of " + world.size() + " has " + weights[1]);
                    }
                }
            }
            """;

    private static final String POM =
            """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>org.example</groupId>
              <artifactId>hello</artifactId>
              <version>1</version>
              <properties>
                <maven.compiler.release>25</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <repositories>
                <repository>
                  <id>own</id>
                  <url>REPOSITORY</url>
                </repository>
              </repositories>
              <dependencyManagement>
                <dependencies>
                  <dependency>
                    <groupId>org.madcast</groupId>
                    <artifactId>madcast-bom</artifactId>
                    <version>VERSION</version>
                    <type>pom</type>
                    <scope>import</scope>
                  </dependency>
                </dependencies>
              </dependencyManagement>
              <dependencies>
                <dependency>
                  <groupId>org.madcast</groupId>
                  <artifactId>madcast-client</artifactId>
                </dependency>
              </dependencies>
              <build>
                <plugins>
                  <plugin>
                    <artifactId>maven-compiler-plugin</artifactId>
                    <version>COMPILER</version>
                  </plugin>
                  <plugin>
                    <artifactId>maven-resources-plugin</artifactId>
                    <version>RESOURCES</version>
                  </plugin>
                  <plugin>
                    <artifactId>maven-dependency-plugin</artifactId>
                    <version>DEPENDENCY</version>
                  </plugin>
                </plugins>
              </build>
            </project>
            """;

    private static final String SETTINGS =
            """
            <settings>
              <mirrors>
                <mirror>
                  <id>cache</id>
                  <mirrorOf>*,!own</mirrorOf>
                  <url>CACHE</url>
                </mirror>
              </mirrors>
            </settings>
            """;
}
