package org.madcast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Javadoc of the public packages is made without a warning. */
@Timeout(300)
class JavadocTest {

    private static final Path SOURCES = Path.of("src/main/java");

    @TempDir private Path directory = Path.of("");

    @Test
    void ofThePublicPackagesHasNoWarning() throws IOException {
        // Without the module's own file: the tests run on the class path.
        Path sources = directory.resolve("sources");
        try (Stream<Path> files = Files.walk(SOURCES.resolve("org"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = sources.resolve(SOURCES.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
        ToolProvider javadoc = ToolProvider.findFirst("javadoc").orElseThrow();
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output);
        List<String> arguments =
                List.of(
                        "-quiet",
                        "-Xdoclint:all,-missing",
                        "-Werror",
                        "-d",
                        directory.resolve("api").toString(),
                        "-cp",
                        System.getProperty("java.class.path", ""),
                        "--source-path",
                        sources.toString(),
                        "org.madcast.client",
                        "org.madcast.client.file");
        int code = javadoc.run(printer, printer, arguments.toArray(String[]::new));
        assertThat(code).as(output.toString()).isZero();
        assertThat(directory.resolve("api/org/madcast/client/Communicator.html")).exists();
    }
}
