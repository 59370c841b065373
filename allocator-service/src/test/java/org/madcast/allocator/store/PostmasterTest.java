package org.madcast.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which process is taken for the database's server. */
class PostmasterTest {

    private static final Path PROGRAMS = Path.of("target/test-programs").toAbsolutePath();

    @TempDir private Path directory;

    /** Someone else's may have got the number that a killed server had: it must not be ended. */
    @Test
    void aServerOfAnotherDirectoryIsNotOurs() throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Process server = run(other);
        try {
            Files.writeString(own.resolve("postmaster.pid"), server.pid() + "\n" + own + "\n");
            assertThat(postmaster(own).running()).isEmpty();
            Files.writeString(other.resolve("postmaster.pid"), server.pid() + "\n" + other + "\n");
            assertThat(postmaster(other).running()).hasValue(server.toHandle());
            Path link = Files.createSymbolicLink(directory.resolve("link"), other);
            assertThat(postmaster(link).running()).hasValue(server.toHandle());
        } finally {
            server.destroyForcibly().waitFor();
        }
        assertThat(postmaster(other).running()).isEmpty();
    }

    private Postmaster postmaster(Path database) {
        return new Postmaster(
                PostgresPrograms.in(PROGRAMS), database, directory.resolve("postgres.log"));
    }

    /** A process whose program is called as PostgreSQL's, working where a server does. */
    private Process run(Path where) throws IOException {
        Path program = directory.resolve("postgres");
        Files.copy(Path.of("/bin/sleep").toRealPath(), program);
        return new ProcessBuilder(program.toString(), "60").directory(where.toFile()).start();
    }
}
