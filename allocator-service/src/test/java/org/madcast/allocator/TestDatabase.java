package org.madcast.allocator;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.madcast.allocator.store.EmbeddedDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The PostgreSQL that the tests share: a container where a container engine answers, else the
 * embedded one. The environment variable {@code MADCAST_TEST_DATABASE} asks for one of them: {@code
 * container} fails where there can be none, {@code embedded} does not look. The log says which.
 */
sealed interface TestDatabase extends AutoCloseable {

    String jdbcUrl();

    String user();

    String password();

    @Override
    void close();

    /** Starts one; the embedded one's files are below the directories. */
    static TestDatabase open(Path dataDir, Path programs) {
        Logger log = LoggerFactory.getLogger(TestDatabase.class);
        String wanted =
                System.getenv()
                        .getOrDefault("MADCAST_TEST_DATABASE", "auto")
                        .toLowerCase(Locale.ROOT);
        if (!wanted.equals("embedded")) {
            try {
                return Container.start(log);
            } catch (NoEngine none) {
                if (wanted.equals("container")) {
                    throw none;
                }
                log.warn("Database of the tests: the embedded one, since {}", none.getMessage());
            }
        } else {
            log.warn("Database of the tests: the embedded one, as MADCAST_TEST_DATABASE says");
        }
        return new Embedded(EmbeddedDatabase.open(dataDir, programs, Duration.ofMinutes(1)));
    }

    /** PostgreSQL in a container. */
    record Container(PostgreSQLContainer postgres) implements TestDatabase {

        private static final DockerImageName IMAGE = DockerImageName.parse("postgres:15");

        static Container start(Logger log) {
            if (!DockerClientFactory.instance().isDockerAvailable()) {
                throw new NoEngine("no container engine answers", null);
            }
            PostgreSQLContainer postgres = new PostgreSQLContainer(IMAGE);
            // By which .ci/run finds what tests that were ended left behind.
            postgres.withLabel("org.madcast.test", "database");
            // Concurrent grants and a second replica have pools of their own.
            postgres.setCommand("postgres", "-c", "max_connections=200");
            try {
                postgres.start();
            } catch (ContainerFetchException unavailable) {
                throw new NoEngine(
                        IMAGE + " is neither here nor to be fetched: " + unavailable.getMessage(),
                        unavailable);
            }
            log.warn("Database of the tests: container {}", postgres.getContainerId());
            return new Container(postgres);
        }

        @Override
        public String jdbcUrl() {
            return postgres.getJdbcUrl();
        }

        @Override
        public String user() {
            return postgres.getUsername();
        }

        @Override
        public String password() {
            return postgres.getPassword();
        }

        @Override
        public void close() {
            postgres.stop();
        }
    }

    /** The service's own. */
    record Embedded(EmbeddedDatabase database) implements TestDatabase {

        @Override
        public String jdbcUrl() {
            return database.jdbcUrl();
        }

        @Override
        public String user() {
            return EmbeddedDatabase.USER;
        }

        @Override
        public String password() {
            return database.password();
        }

        @Override
        public void close() {
            database.close();
        }
    }

    /** Why there is no container. */
    final class NoEngine extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoEngine(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
